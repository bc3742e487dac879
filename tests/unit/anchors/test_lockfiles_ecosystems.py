"""Lockfiles of Ruby, PHP, Elixir, Dart, .NET, Java, Swift, and of further Python tools."""

from __future__ import annotations

import json

import pytest

from git_knowl.anchors.lockfiles.listing import Gone, Resolved
from git_knowl.anchors.lockfiles.table import resolve
from tests.support.lockfiles import integrity, look_up, reason, version

SHA = "0123456789" * 4
DIGEST = "0123456789abcdef" * 4
ONE = f'hashes = {{sha256 = "{DIGEST}"}}'
OTHER = f'hashes = {{sha256 = "{"f" * 64}"}}'
SWIFT = [f"swift-{number}/Package.resolved" for number in (1, 2, 3)]


class TestPipfile:
    @pytest.mark.parametrize(
        ("package", "expected"), [("idna", "3.6"), ("iniconfig", "2.0.0"), ("zipp", "3.17.0")]
    )
    def test_reads_every_group(self, package: str, expected: str) -> None:
        assert version("pipenv/Pipfile.lock", f"pypi/{package}") == expected

    def test_leaves_out_folders_of_the_project(self) -> None:
        assert look_up("pipenv/Pipfile.lock", "pypi/tool") == Gone(is_own=True)

    def look(self, record: object):
        lock = {"_meta": {"pipfile-spec": 6}, "default": {"a": record}}
        return resolve("Pipfile.lock", json.dumps(lock).encode(), "pkg:pypi/a")

    @pytest.mark.parametrize(
        ("record", "expected"),
        [
            ({"version": "==1.0", "hashes": ["sha256:aa"]}, Resolved("1.0", "sha256:aa")),
            ({"version": "==1.0", "hashes": ["sha256:aa", "sha256:bb"]}, Resolved("1.0")),
            ({"git": "https://git.example/a", "ref": SHA}, Resolved(SHA)),
            ({"file": "./a.whl"}, Gone(is_own=True)),
            ("==1.0", Gone()),
        ],
    )
    def test_reads_pins_and_commits(self, record: object, expected: object) -> None:
        assert self.look(record) == expected

    @pytest.mark.parametrize(
        "record",
        [
            {"version": "*"},
            {"version": ">=1.0"},
            {"file": "https://x.example/a.whl"},
            {"version": 1},
        ],
    )
    def test_cannot_tell_a_version_that_is_not_pinned(self, record: object) -> None:
        assert "without an exact version" in self.look(record).reason

    def test_says_which_format_it_reads(self) -> None:
        expected = "expected pipfile-spec 6, found 7"

        assert reason("Pipfile.lock", '{"_meta": {"pipfile-spec": 7}}', "pypi/a") == expected
        assert "found none" in reason("Pipfile.lock", "{}", "pypi/a")


class TestPdm:
    HEAD = '[metadata]\nlock_version = "4.5.0"\n\n[[package]]\nname = "a"\nversion = "1.0"\n'

    def look(self, block: str):
        return resolve("pdm.lock", f"{self.HEAD}{block}".encode(), "pkg:pypi/a")

    def test_takes_blocks_of_extras_for_the_same_package(self) -> None:
        found = look_up("pdm/pdm.lock", "pypi/beautifulsoup4")

        assert found == Resolved(
            "4.12.3", "sha256:74e3d1928edc070d21748185c46e3fb33490f22f52a3addee9aee0f4f7781051"
        )

    def test_leaves_out_folders_but_not_archives_of_the_project(self) -> None:
        archive = 'path = "./a.whl"\nfiles = [\n    {file = "a.whl", hash = "sha256:aa"},\n]\n'

        assert look_up("pdm/pdm.lock", "pypi/tool") == Gone(is_own=True)
        assert self.look('path = "./a"\n') == Gone(is_own=True)
        assert self.look(archive) == Resolved("1.0", "sha256:aa")

    def test_takes_the_commit_of_a_git_source_and_hashes_beside_addresses(self) -> None:
        files = (
            'files = [\n    {url = "https://registry.example/a.tar.gz", hash = "sha256:aa"},\n]\n'
        )

        assert self.look(f'git = "https://git.example/a"\nrevision = "{SHA}"\n') == Resolved(
            "1.0", f"git:{SHA}"
        )
        assert self.look(files) == Resolved("1.0", "sha256:aa")

    def test_says_which_format_it_reads(self) -> None:
        content = '[metadata]\nlock_version = "5.0"\n'

        assert reason("pdm.lock", content, "pypi/a") == "expected lock_version 4, found 5"


class TestPylock:
    HEAD = 'lock-version = "1.0"\ncreated-by = "x"\n\n[[packages]]\nname = "a"\n'

    def look(self, block: str):
        return resolve("pylock.toml", f"{self.HEAD}{block}".encode(), "pkg:pypi/a")

    @pytest.mark.parametrize("lockfile", ["pylock-pip/pylock.toml", "pylock-uv/pylock.uv.toml"])
    def test_leaves_out_folders_of_the_project(self, lockfile: str) -> None:
        assert isinstance(look_up(lockfile, "pypi/tool"), Gone)

    @pytest.mark.parametrize(
        "lines",
        [
            ["[packages.sdist]", 'name = "a"', ONE, "[[packages.wheels]]", OTHER],
            ["wheels = [", f"    {{{OTHER}}},", "]", f'sdist = {{name = "wheels", {ONE}}}'],
            [f"sdist = {{{ONE}}}", f"wheels = [{{{OTHER}}}]"],
            ["[[packages.wheels]]", "[packages.wheels.hashes]", f"'sha256' = '{DIGEST}'"],
            [f'archive = {{url = "u", {ONE}}}'],
        ],
    )
    def test_takes_the_hash_of_the_source_or_of_the_only_archive(self, lines: list[str]) -> None:
        assert self.look("\n".join(['version = "1.0"', *lines, ""])) == Resolved(
            "1.0", f"sha256:{DIGEST}"
        )

    def test_takes_no_hash_of_one_wheel_among_several(self) -> None:
        wheels = "".join(
            f'[[packages.wheels]]\nhashes = {{sha256 = "{one * 64}"}}\n' for one in "ef"
        )

        assert self.look(f'version = "1.0"\n{wheels}') == Resolved("1.0")

    def test_takes_the_commit_of_a_package_from_a_repository(self) -> None:
        vcs = f'vcs = {{type = "git", url = "u", commit-id = "{SHA}"}}\n'

        assert self.look(vcs) == Resolved(SHA, f"git:{SHA}")
        assert self.look(f'version = "1.0"\n{vcs}') == Resolved("1.0", f"git:{SHA}")

    @pytest.mark.parametrize(
        "block", ["", '[packages.archive]\nurl = "u"\n[packages.tool.x]\nversion = "9"\n']
    )
    def test_cannot_tell_a_version_that_is_not_there(self, block: str) -> None:
        assert "without an exact version" in self.look(block).reason

    def test_may_hold_nothing(self) -> None:
        content = b'lock-version = "1.0"\npackages = []\n'

        assert resolve("pylock.toml", content, "pkg:pypi/a") == Gone()

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            ('lock-version = "2.0"\n', "expected lock-version 1, found 2"),
            ('lock-version = "1.0"\n', "expected [[packages]] blocks, found none"),
            ('lock-version = "1.0"\npackages = [{name = "a"}]\n', "expected [[packages]] blocks"),
        ],
    )
    def test_says_why_a_file_cannot_be_read(self, content: str, expected: str) -> None:
        assert expected in reason("pylock.toml", content, "pypi/a")


class TestBundler:
    @pytest.mark.parametrize(
        ("gem", "expected"),
        [("rack", "2.2.8"), ("rack-test", "2.1.0"), ("rails", "7.1.0.rc1"), ("racc", "1.7.3")],
    )
    def test_gives_the_version(self, gem: str, expected: str) -> None:
        assert version("bundler/Gemfile.lock", f"gem/{gem}") == expected

    def test_takes_all_platforms_of_a_gem_for_one_version(self) -> None:
        assert version("bundler/Gemfile.lock", "gem/nokogiri") == "1.16.0"

    def test_takes_names_as_they_are(self) -> None:
        assert version("bundler/Gemfile.lock", "gem/Ascii85") == "1.1.0"
        assert look_up("bundler/Gemfile.lock", "gem/ascii85") == Gone()
        assert look_up("bundler/Gemfile.lock", "gem/rack_test") == Gone()

    def test_leaves_out_the_gems_of_the_project(self) -> None:
        assert look_up("bundler/Gemfile.lock", "gem/tool") == Gone(is_own=True)

    def test_pins_a_git_gem_by_its_commit(self) -> None:
        assert look_up("bundler/Gemfile.lock", "gem/gd") == Resolved(
            "2.4.0", "git:9442bd00f7f3fc44d604d0f18b0f82089d48cef2"
        )

    def test_takes_the_checksum_for_all_platforms(self) -> None:
        assert integrity("bundler/Gemfile.lock", "gem/nokogiri") is None
        checksum = integrity("bundler-checksums/gems.locked", "gem/nokogiri")
        assert str(checksum).startswith("sha256:88f50d5b32a61f99")

    def test_takes_no_checksum_where_only_platforms_have_one(self) -> None:
        content = (
            "GEM\n  specs:\n    a (1.0-java)\n    a (1.0-x86_64-linux)\n\nDEPENDENCIES\n  a\n\n"
            "CHECKSUMS\n  a (1.0-java) sha256=aa\n  a (1.0-x86_64-linux) sha256=bb\n"
        )

        assert resolve("Gemfile.lock", content.encode(), "pkg:gem/a") == Resolved("1.0")

    def test_prefers_what_the_project_asks_for(self) -> None:
        content = (
            "GEM\n  remote: https://one.example/\n  specs:\n    a (1.0)\n    b (1.0)\n\n"
            "PLUGIN SOURCE\n  specs:\n    b (2.0)\n\nDEPENDENCIES\n  a (~> 1.0)\n  a!\n"
        )

        assert resolve("Gemfile.lock", content.encode(), "pkg:gem/b") == Resolved("1.0, 2.0")

    def test_says_that_no_section_is_known(self) -> None:
        assert "expected one of the sections GEM" in reason("Gemfile.lock", "gem 'a'\n", "gem/a")


class TestComposer:
    def test_keeps_versions_as_they_are_written(self) -> None:
        assert version("composer/composer.lock", "composer/acme/alpha") == "v1.2.3"

    def test_pins_a_branch_of_the_development_packages_by_its_commit(self) -> None:
        assert look_up("composer/composer.lock", "composer/Acme/Gamma") == Resolved(
            "dev-feature", "git:b2884223807c4d63e2bd92364e834f843f9f8d4e"
        )

    @pytest.mark.parametrize("name", ["acme/tool", "acme/app", "acme/a", "other/alpha"])
    def test_does_not_take_folders_or_parts_of_names_for_packages(self, name: str) -> None:
        assert isinstance(look_up("composer/composer.lock", f"composer/{name}"), Gone)

    @pytest.mark.parametrize(
        ("record", "expected"),
        [
            ({"dist": {"type": "zip", "shasum": "aa"}}, "sha1:aa"),
            ({"dist": {"type": "zip", "shasum": "", "reference": SHA}}, f"git:{SHA}"),
            ({"source": None, "dist": None}, None),
        ],
    )
    def test_takes_what_tells_the_content(self, record: dict, expected: str | None) -> None:
        package = {"name": "Org/A", "version": "1.0.0", **record}
        content = json.dumps({"packages": [package, {"version": "2"}, 3], "packages-dev": None})

        found = resolve("composer.lock", content.encode(), "pkg:composer/org/a")

        assert found == Resolved("1.0.0", expected)

    def test_says_that_the_packages_are_missing(self) -> None:
        assert reason("composer.lock", "{}", "composer/a/b") == "expected an array under 'packages'"


class TestMix:
    @pytest.mark.parametrize(
        ("package", "expected"),
        [("cowboy", "2.10.0"), ("cowlib", "2.12.1"), ("jason", "1.4.1"), ("poison", "1.4.0")],
    )
    def test_gives_the_version(self, package: str, expected: str) -> None:
        assert version("mix-hex/mix.lock", f"hex/{package}") == expected

    def test_takes_the_checksum_of_the_archive_where_there_is_one(self) -> None:
        checksum = integrity("mix-hex/mix.lock", "hex/cowboy")

        assert str(checksum).startswith("sha256:dabe33b93a41d904e")
        assert integrity("mix-hex/mix.lock", "hex/jason") is None

    def test_names_a_package_by_its_organisation_and_not_by_its_application(self) -> None:
        assert version("mix-hex/mix.lock", "hex/acme/acme_billing") == "1.4.0"
        assert look_up("mix-hex/mix.lock", "hex/acme_billing") == Gone()
        assert look_up("mix-hex/mix.lock", "hex/billing") == Gone()

    def test_does_not_take_what_a_package_needs_for_a_package(self) -> None:
        assert look_up("mix-hex/mix.lock", "hex/decimal") == Gone()

    def test_gives_the_commit_of_a_git_package_as_its_version(self) -> None:
        commit = "92940b53f8dace62c7478df2334994a6a7f36ca8"

        assert look_up("mix/mix.lock", "hex/gd") == Resolved(commit)

    def test_reads_the_layout_of_old_versions(self) -> None:
        content = '%{"a": {:hex, :a, "1.0.0"},\n  "b": {:hex, :"B-b", "2.0.0"}}\n'

        assert resolve("mix.lock", content.encode(), "pkg:hex/a") == Resolved("1.0.0")
        assert resolve("mix.lock", content.encode(), "pkg:hex/b-b") == Resolved("2.0.0")
        content = (
            f'[ "a": {{:git, "git://git.example/a", "{SHA}", []}},\n  "b": {{:hex, :b, "1"}} ]\n'
        )
        assert resolve("mix.lock", content.encode(), "pkg:hex/a") == Resolved(SHA)
        assert resolve("mix.lock", content.encode(), "pkg:hex/b") == Resolved("1")

    def test_says_what_a_lockfile_begins_with(self) -> None:
        assert "expected an Elixir map" in reason("mix.lock", "{}\n", "hex/a")


class TestPub:
    @pytest.mark.parametrize(
        ("package", "expected"),
        [("async", "2.11.0"), ("collection", "1.18.0"), ("http_parser", "4.0.2")],
    )
    def test_gives_the_version(self, package: str, expected: str) -> None:
        assert version("pub/pubspec.lock", f"pub/{package}") == expected

    @pytest.mark.parametrize("package", ["collection", "async"])
    def test_takes_the_checksum_with_or_without_quotes(self, package: str) -> None:
        assert str(integrity("pub/pubspec.lock", f"pub/{package}")).startswith("sha256:")

    def test_takes_equal_names_for_equal(self) -> None:
        assert version("pub/pubspec.lock", "pub/HTTP-Parser") == "4.0.2"

    def test_pins_a_git_package_by_its_commit(self) -> None:
        assert str(integrity("pub/pubspec.lock", "pub/gd")).startswith("git:43d3eca42d0f")

    @pytest.mark.parametrize("name", ["tool", "dart", "http", "sdks", "packages"])
    def test_does_not_take_anything_else_for_a_package(self, name: str) -> None:
        assert isinstance(look_up("pub/pubspec.lock", f"pub/{name}"), Gone)

    def test_cannot_tell_the_version_of_what_an_sdk_brings(self) -> None:
        assert "without an exact version" in look_up("pub/pubspec.lock", "pub/flutter").reason

    def test_may_hold_nothing(self) -> None:
        assert resolve("pubspec.lock", b"packages: {}\nsdks: {}\n", "pkg:pub/a") == Gone()

    def test_says_that_the_packages_are_missing(self) -> None:
        assert "expected a section 'packages:'" in reason("pubspec.lock", "sdks: {}\n", "pub/a")


class TestNuGet:
    @pytest.mark.parametrize("name", ["Newtonsoft.Json", "newtonsoft.json"])
    def test_takes_equal_names_for_equal(self, name: str) -> None:
        assert version("nuget/packages.lock.json", f"nuget/{name}") == "13.0.3"

    def test_gives_the_versions_of_all_frameworks(self) -> None:
        found = look_up("nuget/packages.lock.json", "nuget/System.Text.Json")

        assert found == Resolved("6.0.9, 8.0.2")

    def test_gives_the_hash_of_a_single_version(self) -> None:
        hashes = integrity("nuget/packages.lock.json", "nuget/Serilog")

        assert str(hashes).startswith("sha512-uPIZE6bHW8SqJOTmZ")

    def test_prefers_what_a_project_asks_for(self) -> None:
        content = json.dumps(
            {
                "version": 1,
                "dependencies": {
                    "net6.0": {"A": {"type": "Transitive", "resolved": "1.0.0"}},
                    "net8.0": {"A": {"type": "Direct", "resolved": "2.0.0"}},
                },
            }
        )

        assert resolve("packages.lock.json", content.encode(), "pkg:nuget/a") == Resolved("2.0.0")

    def test_leaves_out_projects_of_the_solution(self) -> None:
        assert look_up("nuget/packages.lock.json", "nuget/shop.tool") == Gone(is_own=True)

    def test_says_which_format_it_reads(self) -> None:
        expected = "expected version 1 or 2, found 3"

        assert reason("packages.lock.json", '{"version": 3}', "nuget/a") == expected


class TestGradle:
    def test_gives_the_versions_of_all_configurations(self) -> None:
        lockfile = "gradle/gradle.lockfile"

        assert version(lockfile, "maven/junit/junit") == "4.13.2"
        assert version(lockfile, "maven/org.slf4j/slf4j-api") == "1.7.36, 2.0.9"

    @pytest.mark.parametrize("name", ["junit/junit4", "junit/junit/4.13.2", "org/slf4j/slf4j-api"])
    def test_does_not_take_other_names_for_a_module(self, name: str) -> None:
        assert look_up("gradle/gradle.lockfile", f"maven/{name}") == Gone()

    def test_may_hold_nothing(self) -> None:
        assert resolve("gradle.lockfile", b"empty=runtime\n", "pkg:maven/a/b") == Gone()

    def test_says_that_no_line_is_that_of_a_module(self) -> None:
        assert "expected lines GROUP:ARTIFACT" in reason("gradle.lockfile", "x\n", "maven/a/b")


class TestMaven:
    POM = "maven/pom.xml"

    def look(self, body: str):
        content = f"<project>{body}</project>".encode()
        return resolve("pom.xml", content, "pkg:maven/g/a")

    def dependency(self, version: str) -> str:
        return (
            "<dependency><groupId>g</groupId><artifactId>a</artifactId>"
            f"<version>{version}</version></dependency>"
        )

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("com.google.guava/guava", "32.1.3-jre"),
            ("org.slf4j/slf4j-api", "2.0.9"),
            ("org.hamcrest/hamcrest", "2.2"),
            ("org.apache.maven.plugins/maven-surefire-plugin", "3.2.5"),
        ],
    )
    def test_gives_versions_that_stand_there(self, name: str, expected: str) -> None:
        assert version(self.POM, f"maven/{name}") == expected

    @pytest.mark.parametrize("name", ["com.fasterxml.jackson.core/jackson-databind", "junit/junit"])
    def test_cannot_tell_properties_and_ranges(self, name: str) -> None:
        assert "without an exact version" in look_up(self.POM, f"maven/{name}").reason

    @pytest.mark.parametrize(
        "text", ["", "${a}", "1.0-${b}", "[1,2)", "(,1]", "[1],[2]", "LATEST", "RELEASE"]
    )
    def test_cannot_tell_what_takes_maven_to_compute(self, text: str) -> None:
        assert "without an exact version" in self.look(self.dependency(text)).reason

    def test_does_not_put_a_managed_version_in_the_place_of_a_property(self) -> None:
        managed = f"<dependencyManagement>{self.dependency('1.0')}</dependencyManagement>"

        assert self.look(managed) == Resolved("1.0")
        assert self.look(managed + self.dependency("")) == Resolved("1.0")
        assert self.look(managed + self.dependency("2.0")) == Resolved("2.0")
        found = self.look(managed + self.dependency("${a.version}"))
        assert "without an exact version" in found.reason

    @pytest.mark.parametrize(
        "name",
        ["org.example.shop/shop", "com.google.code.findbugs/jsr305", "org.slf4j/slf4j", "g/a"],
    )
    def test_does_not_take_the_project_or_what_is_excluded_for_a_package(self, name: str) -> None:
        assert isinstance(look_up(self.POM, f"maven/{name}"), Gone)

    def test_says_that_the_parent_is_not_followed(self) -> None:
        parent = (
            "<parent><groupId>g</groupId><artifactId>top</artifactId><version>3</version></parent>"
        )
        content = f"<project>{parent}</project>".encode()

        assert "parent POM is not followed" in self.look(parent).reason
        assert resolve("pom.xml", content, "pkg:maven/g/top") == Resolved("3")

    @pytest.mark.parametrize(
        "head",
        [
            '<!DOCTYPE project [<!ENTITY v "1.0">]>',
            '<!DOCTYPE project [<!ENTITY a "aaaaaaaa"><!ENTITY v "&a;&a;&a;&a;">]>',
            '<!DOCTYPE project SYSTEM "file:///etc/hostname">',
        ],
    )
    def test_reads_no_document_type(self, head: str) -> None:
        content = f"{head}<project>{self.dependency('&v;')}</project>"

        assert "document type" in reason("pom.xml", content, "maven/g/a")

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            ("<project>", "not valid XML"),
            ("<project>&v;</project>", "not valid XML"),
            ("<html/>", "expected the element <project>"),
            (
                "<project><modelVersion>9</modelVersion></project>",
                "expected modelVersion 4.0.0 or 4.1.0, found 9",
            ),
        ],
    )
    def test_says_why_a_file_cannot_be_read(self, content: str, expected: str) -> None:
        assert expected in reason("pom.xml", content, "maven/g/a")


class TestSwift:
    @pytest.mark.parametrize("lockfile", SWIFT)
    @pytest.mark.parametrize(
        ("package", "expected"),
        [
            ("git.example/Alamofire/Alamofire", "5.8.1"),
            ("git.example/alamofire/alamofire", "5.8.1"),
            ("git.example/apple/swift-argument-parser", "1.3.0"),
        ],
    )
    def test_gives_the_version_by_the_address(self, lockfile, package, expected) -> None:
        assert version(lockfile, f"swift/{package}") == expected
        assert str(integrity(lockfile, f"swift/{package}")).startswith("git:")

    @pytest.mark.parametrize("lockfile", SWIFT)
    def test_gives_the_commit_of_a_pinned_branch_as_its_version(self, lockfile: str) -> None:
        commit = version(lockfile, "swift/git.example/apple/swift-syntax")

        assert commit == "2a7e32738a1c4c1fcb77e0ce5e7e5a101e18dac9"

    def test_names_a_package_of_a_registry_by_its_scope(self) -> None:
        assert look_up("swift-2/Package.resolved", "swift/mona/LinkedList") == Resolved("1.2.0")

    @pytest.mark.parametrize(
        "address",
        [
            "https://git.example/org/a",
            "https://git.example/org/a/",
            "https://git.example:8443/org/a.git",
            "https://user@git.example/org/a.git",
            "ssh://git@git.example/org/a.git",
            "git@git.example:org/a.git",
            "git@git.example:/org/a.git",
            "git://GIT.EXAMPLE/org/A.git",
        ],
    )
    def test_reads_every_form_of_address(self, address: str) -> None:
        content = json.dumps({"version": 2, "pins": [self.pin(address)]})

        found = resolve("Package.resolved", content.encode(), "pkg:swift/git.example/org/a")

        assert found == Resolved("1.0.0")

    @pytest.mark.parametrize("address", ["/home/ada/a", "file:///home/ada/a", "../a", "", "a"])
    def test_leaves_out_what_lies_on_this_machine(self, address: str) -> None:
        content = json.dumps({"version": 2, "pins": [self.pin(address), {}, None]})

        for name in ("home/ada/a", "ada/a", "./a"):
            found = resolve("Package.resolved", content.encode(), f"pkg:swift/{name}")
            assert found == Gone()

    def pin(self, address: str) -> dict:
        return {"identity": "a", "location": address, "state": {"version": "1.0.0"}}

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            ('{"version": 4, "pins": []}', "expected version 1 or 2 or 3, found 4"),
            ('{"version": 1, "pins": []}', "expected an array under 'pins'"),
            ("{", "not valid JSON"),
        ],
    )
    def test_says_why_a_file_cannot_be_read(self, content: str, expected: str) -> None:
        assert expected in reason("Package.resolved", content, "swift/h/o/a")
