"""Scanning a lockfile by its layout gives what a full parse of the same text gives."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.anchors.lockfiles import (
    bun,
    cargo,
    pdm,
    pnpm,
    poetry,
    pub,
    pylock,
    uv,
    yarn_berry,
)
from git_knowl.anchors.lockfiles.listing import Listing
from tests.support.lockfiles import DATA

Pairs = Iterator[tuple[str, str | None]]

NAMES = st.from_regex(r"[a-z][a-z0-9]{0,3}([-_.][a-z0-9]{1,3}){0,2}", fullmatch=True)
SCOPED = st.one_of(NAMES, st.tuples(NAMES, NAMES).map(lambda pair: f"@{pair[0]}/{pair[1]}"))
VERSIONS = st.from_regex(
    r"[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,2}(-rc\.[0-9]|\+[a-z0-9]{2})?", fullmatch=True
)
HASHES = st.text("0123456789abcdef", min_size=64, max_size=64)
COMMITS = st.text("0123456789abcdef", min_size=40, max_size=40)
TEXTS = st.text("ab \\\"'[]{}#:,=@\té", max_size=12)
KINDS = st.sampled_from(["registry", "git", "folder"])
PACKAGES = st.lists(st.tuples(NAMES, VERSIONS, KINDS, HASHES, COMMITS, TEXTS), max_size=6)


# --- what a full parse says ------------------------------------------------------------------


def parsed_uv(text: str) -> Pairs:
    for package in tomllib.loads(text).get("package", []):
        if not package["source"].keys() & {"virtual", "editable", "directory"}:
            yield package["name"], package.get("version")


def parsed_poetry(text: str) -> Pairs:
    for package in tomllib.loads(text).get("package", []):
        if package.get("source", {}).get("type") != "directory":
            yield package["name"], package["version"]


def parsed_pdm(text: str) -> Pairs:
    for package in tomllib.loads(text).get("package", []):
        if "path" not in package or package.get("files"):
            yield package["name"], package.get("version")


def parsed_cargo(text: str) -> Pairs:
    for package in tomllib.loads(text)["package"]:
        if "source" in package:
            yield package["name"], package["version"]


def parsed_pylock(text: str) -> Pairs:
    for package in tomllib.loads(text)["packages"]:
        if "directory" not in package:
            commit = package.get("vcs", {}).get("commit-id")
            yield package["name"], package.get("version", commit)


def parsed_pnpm(text: str) -> Pairs:
    for key, package in (yaml.safe_load(text).get("packages") or {}).items():
        name, _, version = key.partition("(")[0].rpartition("@")
        yield name, package.get("version", version)


def parsed_berry(text: str) -> Pairs:
    stanzas = yaml.load(text, yaml.BaseLoader)  # noqa: S506 - it makes texts of all scalars
    for stanza in stanzas.values():
        resolution = stanza.get("resolution", "")
        name, _, reference = resolution[1:].partition("@")
        if reference and not reference.startswith("workspace:") and "builtin<" not in reference:
            yield resolution[0] + name, stanza["version"]


def parsed_pub(text: str) -> Pairs:
    for name, package in yaml.safe_load(text)["packages"].items():
        if package["source"] != "path":
            yield name, None if package["source"] == "sdk" else package["version"]


def parsed_bun(text: str) -> Pairs:
    flat = "\n".join(line.strip() for line in text.splitlines() if line.strip())
    for place in json.loads(flat.replace(",\n}", "\n}").replace(",\n]", "\n]"))[
        "packages"
    ].values():
        name, _, reference = place[0][1:].partition("@")
        if not reference.startswith("workspace:"):
            yield place[0][0] + name, reference.rpartition("#")[2]


def same(text: str, scan: Callable[[str], Listing], parsed: Callable[[str], Pairs]) -> None:
    found = scan(text).packages

    assert [(name, one.version) for name, one in found] == list(parsed(text))


# --- real lockfiles --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lockfile", "scan", "parsed"),
    [
        ("uv/uv.lock", uv.scan, parsed_uv),
        ("poetry/poetry.lock", poetry.scan, parsed_poetry),
        ("pdm/pdm.lock", pdm.scan, parsed_pdm),
        ("cargo/Cargo.lock", cargo.scan, parsed_cargo),
        ("pylock-uv/pylock.uv.toml", pylock.scan, parsed_pylock),
        ("pylock-pip/pylock.toml", pylock.scan, parsed_pylock),
        ("pnpm-9/pnpm-lock.yaml", pnpm.scan, parsed_pnpm),
        ("pnpm-9-git/pnpm-lock.yaml", pnpm.scan, parsed_pnpm),
        ("pnpm-9-catalog/pnpm-lock.yaml", pnpm.scan, parsed_pnpm),
        ("yarn-3/yarn.lock", yarn_berry.scan, parsed_berry),
        ("yarn-berry/yarn.lock", yarn_berry.scan, parsed_berry),
        ("pub/pubspec.lock", pub.scan, parsed_pub),
        ("bun/bun.lock", bun.scan, parsed_bun),
        ("bun-git/bun.lock", bun.scan, parsed_bun),
    ],
)
def test_a_real_lockfile_says_the_same(lockfile, scan, parsed) -> None:
    same((DATA / lockfile).read_text(encoding="utf-8"), scan, parsed)


# --- made-up ones ----------------------------------------------------------------------------


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\t", "\\t")


@given(PACKAGES)
def test_any_uv_lock_says_the_same(packages) -> None:
    sources = {
        "registry": '{ registry = "https://registry.example/simple" }',
        "git": '{ git = "https://git.example/x?rev=main#%s" }',
        "folder": '{ editable = "." }',
    }
    blocks = "".join(
        f'[[package]]\nname = "{name}"\nversion = "{version}"\n'
        f"source = {sources[kind].replace('%s', commit)}\n"
        f'dependencies = [\n    {{ name = "dep", marker = {quoted(text)} }},\n]\n'
        f'wheels = [\n    {{ url = "u", hash = "sha256:{digest}" }},\n]\n\n'
        f"[package.metadata]\nrequires-dist = [{{ name = {quoted(text)} }}]\n\n"
        for name, version, kind, digest, commit, text in packages
    )

    same(f'version = 1\nrequires-python = ">=3.11"\n\n{blocks}', uv.scan, parsed_uv)


@given(PACKAGES)
def test_any_poetry_lock_says_the_same(packages) -> None:
    sources = {
        "registry": "",
        "git": '[package.source]\ntype = "git"\nresolved_reference = "%s"\n\n',
        "folder": '[package.source]\ntype = "directory"\nurl = "x"\n\n',
    }
    blocks = "".join(
        f'[[package]]\nname = "{name}"\nversion = "{version}"\ndescription = {quoted(text)}\n'
        f'files = [\n    {{file = "x.whl", hash = "sha256:{digest}"}},\n]\n\n'
        f"[package.dependencies]\ndep = {quoted(text)}\n\n{sources[kind].replace('%s', commit)}"
        for name, version, kind, digest, commit, text in packages
    )

    same(f'{blocks}[metadata]\nlock-version = "2.1"\n', poetry.scan, parsed_poetry)


@given(PACKAGES)
def test_any_pdm_lock_says_the_same(packages) -> None:
    sources = {"registry": "", "git": 'git = "u"\nrevision = "%s"\n', "folder": 'path = "./x"\n'}
    blocks = "".join(
        f'\n[[package]]\nname = "{name}"\nversion = "{version}"\n'
        f"{sources[kind].replace('%s', commit)}summary = {quoted(text)}\n"
        f"dependencies = [\n    {quoted(text)},\n]\n"
        + (
            ""
            if kind == "folder"
            else f'files = [\n    {{file = "x", hash = "sha256:{digest}"}},\n]\n'
        )
        for name, version, kind, digest, commit, text in packages
    )

    same(f'[metadata]\nlock_version = "4.5.0"\n{blocks}', pdm.scan, parsed_pdm)


@given(PACKAGES.filter(bool))
def test_any_cargo_lock_says_the_same(packages) -> None:
    sources = {"registry": 'source = "registry+r"\n', "git": 'source = "git+u#%s"\n', "folder": ""}
    blocks = "".join(
        f'[[package]]\nname = "{name}"\nversion = "{version}"\n'
        f'{sources[kind].replace("%s", commit)}dependencies = [\n "dep",\n "other 1.0",\n]\n\n'
        for name, version, kind, _, commit, _ in packages
    )

    unused = '[[patch.unused]]\nname = "x"\nversion = "1"\n'

    same(f"version = 4\n\n{blocks}{unused}", cargo.scan, parsed_cargo)


@given(PACKAGES.filter(bool), st.randoms())
def test_any_pylock_says_the_same(packages, random) -> None:
    def block(name: str, version: str, kind: str, digest: str, commit: str, text: str) -> str:
        keys = [f'name = "{name}"', f"marker = {quoted(text)}"]
        tables = [f'[[packages.wheels]]\nname = "w"\nhashes = {{sha256 = "{digest}"}}']
        origin = {
            "registry": [f'sdist = {{url = "u", hashes = {{sha256 = "{digest}"}}}}'],
            "git": [f'vcs = {{type = "git", url = "u", commit-id = "{commit}"}}'],
            "folder": ['directory = {path = "."}'],
        }[kind]
        keys.extend(origin if kind == "folder" else [*origin, f'version = "{version}"'])
        if kind == "git" and random.random() < 0.5:
            keys.pop()
        random.shuffle(keys)
        tables.append(f"[packages.tool.x]\nversion = {quoted(text)}\nname = {quoted(text)}")
        random.shuffle(tables)
        return "\n".join(["[[packages]]", *keys, "", *(tables if kind == "registry" else ()), ""])

    text = "\n".join(['lock-version = "1.0"', *(block(*package) for package in packages)])
    same(text, pylock.scan, parsed_pylock)


@given(st.dictionaries(SCOPED, st.tuples(VERSIONS, HASHES, NAMES, TEXTS), max_size=6))
def test_any_pnpm_lock_says_the_same(packages) -> None:
    def key(name: str, version: str) -> str:
        return f"'{name}@{version}'" if name.startswith("@") else f"{name}@{version}"

    blocks = "".join(
        f"\n  {key(name, version)}:\n    resolution: {{integrity: sha512-{digest}==}}\n"
        f"    engines: {{node: {quoted(text)}}}\n    peerDependencies:\n      {peer}: '*'\n"
        for name, (version, digest, peer, text) in packages.items()
    )
    text = f"lockfileVersion: '9.0'\n\npackages:\n{blocks}\nsnapshots:\n\n  x@1.0.0: {{}}\n"
    same(text, pnpm.scan, parsed_pnpm)


@given(st.dictionaries(SCOPED, st.tuples(VERSIONS, HASHES, NAMES, st.booleans()), max_size=6))
def test_any_yarn_lock_of_yarn_2_and_later_says_the_same(packages) -> None:
    stanzas = "".join(
        f'"{name}@npm:^{version}, {name}@npm:*":\n  version: {version}\n'
        f'  resolution: "{name}@{"workspace:x" if is_own else f"npm:{version}"}"\n'
        f"  dependencies:\n    {dependency}: npm:^1.0.0\n  checksum: 10c0/{digest}\n"
        "  languageName: node\n  linkType: hard\n\n"
        for name, (version, digest, dependency, is_own) in packages.items()
    )
    head = "# x\n\n__metadata:\n  version: 8\n  cacheKey: 10c0\n\n"

    same(f"{head}{stanzas}", yarn_berry.scan, parsed_berry)


@given(st.dictionaries(NAMES, st.tuples(VERSIONS, HASHES, KINDS, TEXTS), min_size=1, max_size=6))
def test_any_pubspec_lock_says_the_same(packages) -> None:
    sources = {"registry": "hosted", "git": "git", "folder": "path"}
    blocks = "".join(
        f'  "{name}":\n    dependency: "direct main"\n    description:\n      name: "{name}"\n'
        f'      sha256: "{digest}"\n      url: {quoted(text)}\n    source: {sources[kind]}\n'
        f'    version: "{version}"\n'
        for name, (version, digest, kind, text) in packages.items()
    )
    same(f'# Generated by pub\npackages:\n{blocks}sdks:\n  dart: ">=3.0.0"\n', pub.scan, parsed_pub)


def as_bun_writes(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


@given(st.dictionaries(SCOPED, st.tuples(VERSIONS, HASHES, COMMITS, TEXTS, KINDS), max_size=6))
def test_any_bun_lock_says_the_same(packages) -> None:
    def line(name: str, version: str, digest: str, commit: str, text: str, kind: str) -> str:
        record: list[Any] = {
            "registry": [f"{name}@{version}", "", {"bin": {"x": text}}, f"sha512-{digest}=="],
            "git": [f"{name}@git+https://git.example/x#{commit}", {}, commit],
            "folder": [f"{name}@workspace:x"],
        }[kind]
        return f"    {as_bun_writes(name)}: {as_bun_writes(record)},\n\n"

    lines = "".join(line(name, *package) for name, package in packages.items())
    workspaces = '"workspaces": {\n    "": {\n      "name": "app",\n    },\n  }'

    same(
        f'{{\n  "lockfileVersion": 1,\n  {workspaces},\n  "packages": {{\n{lines}  }}\n}}\n',
        bun.scan,
        parsed_bun,
    )
