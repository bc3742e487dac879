"""Lockfiles of the real package managers, and what can be wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.anchors.lockfiles import purl
from git_knowl.anchors.lockfiles.listing import Gone, Resolved, Unreadable
from git_knowl.anchors.lockfiles.table import LOCKFILES, locate, names_for, resolve
from tests.support.lockfiles import DATA, integrity, look_up, reason, version

JAVASCRIPT = [
    "npm-3/package-lock.json",
    "npm-2/npm-shrinkwrap.json",
    "npm-1/package-lock.json",
    "bun/bun.lock",
    "pnpm-5/pnpm-lock.yaml",
    "pnpm-6/pnpm-lock.yaml",
    "pnpm-9/pnpm-lock.yaml",
    "yarn-1/yarn.lock",
    "yarn-3/yarn.lock",
    "yarn-berry/yarn.lock",
]
UNTOLD = ["npm-1/package-lock.json", "yarn-1/yarn.lock"]  # what the project itself asks for
FORKED = [
    "uv/uv.lock",
    "poetry/poetry.lock",
    "requirements/requirements.txt",
    "pylock-uv/pylock.uv.toml",
]
PYTHON = [*FORKED, "pdm/pdm.lock", "pipenv/Pipfile.lock", "pylock-pip/pylock.toml"]
ONE_EACH = {
    **dict.fromkeys(JAVASCRIPT, "npm/zod"),
    **dict.fromkeys(PYTHON, "pypi/idna"),
    "cargo/Cargo.lock": "cargo/quickcheck",
    "go/go.mod": "golang/gopkg.in/yaml.v3",
    "bundler/Gemfile.lock": "gem/rack",
    "bundler-checksums/gems.locked": "gem/rack",
    "composer/composer.lock": "composer/acme/alpha",
    "mix/mix.lock": "hex/gd",
    "mix-hex/mix.lock": "hex/cowboy",
    "pub/pubspec.lock": "pub/collection",
    "nuget/packages.lock.json": "nuget/Serilog",
    "gradle/gradle.lockfile": "maven/junit/junit",
    "maven/pom.xml": "maven/com.google.guava/guava",
    "swift-1/Package.resolved": "swift/git.example/Alamofire/Alamofire",
    "swift-2/Package.resolved": "swift/git.example/Alamofire/Alamofire",
    "swift-3/Package.resolved": "swift/git.example/Alamofire/Alamofire",
}
MS_2_0_0 = "sha512-Tpp60P6IUJDTuOq"
IDNA_SDIST = "sha256:9ecdbbd083b06798ae1e86adcbfe8ab1479cf864e4ee30fe4e46a003d12491ca"
COMMIT = "git:da63b115499568d0a21babdb5823e00f400141fa"


def type_of(lockfile: str) -> str:
    return next(kind for kind in purl.SPELLINGS if locate(kind, [lockfile]))


class TestEveryJavaScriptLockfile:
    @pytest.mark.parametrize("lockfile", JAVASCRIPT)
    @pytest.mark.parametrize(
        ("package", "expected"),
        [
            ("npm/zod", "3.23.8"),
            ("npm/zod-to-json-schema", "3.23.0"),
            ("npm/%40sindresorhus/is", "4.6.0"),
            ("npm/@sindresorhus/is", "4.6.0"),
            ("npm/isarray", "2.0.5"),
            ("npm/resolve", "1.22.8"),
            ("npm/function-bind", "1.1.2"),
        ],
    )
    def test_gives_the_version(self, lockfile: str, package: str, expected: str) -> None:
        assert version(lockfile, package) == expected

    @pytest.mark.parametrize("lockfile", JAVASCRIPT)
    @pytest.mark.parametrize("name", ["is", "m", "%40sindresorhus/i", "array", "humanize", "tool"])
    def test_does_not_take_part_of_a_name_nor_a_workspace_for_a_package(
        self, lockfile: str, name: str
    ) -> None:
        assert isinstance(look_up(lockfile, f"npm/{name}"), Gone)

    @pytest.mark.parametrize("lockfile", JAVASCRIPT)
    def test_names_an_alias_by_its_real_package(self, lockfile: str) -> None:
        assert look_up(lockfile, "npm/ms2") == Gone()
        assert "2.1.1" in version(lockfile, "npm/ms")

    @pytest.mark.parametrize("lockfile", [path for path in JAVASCRIPT if path not in UNTOLD])
    def test_gives_the_versions_the_project_asks_for_where_that_is_told(
        self, lockfile: str
    ) -> None:
        assert look_up(lockfile, "npm/ms") == Resolved("2.0.0, 2.1.1, 2.1.3")

    @pytest.mark.parametrize("lockfile", JAVASCRIPT)
    def test_gives_an_integrity_for_a_single_version(self, lockfile: str) -> None:
        hashes = integrity(lockfile, "npm/zod")

        assert hashes is not None
        assert hashes.startswith(("sha512-XBx9AXhX", "8/15949ff8", "10c0/8f14c87d"))


class TestEveryPythonLockfile:
    @pytest.mark.parametrize("lockfile", PYTHON)
    @pytest.mark.parametrize("name", ["jaraco.functools", "Jaraco_Functools", "jaraco-functools"])
    def test_takes_equal_names_for_equal(self, lockfile: str, name: str) -> None:
        assert version(lockfile, f"pypi/{name}") == "4.0.0"

    @pytest.mark.parametrize("lockfile", FORKED)
    def test_gives_all_versions_of_a_forked_package(self, lockfile: str) -> None:
        assert look_up(lockfile, "pypi/attrs") == Resolved("22.2.0, 23.2.0")

    @pytest.mark.parametrize("lockfile", PYTHON)
    @pytest.mark.parametrize("name", ["attr", "functools", "itertools", "app"])
    def test_does_not_take_part_of_a_name_nor_the_project_for_a_package(
        self, lockfile: str, name: str
    ) -> None:
        assert isinstance(look_up(lockfile, f"pypi/{name}"), Gone)

    @pytest.mark.parametrize(
        "lockfile", ["uv/uv.lock", "poetry/poetry.lock", "pdm/pdm.lock", "pylock-uv/pylock.uv.toml"]
    )
    def test_takes_the_hash_of_the_source_archive(self, lockfile: str) -> None:
        assert look_up(lockfile, "pypi/idna") == Resolved("3.6", IDNA_SDIST)


class TestNpm:
    def test_prefers_what_the_project_asks_for_over_nested_copies(self) -> None:
        lock = {
            "lockfileVersion": 3,
            "packages": {
                "": {"dependencies": {"ms": "2.0.0"}, "peerDependencies": {"not-there": "1"}},
                "node_modules/ms": {"version": "2.0.0", "integrity": MS_2_0_0},
                "node_modules/debug/node_modules/ms": {"version": "2.1.2"},
            },
        }

        found = resolve("package-lock.json", json.dumps(lock).encode(), "pkg:npm/ms")

        assert found == Resolved("2.0.0", MS_2_0_0)

    def test_gives_every_copy_of_a_package_nobody_asked_for(self) -> None:
        lock = {
            "lockfileVersion": 3,
            "packages": {
                "": {"dependencies": None},
                "node_modules/ms": {"version": "2.0.0"},
                "node_modules/debug/node_modules/ms": {"version": "2.1.2"},
                "node_modules/odd": "not an object",
            },
        }

        found = resolve("package-lock.json", json.dumps(lock).encode(), "pkg:npm/ms")

        assert found == Resolved("2.0.0, 2.1.2")

    def test_pins_a_git_package_by_its_commit(self) -> None:
        assert look_up("npm-3-git/package-lock.json", "npm/gd") == Resolved("2.4.0", COMMIT)

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            (
                '{"lockfileVersion": 4, "packages": {}}',
                "expected lockfileVersion 1 or 2 or 3, found 4",
            ),
            ("{}", "expected lockfileVersion 1 or 2 or 3, found none"),
            ('{"lockfileVersion": 3}', "expected an object under 'packages'"),
            ('{"lockfileVersion": 3, "pack', "not valid JSON"),
            ("[" * 100_000, "not valid JSON"),
            ("[]", "expected a JSON object"),
        ],
    )
    def test_says_why_a_file_cannot_be_read(self, content: str, expected: str) -> None:
        assert expected in reason("package-lock.json", content, "npm/ms")

    def test_reads_nested_copies_aliases_and_git_packages_of_version_1(self) -> None:
        sha = "0123456789" * 4
        lock = {
            "lockfileVersion": 1,
            "dependencies": {
                "gd": {"version": f"git+ssh://git@git.example/org/gd.git#{sha}", "from": "gd"},
                "own": {"version": "npm:@scope/real@1.0.0", "integrity": "sha512-AA=="},
                "tool": {
                    "version": "file:packages/tool",
                    "dependencies": {"deep": {"version": "2.0.0", "bundled": True}},
                },
                "empty": {},
            },
        }
        content = json.dumps(lock).encode()

        def look(name: str):
            return resolve("package-lock.json", content, f"pkg:npm/{name}")

        assert look("gd") == Resolved(sha)
        assert look("%40scope/real") == Resolved("1.0.0", "sha512-AA==")
        assert look("deep") == Resolved("2.0.0")
        assert [look(name) for name in ("own", "empty")] == [Gone()] * 2
        assert look("tool") == Gone(is_own=True)

    def test_reads_copies_of_version_1_however_deep_they_are(self) -> None:
        deep = '{"a": {"version": "1.0.0", "dependencies": ' * 300 + "{}" + "}}" * 300
        content = f'{{"lockfileVersion": 1, "dependencies": {deep}}}'.encode()

        assert resolve("package-lock.json", content, "pkg:npm/a") == Resolved("1.0.0")


class TestBun:
    def test_gives_the_commit_of_a_git_package_as_its_version(self) -> None:
        commit = "b849c1b74ada58039db63b6f7afb5743871530da"

        assert look_up("bun-git/bun.lock", "npm/gd") == Resolved(commit)

    def test_prefers_the_copy_of_a_workspace_to_that_at_the_top(self) -> None:
        content = (
            '{\n  "lockfileVersion": 1,\n  "workspaces": {\n'
            '    "": { "name": "app" },\n'
            '    "tool": { "name": "tool", "dependencies": { "ms": "2.1.3" } },\n  },\n'
            '  "packages": {\n'
            '    "ms": ["ms@2.0.0", "", {}, "sha512-AA=="],\n\n'
            '    "tool": ["tool@workspace:tool"],\n\n'
            '    "tool/ms": ["ms@2.1.3", "", {}, "sha512-BB=="],\n\n'
            '    "odd": "not an array",\n  }\n}\n'
        )

        found = resolve("bun.lock", content.encode(), "pkg:npm/ms")

        assert found == Resolved("2.1.3", "sha512-BB==")

    def test_keeps_commas_inside_of_texts(self) -> None:
        content = '{\n"lockfileVersion": 1,\n"packages": {\n"a": ["a@1, }", "", {}, ""],\n}\n}\n'

        assert resolve("bun.lock", content.encode(), "pkg:npm/a") == Resolved("1, }")

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            ('{"lockfileVersion": 3}', "expected lockfileVersion 0 or 1 or 2, found 3"),
            ('{"lockfileVersion": 1}', "expected an object under 'packages'"),
            ("\0\0", "not valid JSON"),
        ],
    )
    def test_says_why_a_file_cannot_be_read(self, content: str, expected: str) -> None:
        assert expected in reason("bun.lock", content, "npm/ms")


class TestPnpm:
    def test_reads_catalogs_and_overrides_as_the_project_gets_them(self) -> None:
        lockfile = "pnpm-9-catalog/pnpm-lock.yaml"

        assert version(lockfile, "npm/zod") == "3.23.8"
        assert version(lockfile, "npm/isarray") == "1.0.0, 2.0.5"
        assert version(lockfile, "npm/ms") == "2.0.0"
        assert look_up(lockfile, "npm/app2") == Gone()

    def test_takes_the_hash_of_a_patch_of_the_project(self) -> None:
        patch = "7394ff875e3e4c86f4eae32bd5c5cd20effed983886b90d3d69d119088cd0118"

        found = look_up("pnpm-9-catalog/pnpm-lock.yaml", "npm/debug")

        assert found == Resolved("4.3.4", f"patch:{patch}")

    @pytest.mark.parametrize("key", ["'@scope/a@1.0.0'", "'@scope/a'"])
    def test_reads_patches_of_older_layouts(self, key: str) -> None:
        content = (
            f"lockfileVersion: '6.0'\n\npatchedDependencies:\n  {key}:\n    hash: abc1\n"
            "    path: patches/a.patch\n\npackages:\n\n"
            "  /@scope/a@1.0.0(patch_hash=abc1):\n    resolution: {integrity: sha512-AA==}\n"
        )

        found = resolve("pnpm-lock.yaml", content.encode(), "pkg:npm/%40scope/a")

        assert found == Resolved("1.0.0", "patch:abc1")

    def test_reads_a_project_without_workspaces(self) -> None:
        assert version("pnpm-6-single/pnpm-lock.yaml", "npm/ms") == "2.0.0, 2.1.1"

    def test_pins_a_git_package_by_its_commit(self) -> None:
        assert look_up("pnpm-9-git/pnpm-lock.yaml", "npm/gd") == Resolved("2.4.0", COMMIT)

    def test_reads_name_and_version_of_a_package_from_elsewhere(self) -> None:
        sha = "0123456789" * 4
        content = (
            "lockfileVersion: '6.0'\n\npackages:\n\n"
            f"  '@git.example/org/gd/tar.gz/{sha}':\n"
            f"    resolution: {{tarball: https://git.example/org/gd/tar.gz/{sha}}}\n"
            "    name: gd\n    version: 2.4.0\n    dev: false\n"
        )

        found = resolve("pnpm-lock.yaml", content.encode(), "pkg:npm/gd")

        assert found == Resolved("2.4.0", f"git:{sha}")

    def test_does_not_take_a_package_from_elsewhere_for_what_a_link_leads_to(self) -> None:
        content = (
            "lockfileVersion: '6.0'\n\ndependencies:\n"
            "  tool:\n    specifier: link:../tool\n    version: link:../tool\n"
            "  gd:\n    specifier: 1.0.0\n    version: 1.0.0\n\npackages:\n\n"
            "  /gd@1.0.0:\n    resolution: {integrity: sha512-AA==}\n\n"
            "  git.example/org/gd/00:\n    name: gd\n    version: 2.4.0\n"
        )

        found = resolve("pnpm-lock.yaml", content.encode(), "pkg:npm/gd")

        assert found == Resolved("1.0.0", "sha512-AA==")

    def test_reads_a_key_that_is_too_long_for_one_line(self) -> None:
        content = (
            "lockfileVersion: '6.0'\n\npackages:\n\n"
            "  ? /big@1.0.0(peer-one@1.0.0)(peer-two@2.0.0)\n"
            "  : resolution: {integrity: sha512-AA==}\n    dev: false\n\n"
            "  /next@3.0.0:\n    resolution: {integrity: sha512-BB==}\n"
        )

        found = resolve("pnpm-lock.yaml", content.encode(), "pkg:npm/big")

        assert found == Resolved("1.0.0", "sha512-AA==")

    def test_reads_every_document_of_a_file(self) -> None:
        tools = "---\nlockfileVersion: '9.0'\n\npackages:\n\n  tool@1.0.0:\n    resolution: {}\n"
        content = f"{tools}\n---\n{(DATA / 'pnpm-9/pnpm-lock.yaml').read_text()}"

        assert resolve("pnpm-lock.yaml", content.encode(), "pkg:npm/tool") == Resolved("1.0.0")
        assert resolve("pnpm-lock.yaml", content.encode(), "pkg:npm/isarray") == look_up(
            "pnpm-9/pnpm-lock.yaml", "npm/isarray"
        )

    def test_holds_nothing_when_nothing_is_installed(self) -> None:
        assert resolve("pnpm-lock.yaml", b"lockfileVersion: '9.0'\n", "pkg:npm/ms") == Gone()

    @pytest.mark.parametrize(
        ("content", "found"), [("lockfileVersion: 4\n", "found 4"), ("a: 1\n", "found none")]
    )
    def test_says_which_formats_it_reads(self, content: str, found: str) -> None:
        expected = f"expected lockfileVersion 5 or 6 or 9, {found}"

        assert reason("pnpm-lock.yaml", content, "npm/ms") == expected


class TestYarn:
    def test_gives_every_version_where_nothing_is_told_to_be_direct(self) -> None:
        assert version("yarn-1/yarn.lock", "npm/ms") == "2.0.0, 2.1.1, 2.1.2, 2.1.3"

    def test_pins_a_git_package_by_its_commit(self) -> None:
        assert look_up("yarn-1-git/yarn.lock", "npm/gd") == Resolved("2.4.0", COMMIT)

    def test_reads_the_checksum_of_the_projects_own_patch(self) -> None:
        checksum = integrity("yarn-berry/yarn.lock", "npm/debug")

        assert checksum is not None
        assert checksum.startswith("10c0/a444c5e9")

    @pytest.mark.parametrize(
        ("lockfile", "start"),
        [("yarn-berry/yarn.lock", "10c0/07e179f4"), ("yarn-3/yarn.lock", "8/f8a26958")],
    )
    def test_leaves_out_the_patches_that_yarn_brings_along(self, lockfile: str, start: str) -> None:
        checksum = integrity(lockfile, "npm/resolve")

        assert checksum is not None
        assert checksum.startswith(start)

    def test_reads_an_alias_of_a_scoped_package(self) -> None:
        content = '# yarn lockfile v1\n\n\n"a@npm:@scope/b@^1.0.0", odd:\n  version "1.2.3"\n'

        found = resolve("yarn.lock", content.encode(), "pkg:npm/%40scope/b")

        assert found == Resolved("1.2.3")

    @pytest.mark.parametrize("name", ["JSONStream", "jsonstream"])
    def test_finds_old_packages_with_capitals(self, name: str) -> None:
        content = b'# yarn lockfile v1\n\n\nJSONStream@^1.0.0:\n  version "1.3.5"\n'

        assert resolve("yarn.lock", content, f"pkg:npm/{name}") == Resolved("1.3.5")

    def test_says_which_formats_of_yarn_2_and_later_it_reads(self) -> None:
        content = "__metadata:\n  version: 99\n  cacheKey: 10c0\n"

        assert "expected __metadata.version 4 or" in reason("yarn.lock", content, "npm/ms")
        assert "found 99" in reason("yarn.lock", content, "npm/ms")

    def test_says_what_a_yarn_lock_begins_with(self) -> None:
        assert "found neither" in reason("yarn.lock", "", "npm/ms")


class TestUv:
    def test_takes_the_commit_of_a_git_source(self) -> None:
        sha = "0123456789" * 4
        content = (
            'version = 1\n\n[[package]]\nname = "gd"\nversion = "2.4.0"\n'
            f'source = {{ git = "https://git.example/gd?rev=main#{sha}" }}\n'
        )

        found = resolve("uv.lock", content.encode(), "pkg:pypi/gd")

        assert found == Resolved("2.4.0", f"git:{sha}")

    def test_prefers_the_version_the_project_asks_for(self) -> None:
        content = (
            'version = 1\n\n[[package]]\nname = "app"\nsource = { editable = "." }\n'
            "dependencies = [\n"
            '    { name = "numpy", version = "2.0.0", source = { registry = "r" } },\n]\n'
            '\n[package.metadata]\nrequires-dist = [{ name = "numpy", specifier = ">=1" }]\n'
            '\n[[package]]\nname = "numpy"\nversion = "1.26.4"\nsource = { registry = "r" }\n'
            '\n[[package]]\nname = "numpy"\nversion = "2.0.0"\nsource = { registry = "r" }\n'
        )

        assert resolve("uv.lock", content.encode(), "pkg:pypi/numpy") == Resolved("2.0.0")

    def test_takes_the_hash_of_an_only_wheel_but_not_of_one_among_several(self) -> None:
        head = 'version = 1\n\n[[package]]\nname = "a"\nversion = "1"\nwheels = [\n'
        one, two = (
            f'    {{ url = "https://registry.example/{name}.whl", hash = "sha256:{name}" }},\n'
            for name in ("x", "y")
        )

        assert resolve("uv.lock", f"{head}{one}]\n".encode(), "pkg:pypi/a") == Resolved(
            "1", "sha256:x"
        )
        assert resolve("uv.lock", f"{head}{one}{two}]\n".encode(), "pkg:pypi/a") == Resolved("1")

    def test_says_which_version_it_reads(self) -> None:
        assert reason("uv.lock", "version = 2\n", "pypi/a") == "expected version 1, found 2"


class TestPoetry:
    HEAD = '[metadata]\nlock-version = "2.1"\n\n'

    def test_takes_the_commit_of_a_git_source(self) -> None:
        sha = "0123456789" * 4
        content = (
            '[[package]]\nname = "gd"\nversion = "2.4.0"\nfiles = []\n\n[package.source]\n'
            f'type = "git"\nreference = "main"\nresolved_reference = "{sha}"\n\n{self.HEAD}'
        )

        found = resolve("poetry.lock", content.encode(), "pkg:pypi/gd")

        assert found == Resolved("2.4.0", f"git:{sha}")

    def test_leaves_out_folders_of_the_project(self) -> None:
        content = (
            '[[package]]\nname = "tool"\nversion = "0.3.0"\n\n[package.source]\n'
            f'type = "directory"\nurl = "packages/tool"\n\n{self.HEAD}'
        )

        assert resolve("poetry.lock", content.encode(), "pkg:pypi/tool") == Gone(is_own=True)

    def test_says_that_a_file_has_no_lock_version(self) -> None:
        assert "lock-version 1 or 2, found none" in reason("poetry.lock", "", "pypi/a")


class TestRequirements:
    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("foo==1.2.3", "1.2.3"),
            ("Foo [a,b] == 1.2.3 ; python_version >= '3.8'  # why", "1.2.3"),
            ("foo>=1,==1.2.3", "1.2.3"),
            ("foo===1.2.3", "1.2.3"),
            ("foo (==1.2.3)", "1.2.3"),
            ("foo==1.2.3\\\n    --hash=sha256:aa \\\n    --hash=sha256:bb", "1.2.3"),
            ("foo==1.0 ; python_version < '3.9'\nfoo==2.0 ; python_version >= '3.9'", "1.0, 2.0"),
            ("foo>=1\nfoo==1.2.3", "1.2.3"),
        ],
    )
    def test_reads_exact_pins(self, line: str, expected: str) -> None:
        found = resolve("requirements.txt", line.encode(), "pkg:pypi/foo")

        assert found == Resolved(expected)

    def test_keeps_a_hash_that_stands_alone(self) -> None:
        content = b"foo==1.2.3 --hash=sha256:aa\n"

        assert resolve("requirements.txt", content, "pkg:pypi/foo") == Resolved(
            "1.2.3", "sha256:aa"
        )

    @pytest.mark.parametrize(
        "line",
        [
            "foo",
            "foo>=1.2",
            "foo==1.2.*",
            "foo~=1.2",
            "foo!=1.2",
            "foo @ https://x.example/f==1.whl",
        ],
    )
    def test_cannot_tell_a_version_that_is_not_pinned(self, line: str) -> None:
        assert "without an exact version" in reason("requirements.txt", line, "pypi/foo")

    @pytest.mark.parametrize(
        "line",
        ["# foo==1.2", "foo-bar==1.2", "-e ./foo", "git+https://x.example/foo", "./foo", "--pre"],
    )
    def test_is_not_misled_by_other_lines(self, line: str) -> None:
        assert resolve("requirements.txt", line.encode(), "pkg:pypi/foo") == Gone()
        assert resolve("requirements.txt", line.encode(), "pkg:pypi/git") == Gone()

    @pytest.mark.parametrize("option", ["-r base.txt", "--requirement=base.txt", "-cpins.txt"])
    def test_says_that_included_files_are_not_followed(self, option: str) -> None:
        content = f"{option}\nbar==1\n"

        assert "are not followed" in reason("requirements.txt", content, "pypi/foo")
        assert resolve("requirements.txt", content.encode(), "pkg:pypi/bar") == Resolved("1")


class TestCargo:
    def test_gives_the_versions_the_project_asks_for(self) -> None:
        assert version("cargo/Cargo.lock", "cargo/rand") == "0.7.3, 0.8.5"

    def test_gives_every_version_of_a_crate_nobody_asked_for(self) -> None:
        assert version("cargo/Cargo.lock", "cargo/rand_core") == "0.5.1, 0.6.4"

    def test_takes_names_as_they_are(self) -> None:
        assert look_up("cargo/Cargo.lock", "cargo/rand-core") == Gone()
        assert look_up("cargo/Cargo.lock", "cargo/Rand") == Gone()

    def test_leaves_out_the_projects_own_crates(self) -> None:
        assert look_up("cargo/Cargo.lock", "cargo/tool") == Gone(is_own=True)

    def test_takes_checksum_or_commit(self) -> None:
        assert str(integrity("cargo/Cargo.lock", "cargo/quickcheck")).startswith("sha256:4705dac3")
        assert str(integrity("cargo/Cargo.lock", "cargo/gitc")).startswith("git:aca48dd6")

    def test_reads_the_old_format_without_a_number(self) -> None:
        content = (
            '[[package]]\nname = "app"\nversion = "1.0.0"\ndependencies = [\n'
            ' "rand 0.8.5 (registry+https://registry.example/index)",\n]\n\n'
            '[[package]]\nname = "rand"\nversion = "0.8.5"\nsource = "registry+r"\n\n'
            '[[package]]\nname = "rand"\nversion = "0.7.3"\nsource = "registry+r"\n\n'
            '[metadata]\n"checksum rand 0.8.5 (registry+r)" = "00"\n'
        )

        assert resolve("Cargo.lock", content.encode(), "pkg:cargo/rand") == Resolved("0.8.5")

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            ("", "expected [[package]] blocks"),
            ('version = 9\n[[package]]\nname = "a"\nversion = "1"\n', "found 9"),
        ],
    )
    def test_says_why_a_file_cannot_be_read(self, content: str, expected: str) -> None:
        assert expected in reason("Cargo.lock", content, "cargo/rand")


class TestGoMod:
    @pytest.mark.parametrize(
        ("module", "expected"),
        [
            ("github.com/BurntSushi/toml", "v1.3.2"),
            ("gopkg.in/yaml.v3", "v3.0.1"),
            ("github.com/docker/docker", "v24.0.7+incompatible"),
            ("golang.org/x/sys", "v0.0.0-20240101000000-abcdef012345"),
        ],
    )
    def test_gives_the_required_version(self, module: str, expected: str) -> None:
        assert version("go/go.mod", f"golang/{module}") == expected

    @pytest.mark.parametrize(
        ("module", "expected"),
        [
            ("github.com/old/fork", "github.com/new/fork@v1.2.0"),
            ("github.com/pinned/mod/v2", "v2.0.9"),
            ("example.com/local", "../local"),
        ],
    )
    def test_gives_what_a_module_is_replaced_by(self, module: str, expected: str) -> None:
        assert version("go/go.mod", f"golang/{module}") == expected

    def test_leaves_a_replacement_of_another_version_alone(self) -> None:
        assert version("go/go.mod", "golang/github.com/google/uuid") == "v1.6.0"

    def test_does_not_take_part_of_a_path_for_a_module(self) -> None:
        assert look_up("go/go.mod", "golang/github.com/pinned/mod") == Gone()
        assert look_up("go/go.mod", "golang/github.com/burntsushi/toml") == Gone()

    def test_says_that_the_module_line_is_missing(self) -> None:
        assert "expected a module line" in reason("go.mod", "require a.b/c v1\n", "golang/a.b/c")


class TestOwn:
    """A folder of the project is no evidence, and is told from a package that is not there."""

    @pytest.mark.parametrize(
        ("lockfile", "package"),
        [
            ("npm-1/package-lock.json", "npm/tool"),
            ("npm-2/npm-shrinkwrap.json", "npm/tool"),
            ("npm-3/package-lock.json", "npm/tool"),
            ("npm-3/package-lock.json", "npm/app"),
            ("bun/bun.lock", "npm/tool"),
            ("bun/bun.lock", "npm/app"),
            ("yarn-3/yarn.lock", "npm/tool"),
            ("yarn-berry/yarn.lock", "npm/tool"),
            ("uv/uv.lock", "pypi/app"),
            ("pipenv/Pipfile.lock", "pypi/tool"),
            ("pdm/pdm.lock", "pypi/tool"),
            ("pylock-pip/pylock.toml", "pypi/tool"),
            ("cargo/Cargo.lock", "cargo/tool"),
            ("go/go.mod", "golang/example.com/app"),
            ("bundler/Gemfile.lock", "gem/tool"),
            ("composer/composer.lock", "composer/acme/tool"),
            ("pub/pubspec.lock", "pub/tool"),
            ("nuget/packages.lock.json", "nuget/Shop.Tool"),
            ("maven/pom.xml", "maven/org.example.shop/shop"),
        ],
    )
    def test_is_named_in_the_lockfile(self, lockfile: str, package: str) -> None:
        assert look_up(lockfile, package) == Gone(is_own=True)
        assert look_up(lockfile, f"{package}s") == Gone()

    @pytest.mark.parametrize(
        "wishes",
        [
            "  tool: link:packages/tool\n",
            "  tool:\n    specifier: workspace:*\n    version: link:packages/tool\n",
        ],
    )
    def test_is_linked_by_pnpm(self, wishes: str) -> None:
        content = f"lockfileVersion: '6.0'\n\ndependencies:\n{wishes}\npackages:\n".encode()

        assert resolve("pnpm-lock.yaml", content, "pkg:npm/tool") == Gone(is_own=True)

    def test_takes_its_group_from_the_parent(self) -> None:
        parent = "<parent><groupId>org.example</groupId><artifactId>all</artifactId></parent>"
        content = f"<project>{parent}<artifactId>shop</artifactId></project>".encode()

        found = resolve("pom.xml", content, "pkg:maven/org.example/shop")

        assert found == Gone(is_own=True)

    def test_gives_way_to_a_package_of_its_name_from_elsewhere(self) -> None:
        own = '[[package]]\nname = "a"\nversion = "1.0.0"\n'
        other = '\n[[package]]\nname = "a"\nversion = "2.0.0"\nsource = "registry+x"\n'

        found = resolve("Cargo.lock", (own + other).encode(), "pkg:cargo/a")

        assert found == Resolved("2.0.0")


class TestAnyLockfile:
    def test_stands_among_the_samples(self) -> None:
        names = {Path(path).name for path in ONE_EACH}
        relatives = {"pylock.uv.toml", "requirements.txt"}

        missing = {name for name in LOCKFILES if "*" not in name} - names
        assert missing == {"buildscript-gradle.lockfile", "settings-gradle.lockfile"}
        assert names - LOCKFILES.keys() == relatives

    @pytest.mark.parametrize(("lockfile", "package"), ONE_EACH.items())
    def test_reads_windows_line_ends_and_a_byte_order_mark(
        self, lockfile: str, package: str
    ) -> None:
        content = (DATA / lockfile).read_bytes().replace(b"\n", b"\r\n")

        found = resolve(lockfile, b"\xef\xbb\xbf" + content, f"pkg:{package}")

        assert found == look_up(lockfile, package)
        assert isinstance(found, Resolved)

    @pytest.mark.parametrize(("lockfile", "package"), ONE_EACH.items())
    def test_is_unreadable_in_the_middle_of_a_merge(self, lockfile: str, package: str) -> None:
        content = (DATA / lockfile).read_bytes() + b"\n<<<<<<< ours\n=======\n>>>>>>> theirs\n"

        assert "merge conflict" in reason(lockfile, content, package)

    @pytest.mark.parametrize(("lockfile", "package"), ONE_EACH.items())
    def test_is_not_taken_for_empty_when_it_is(self, lockfile: str, package: str) -> None:
        """A requirements file may be empty; nothing else is."""
        found = resolve(lockfile, b"", f"pkg:{package}")

        assert isinstance(found, Gone if lockfile.endswith("requirements.txt") else Unreadable)

    @pytest.mark.parametrize("lockfile", ONE_EACH)
    def test_does_not_hold_a_package_of_another_name(self, lockfile: str) -> None:
        name = "a/b/c" if type_of(lockfile) == "swift" else "a/b"

        assert look_up(lockfile, f"{type_of(lockfile)}/{name}") == Gone()

    def test_is_unreadable_when_it_is_not_text(self) -> None:
        assert "not UTF-8" in reason("yarn.lock", b"# yarn lockfile v1\xff\xfe", "npm/ms")

    @pytest.mark.parametrize(
        ("path", "package"),
        [
            ("bun.lockb", "npm/ms"),
            ("Pylock.toml", "pypi/a"),
            ("yarn.lock", "pypi/ms"),
            ("src/xgo.mod", "golang/a.b/c"),
        ],
    )
    def test_of_another_kind_is_not_read(self, path: str, package: str) -> None:
        assert "is not a known kind of lockfile" in reason(path, b"", package)

    @pytest.mark.parametrize(
        ("package", "expected"),
        [
            ("conan/zlib", "package type 'conan' is not known"),
            ("npm/ms@2.0.0", "says more than type and name"),
            ("npm", "is not a package URL"),
            ("maven/org.slf4j:slf4j-api", "lacks a part of its name"),
            ("composer/monolog", "lacks a part of its name"),
            ("swift/alamofire", "lacks a part of its name"),
        ],
    )
    def test_says_what_is_wrong_with_a_purl(self, package: str, expected: str) -> None:
        assert expected in reason("yarn.lock", b"# yarn lockfile v1\n", package)

    @given(
        path=st.sampled_from([*ONE_EACH]), cut=st.integers(0, 12_000), noise=st.binary(max_size=40)
    )
    def test_gives_an_answer_however_it_is_damaged(self, path: str, cut: int, noise: bytes) -> None:
        content = (DATA / path).read_bytes()[:cut] + noise
        package = f"pkg:{type_of(path)}/a/b"

        assert isinstance(resolve(path, content, package), Resolved | Gone | Unreadable)


class TestNames:
    def test_are_those_a_folder_may_have_for_a_type(self) -> None:
        assert names_for("gem") == ["Gemfile.lock", "gems.locked"]
        assert names_for("nuget") == ["packages.lock.json"]


class TestLocate:
    def test_finds_lockfiles_by_name_nearest_to_the_top_first(self) -> None:
        paths = [
            "web/app/pnpm-lock.yaml",
            "web/yarn.lock",
            "package-lock.json",
            "yarn.lock.orig",
            "uv.lock",
            "a/package-lock.json",
        ]

        assert locate("npm", paths) == [
            "package-lock.json",
            "a/package-lock.json",
            "web/yarn.lock",
            "web/app/pnpm-lock.yaml",
        ]

    def test_finds_requirements_under_their_usual_names(self) -> None:
        paths = ["requirements.txt", "requirements-dev.txt", "ci/dev-requirements.txt", "notes.txt"]

        assert locate("pypi", paths) == [
            "requirements-dev.txt",
            "requirements.txt",
            "ci/dev-requirements.txt",
        ]

    def test_finds_the_locks_of_python_tools_that_have_a_name(self) -> None:
        paths = ["pylock.toml", "pylock.dev.toml", "pylockdev.toml", "pylock.lock"]

        assert locate("pypi", paths) == ["pylock.dev.toml", "pylock.toml"]

    @pytest.mark.parametrize("name", [name for name in LOCKFILES if "*" not in name])
    def test_knows_every_file_of_the_table(self, name: str) -> None:
        package_type, _ = LOCKFILES[name]

        assert locate(package_type, [f"sub/{name}"]) == [f"sub/{name}"]

    def test_knows_no_type_that_has_no_spelling(self) -> None:
        assert {package_type for package_type, _ in LOCKFILES.values()} == purl.SPELLINGS.keys()
