"""Large lockfiles of every format, in the layout of the programs that write them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from git_knowl.anchors.lockfiles.listing import Gone, Resolved
from git_knowl.anchors.lockfiles.table import LOCKFILES, resolve

HASH = "sha512-" + "A" * 86 + "=="


def large_pnpm(count: int) -> str:
    packages = "".join(
        f"  package-{n}@1.0.{n}:\n    resolution: {{integrity: {HASH}}}\n"
        "    engines: {node: '>=6'}\n\n"
        for n in range(count)
    )
    return f"lockfileVersion: '9.0'\n\npackages:\n\n{packages}"


def large_npm(count: int) -> str:
    packages = {
        f"node_modules/package-{n}": {"version": f"1.0.{n}", "integrity": HASH, "license": "MIT"}
        for n in range(count)
    }
    return json.dumps({"lockfileVersion": 3, "packages": packages}, indent=2)


def large_yarn(count: int) -> str:
    return "# yarn lockfile v1\n\n\n" + "".join(
        f'package-{n}@^1.0.0:\n  version "1.0.{n}"\n'
        f'  resolved "https://registry.example/package-{n}.tgz"\n  integrity {HASH}\n\n'
        for n in range(count)
    )


def large_berry(count: int) -> str:
    return "__metadata:\n  version: 8\n  cacheKey: 10c0\n\n" + "".join(
        f'"package-{n}@npm:^1.0.0":\n  version: 1.0.{n}\n  resolution: "package-{n}@npm:1.0.{n}"\n'
        f"  checksum: 10c0/{n:0128x}\n  languageName: node\n  linkType: hard\n\n"
        for n in range(count)
    )


def large_uv(count: int) -> str:
    return "version = 1\n\n" + "".join(
        f'[[package]]\nname = "package-{n}"\nversion = "1.0.{n}"\n'
        'source = { registry = "https://registry.example/simple" }\n'
        f'sdist = {{ url = "https://registry.example/p{n}.tar.gz", hash = "sha256:{n:064x}" }}\n\n'
        for n in range(count)
    )


def large_requirements(count: int) -> str:
    return "".join(
        f"package-{n}==1.0.{n} \\\n    --hash=sha256:{n:064x} \\\n    --hash=sha256:{n + 1:064x}\n"
        for n in range(count)
    )


def large_npm_1(count: int) -> str:
    packages = {
        f"package-{n}": {"version": f"1.0.{n}", "integrity": HASH, "requires": {"ms": "2.0.0"}}
        for n in range(count)
    }
    return json.dumps({"lockfileVersion": 1, "dependencies": packages}, indent=2)


def large_bun(count: int) -> str:
    packages = "".join(
        f'    "package-{n}": ["package-{n}@1.0.{n}", "", {{}}, "{HASH}"],\n\n' for n in range(count)
    )
    return f'{{\n  "lockfileVersion": 1,\n  "packages": {{\n{packages}  }}\n}}\n'


def large_poetry(count: int) -> str:
    packages = "".join(
        f'[[package]]\nname = "package-{n}"\nversion = "1.0.{n}"\noptional = false\n'
        f'files = [\n    {{file = "p{n}.tar.gz", hash = "sha256:{n:064x}"}},\n]\n\n'
        for n in range(count)
    )
    return f'{packages}[metadata]\nlock-version = "2.1"\n'


def large_pdm(count: int) -> str:
    return '[metadata]\nlock_version = "4.5.0"\n\n' + "".join(
        f'[[package]]\nname = "package-{n}"\nversion = "1.0.{n}"\nsummary = ""\n'
        f'files = [\n    {{file = "p{n}.tar.gz", hash = "sha256:{n:064x}"}},\n]\n\n'
        for n in range(count)
    )


def large_pylock(count: int) -> str:
    return 'lock-version = "1.0"\n\n' + "".join(
        f'[[packages]]\nname = "package-{n}"\nversion = "1.0.{n}"\n\n[[packages.wheels]]\n'
        f'name = "p{n}.whl"\n\n[packages.wheels.hashes]\nsha256 = "{n:064x}"\n\n'
        for n in range(count)
    )


def large_pipfile(count: int) -> str:
    packages = {
        f"package-{n}": {"hashes": [f"sha256:{n:064x}"], "version": f"==1.0.{n}"}
        for n in range(count)
    }
    return json.dumps({"_meta": {"pipfile-spec": 6}, "default": packages}, indent=4)


def large_cargo(count: int) -> str:
    return "version = 4\n\n" + "".join(
        f'[[package]]\nname = "package-{n}"\nversion = "1.0.{n}"\n'
        f'source = "registry+https://registry.example/index"\nchecksum = "{n:064x}"\n\n'
        for n in range(count)
    )


def large_go(count: int) -> str:
    modules = "".join(f"\tgit.example/org/package-{n} v1.0.{n} // indirect\n" for n in range(count))
    return f"module git.example/app\n\nrequire (\n{modules})\n"


def large_bundler(count: int) -> str:
    specs = "".join(f"    package-{n} (1.0.{n})\n      rake (>= 1.{n})\n" for n in range(count))
    checksums = "".join(f"  package-{n} (1.0.{n}) sha256={n:064x}\n" for n in range(count))
    return f"GEM\n  remote: https://registry.example/\n  specs:\n{specs}\nCHECKSUMS\n{checksums}"


def large_composer(count: int) -> str:
    packages = [
        {"name": f"org/package-{n}", "version": f"1.0.{n}", "source": {"reference": f"{n:040x}"}}
        for n in range(count)
    ]
    return json.dumps({"packages": packages, "packages-dev": []}, indent=4)


def large_mix(count: int) -> str:
    return (
        "%{\n"
        + "".join(
            f'  "package-{n}": {{:hex, :"package-{n}", "1.0.{n}", "{n:064x}", [:mix], [], "hexpm", '
            f'"{n:064x}"}},\n'
            for n in range(count)
        )
        + "}\n"
    )


def large_pub(count: int) -> str:
    return "packages:\n" + "".join(
        f"  package_{n}:\n    dependency: transitive\n    description:\n      name: package_{n}\n"
        f'      sha256: "{n:064x}"\n    source: hosted\n    version: "1.0.{n}"\n'
        for n in range(count)
    )


def large_nuget(count: int) -> str:
    packages = {
        f"Package-{n}": {"type": "Transitive", "resolved": f"1.0.{n}", "contentHash": HASH[7:]}
        for n in range(count)
    }
    return json.dumps({"version": 1, "dependencies": {"net8.0": packages}}, indent=2)


def large_gradle(count: int) -> str:
    return "# locked\n" + "".join(
        f"org:package-{n}:1.0.{n}=compileClasspath,runtimeClasspath\n" for n in range(count)
    )


def large_maven(count: int) -> str:
    dependencies = "".join(
        f"<dependency>\n  <groupId>org</groupId>\n  <artifactId>package-{n}</artifactId>\n"
        f"  <version>1.0.{n}</version>\n</dependency>\n"
        for n in range(count)
    )
    return f"<project>\n<dependencies>\n{dependencies}</dependencies>\n</project>\n"


def large_swift(count: int) -> str:
    pins = [
        {
            "kind": "remoteSourceControl",
            "location": f"https://git.example/org/package-{n}.git",
            "state": {"revision": f"{n:040x}", "version": f"1.0.{n}"},
        }
        for n in range(count)
    ]
    return json.dumps({"pins": pins, "version": 2}, indent=2)


LARGE: list[tuple[str, str, Callable[[int], str], int]] = [
    ("package-lock.json", "pkg:npm/package-", large_npm, 2_700),
    ("npm-shrinkwrap.json", "pkg:npm/package-", large_npm_1, 2_700),
    ("pnpm-lock.yaml", "pkg:npm/package-", large_pnpm, 3_500),
    ("yarn.lock", "pkg:npm/package-", large_yarn, 2_700),
    ("yarn.lock", "pkg:npm/package-", large_berry, 1_900),
    ("bun.lock", "pkg:npm/package-", large_bun, 4_000),
    ("uv.lock", "pkg:pypi/package-", large_uv, 2_100),
    ("poetry.lock", "pkg:pypi/package-", large_poetry, 3_000),
    ("pdm.lock", "pkg:pypi/package-", large_pdm, 3_000),
    ("Pipfile.lock", "pkg:pypi/package-", large_pipfile, 3_000),
    ("pylock.toml", "pkg:pypi/package-", large_pylock, 2_800),
    ("pylock.dev.toml", "pkg:pypi/package-", large_pylock, 2_800),
    ("requirements.txt", "pkg:pypi/package-", large_requirements, 2_800),
    ("Cargo.lock", "pkg:cargo/package-", large_cargo, 2_900),
    ("go.mod", "pkg:golang/git.example/org/package-", large_go, 10_500),
    ("Gemfile.lock", "pkg:gem/package-", large_bundler, 3_700),
    ("gems.locked", "pkg:gem/package-", large_bundler, 3_700),
    ("composer.lock", "pkg:composer/org/package-", large_composer, 2_800),
    ("mix.lock", "pkg:hex/package-", large_mix, 2_500),
    ("pubspec.lock", "pkg:pub/package_", large_pub, 2_800),
    ("packages.lock.json", "pkg:nuget/package-", large_nuget, 2_700),
    ("packages.app.lock.json", "pkg:nuget/package-", large_nuget, 2_700),
    ("gradle.lockfile", "pkg:maven/org/package-", large_gradle, 9_000),
    ("buildscript-gradle.lockfile", "pkg:maven/org/package-", large_gradle, 9_000),
    ("settings-gradle.lockfile", "pkg:maven/org/package-", large_gradle, 9_000),
    ("pom.xml", "pkg:maven/org/package-", large_maven, 4_200),
    ("Package.resolved", "pkg:swift/git.example/org/package-", large_swift, 2_200),
]


@pytest.mark.parametrize(("path", "prefix", "write", "count"), LARGE)
def test_a_lockfile_of_half_a_megabyte_is_read_to_its_end(path, prefix, write, count) -> None:
    content = write(count).encode()
    assert len(content) > 500_000

    for n in (0, 1, count // 2, count - 1):
        found = resolve(path, content, f"{prefix}{n}")
        assert isinstance(found, Resolved)
        assert found.version.removeprefix("v") == f"1.0.{n}"
    assert resolve(path, content, f"{prefix}x") == Gone()
    assert resolve(path, content, f"{prefix}{count}") == Gone()


def test_no_format_is_left_out() -> None:
    assert len({path for path, *_ in LARGE}) == len(LOCKFILES)
