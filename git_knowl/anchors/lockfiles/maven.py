"""pom.xml: the versions that stand there literally. What Maven itself would compute is not told.

Properties, ranges and what a parent or an imported POM brings take Maven to resolve.
"""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from git_knowl.anchors.lockfiles.listing import Found, Listing, LockfileError, check_format

_ROOT = "project"
_KINDS = ("dependency", "plugin", "extension", "parent")
_MANAGED = ("dependencyManagement", "pluginManagement")
_PLUGIN_GROUP = "org.apache.maven.plugins"
_LITERAL = re.compile(r"([^\s\[\](),$]+)|\[([^\s\[\](),$]+)\]")
_MOVING = ("LATEST", "RELEASE")
_PARENT = "the parent POM is not followed, and it is not named here"


class _WithoutDoctype(TreeBuilder):
    """Builds the tree of a document; without a document type no entity can be declared."""

    def doctype(self, *_: object) -> None:
        raise LockfileError("a document type (<!DOCTYPE …>) is not read in pom.xml")


def scan(text: str) -> Listing:
    """Return dependencies, plugins, extensions and the parent by name.

    What is only managed counts where nothing else says a version, as for Maven.
    """
    project = _project(text)
    space = project.tag.removesuffix(_ROOT)
    named = list(_named(project, space))
    settled = {name for name, version, is_direct in named if is_direct and version}
    return Listing(
        [
            (name, Found(_exact(version), direct=is_direct))
            for name, version, is_direct in named
            if is_direct or name not in settled
        ],
        _PARENT if project.find(f"{space}parent") is not None else None,
        frozenset(filter(None, [_own_name(project, space)])),
    )


def _named(project: Element, space: str) -> Iterator[tuple[str, str, bool]]:
    """Yield name and version of all the project names, and whether it is more than managed."""
    parts = (part for kind in _MANAGED for part in project.iter(space + kind))
    managed = {one for part in parts for one in part.iter()}
    for kind in _KINDS:
        group = _PLUGIN_GROUP if kind == "plugin" else ""
        for element in project.iter(space + kind):
            if name := _name(element, space, group):
                yield name, _text(element, space + "version"), element not in managed


def _project(text: str) -> Element:
    parser = XMLParser(target=_WithoutDoctype())  # noqa: S314 - it refuses what could be harmful
    try:
        parser.feed(text)
        project: Element = parser.close()
    except ParseError as error:
        line, column = error.position
        raise LockfileError(f"not valid XML in line {line}, column {column + 1}") from error
    if project.tag.rpartition("}")[2] != _ROOT:
        raise LockfileError("expected the element <project>, found another one")
    model = _text(project, f"{project.tag.removesuffix(_ROOT)}modelVersion")
    if model:
        check_format("modelVersion", model, ("4.0.0", "4.1.0"))
    return project


def _own_name(project: Element, space: str) -> str | None:
    """Return the name of the project itself; its group may be that of its parent."""
    return _name(project, space, _text(project, f"{space}parent/{space}groupId"))


def _name(element: Element, space: str, group: str) -> str | None:
    """Return ``GROUP/ARTIFACT``; None where a part is missing or takes Maven to compute."""
    group = _text(element, f"{space}groupId") or group
    artifact = _text(element, f"{space}artifactId")
    return f"{group}/{artifact}" if group and artifact and "$" not in group + artifact else None


def _exact(version: str) -> str | None:
    match = _LITERAL.fullmatch(version)
    literal = match and (match[1] or match[2])
    return None if literal in _MOVING else literal


def _text(element: Element, child: str) -> str:
    return (element.findtext(child) or "").strip()
