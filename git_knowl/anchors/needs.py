"""Entries that need other entries: whom to ask before whom, and what stands behind each link."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import TypeAlias

from git_knowl.anchors import entry as links
from git_knowl.anchors.entry import Gone, Needed
from git_knowl.model.entry import Entry
from git_knowl.model.verdict import AnchorVerdict, Verdict

#: Gives those of the live entries with these ids that can be read.
Load: TypeAlias = Callable[[list[str]], Iterable[Entry]]


def _nothing(ids: list[str]) -> list[Entry]:
    del ids
    return []


def _none_gone() -> list[Gone]:
    return []


@dataclass(frozen=True, slots=True)
class Others:
    """Where the entries behind links come from, and what was retired."""

    load: Load = _nothing
    gone: Callable[[], Iterable[Gone]] = _none_gone


def gathered(entries: Iterable[Entry], others: Others) -> dict[str, Entry]:
    """Return entries by id, with all that they need, and what that needs."""
    found = {entry.id: entry for entry in entries}
    asked = set(found)
    while new := {link.id for entry in found.values() for link in entry.depends_on} - asked:
        asked |= new
        found |= {entry.id: entry for entry in others.load(sorted(new))}
    return found


def with_links(
    entries: Mapping[str, Entry], own: Mapping[str, tuple[AnchorVerdict, ...]], others: Others
) -> dict[str, Verdict]:
    """Return the verdicts of gathered entries; ``own`` are those of their anchors.

    What an entry needs is judged before it. Where entries need each other, the links that close the
    circle say so and are not followed.
    """
    circles = _circles(entries)
    gone = _gone(entries, others)
    made: dict[str, Verdict] = {}

    def behind(entry: Entry, target: str) -> Needed:
        circle = circles.get((entry.id, target), ())
        names = tuple(entries[one].name for one in circle)
        return Needed(entries.get(target), made.get(target), gone.get(target), names)

    for key in TopologicalSorter(_graph(entries, circles)).static_order():
        entry = entries[key]
        digest = entry.digest if entry.depends_on else ""
        told = (links.judge(link, digest, behind(entry, link.id)) for link in entry.depends_on)
        made[key] = Verdict((*own[key], *told))
    return made


def _graph(
    entries: Mapping[str, Entry], without: Iterable[tuple[str, str]] = ()
) -> dict[str, set[str]]:
    """Return what every entry needs among the entries, but for some links."""
    left_out = set(without)
    return {
        key: {
            link.id
            for link in entry.depends_on
            if link.id in entries and (key, link.id) not in left_out
        }
        for key, entry in entries.items()
    }


def _circles(entries: Mapping[str, Entry]) -> dict[tuple[str, str], list[str]]:
    """Return the links that are part of a circle, each with the way round from its entry."""
    found: dict[tuple[str, str], list[str]] = {}
    while True:
        try:
            TopologicalSorter(_graph(entries, found)).prepare()
        except CycleError as error:
            # Every id is needed by the one after it, and the first stands at the end again.
            way: list[str] = error.args[1][:0:-1]
            for at, key in enumerate(way):
                around = [*way[at:], *way[:at], key]
                found[key, around[1]] = around
        else:
            return found


def _gone(entries: Mapping[str, Entry], others: Others) -> dict[str, Gone]:
    """Return what was retired of all that is needed and not there."""
    missing = {
        link.id for entry in entries.values() for link in entry.depends_on if link.id not in entries
    }
    return {one.id: one for one in others.gone() if one.id in missing} if missing else {}
