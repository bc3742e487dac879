"""Package anchors against lockfiles: what is active, suspect and unknown, and what is refused."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from git_knowl.anchors import package
from git_knowl.anchors.base import AnchorError, Observation, Past, Stamp
from git_knowl.anchors.worlds import WorkTreeWorld
from git_knowl.model.anchor import PackageAnchor, PackageFingerprint
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN

TEXT = "a" * 64
STAMP = Stamp(text=TEXT, at="2026-11-29T10:00:00Z", by="Ada <a@b>", how="terminal")


HERE = "changed here, not committed"


@dataclass
class Files:
    """A world of the lockfiles given; any other path is absent or in the state given."""

    files: dict[str, bytes] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)

    label = "worktree"

    def content(self, path: str) -> bytes | None:
        return self.files.get(path)

    def renamed_to(self, path: str) -> None:
        """Return nothing: no file went anywhere."""

    def committed_content(self, path: str) -> None:
        """Return nothing: nothing was committed."""

    def past(self, paths):
        return dict.fromkeys(paths, Past())

    def blobs(self, paths):
        return {path: Observation(self.states.get(path, "absent")) for path in paths}


def yarn(*packages: tuple[str, str, str | None]) -> Files:
    stanzas = "".join(
        f'{name}@^1:\n  version "{version}"\n'
        + (f"  integrity {hashes}\n" if hashes else "")
        + "\n"
        for name, version, hashes in packages
    )
    return Files({"yarn.lock": f"# yarn lockfile v1\n\n\n{stanzas}".encode()})


def accepted(
    version: str, integrity: str | None = None, text: str = TEXT, at: str = "2026-11-01T00:00:00Z"
) -> PackageFingerprint:
    return PackageFingerprint(text, version, at, "Ada <a@b>", "terminal", integrity)


def anchor(*items: PackageFingerprint, lockfile: str = "yarn.lock") -> PackageAnchor:
    return PackageAnchor("pkg:npm/vue", lockfile, items)


class TestJudge:
    def test_the_accepted_version_is_active(self) -> None:
        world = yarn(("vue", "1.2.3", "sha512-AA=="))

        verdict = package.judge(anchor(accepted("1.2.3", "sha512-AA==")), TEXT, world)

        assert (verdict.status, verdict.reason) == (ACTIVE, None)
        assert (verdict.kind, verdict.target) == ("package", "package:npm/vue!yarn.lock")

    @pytest.mark.parametrize("other", ["1.3.0", "1.2.30", "1.2", "11.2.3", "1.2.2"])
    def test_another_version_is_suspect_and_both_are_named(self, other: str) -> None:
        verdict = package.judge(anchor(accepted("1.2.3")), TEXT, yarn(("vue", other, None)))

        assert verdict.status == SUSPECT
        assert verdict.reason == f"version 1.2.3 became {other}, {HERE}"
        assert (verdict.expected, verdict.found) == ("1.2.3", other)

    def test_a_package_of_a_similar_name_is_no_evidence(self) -> None:
        world = yarn(("markstream-vue", "1.2.3", None), ("vue-router", "1.2.3", None))

        verdict = package.judge(anchor(accepted("1.2.3")), TEXT, world)

        assert verdict.status == SUSPECT
        assert verdict.reason == f"package is gone from yarn.lock, {HERE}"
        assert (verdict.expected, verdict.found) == ("1.2.3", None)

    def test_another_package_may_change(self) -> None:
        world = yarn(("vue", "1.2.3", None), ("ms", "9.9.9", None))

        assert package.judge(anchor(accepted("1.2.3")), TEXT, world).status == ACTIVE

    def test_several_versions_are_one_sorted_set(self) -> None:
        world = yarn(("vue", "3.0.0", None), ("vue", "2.0.0", None))

        assert package.judge(anchor(accepted("2.0.0, 3.0.0")), TEXT, world).status == ACTIVE
        verdict = package.judge(anchor(accepted("3.0.0")), TEXT, world)
        assert verdict.reason == f"version 3.0.0 became 2.0.0, 3.0.0, {HERE}"

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("sha512-AA==", "sha512-AA=="),
            ("sha512-AA==", None),
            (None, "sha512-AA=="),
            ("sha1-BB==", "sha512-AA=="),
            ("sha1-BB==", "sha1-BB==\tsha512-AA=="),
            ("8/00ff", "10c0/ff00"),
        ],
    )
    def test_integrities_count_where_both_sides_have_one_of_a_kind(self, old, new) -> None:
        world = yarn(("vue", "1.2.3", new))

        assert package.judge(anchor(accepted("1.2.3", old)), TEXT, world).status == ACTIVE

    @pytest.mark.parametrize(
        ("old", "new"),
        [("sha512-AA==", "sha512-BB=="), ("sha256:aa", "sha256:bb"), ("10c0/aa", "10c0/bb")],
    )
    def test_the_same_version_with_another_content_is_suspect(self, old: str, new: str) -> None:
        world = yarn(("vue", "1.2.3", new))

        verdict = package.judge(anchor(accepted("1.2.3", old)), TEXT, world)

        assert verdict.status == SUSPECT
        assert "integrity" in str(verdict.reason)
        assert (verdict.expected, verdict.found) == (old, new)

    def test_any_accepted_version_will_do(self) -> None:
        both = anchor(accepted("2.0.0"), accepted("1.2.3", "sha512-XX=="), accepted("1.2.3"))

        world = yarn(("vue", "1.2.3", "sha512-AA=="))

        assert package.judge(both, TEXT, world).status == ACTIVE

    def test_the_version_accepted_last_is_the_one_expected(self) -> None:
        both = anchor(
            accepted("2.0.0", at="2026-11-03T00:00:00Z"),
            accepted("1.0.0", at="2026-11-02T00:00:00Z"),
        )

        assert package.judge(both, TEXT, yarn(("vue", "3.0.0", None))).expected == "2.0.0"

    def test_what_was_accepted_for_another_text_does_not_count(self) -> None:
        old = anchor(accepted("1.2.3", text="b" * 64))

        verdict = package.judge(old, TEXT, yarn(("vue", "1.2.3", None)))

        assert verdict.status == UNKNOWN
        assert verdict.reason == "no version was accepted for this text"

    @pytest.mark.parametrize("state", ["absent", "unreadable", "directory", "filter-failed"])
    def test_a_lockfile_that_cannot_be_read_is_unknown(self, state: str) -> None:
        world = Files(states={"yarn.lock": state})

        verdict = package.judge(anchor(accepted("1.2.3")), TEXT, world)

        assert (verdict.status, verdict.reason) == (UNKNOWN, f"lockfile yarn.lock is {state}")

    def test_a_lockfile_of_an_unknown_kind_is_unknown(self) -> None:
        world = Files({"bun.lockb": b"\0"})

        verdict = package.judge(anchor(accepted("1.2.3"), lockfile="bun.lockb"), TEXT, world)

        assert verdict.status == UNKNOWN
        assert "not a known kind of lockfile" in str(verdict.reason)

    def test_a_damaged_lockfile_is_unknown(self) -> None:
        world = Files({"package-lock.json": b"{"})
        damaged = anchor(accepted("1.2.3"), lockfile="package-lock.json")

        assert package.judge(damaged, TEXT, world).status == UNKNOWN

    def test_a_purl_nobody_can_read_is_unknown(self) -> None:
        foreign = PackageAnchor("pkg:gem/rails", "yarn.lock", (accepted("7"),))

        assert package.judge(foreign, TEXT, yarn()).status == UNKNOWN


class TestObserve:
    def test_accepts_what_the_lockfile_resolves_now(self) -> None:
        world = yarn(("vue", "1.2.3", "sha512-AA=="))

        observed = package.observe(anchor(accepted("1.0.0")), world, STAMP)

        assert observed.accepted == (
            PackageFingerprint(
                TEXT, "1.2.3", "2026-11-29T10:00:00Z", "Ada <a@b>", "terminal", "sha512-AA=="
            ),
        )
        assert package.judge(observed, TEXT, world).status == ACTIVE

    def test_keeps_unknown_keys_of_the_anchor(self) -> None:
        known = PackageAnchor("pkg:npm/vue", "yarn.lock", extra={"note": "kept"})

        observed = package.observe(known, yarn(("vue", "1.2.3", None)), STAMP)

        assert observed.extra == {"note": "kept"}

    @pytest.mark.parametrize(
        ("world", "lockfile", "expected"),
        [
            (yarn(("ms", "1.0.0", None)), "yarn.lock", "the lockfile does not hold it"),
            (Files(), "yarn.lock", "lockfile yarn.lock is absent"),
            (Files({"bun.lockb": b""}), "bun.lockb", "not a known kind of lockfile"),
            (Files(), "", "no lockfile is named"),
        ],
    )
    def test_refuses_what_is_not_resolved(self, world, lockfile, expected) -> None:
        with pytest.raises(AnchorError, match=expected) as caught:
            package.observe(anchor(lockfile=lockfile), world, STAMP)

        assert "LOCKFILE" in str(caught.value.hint)


class TestComplete:
    LOCK = yarn(("vue", "1.2.3", None)).files["yarn.lock"]
    OTHER = yarn(("ms", "1.2.3", None)).files["yarn.lock"]

    def complete(self, files: dict[str, bytes]) -> str:
        return package.complete(anchor(lockfile=""), Files(files), list(files)).lockfile

    def test_keeps_the_lockfile_that_is_named(self) -> None:
        named = anchor(lockfile="web/yarn.lock")

        assert package.complete(named, Files(), []) == named

    def test_takes_the_lockfile_that_resolves_the_package(self) -> None:
        files = {"yarn.lock": self.OTHER, "uv.lock": b"version = 1\n", "web/yarn.lock": self.LOCK}

        assert self.complete(files) == "web/yarn.lock"

    def test_takes_the_lockfile_nearest_to_the_top(self) -> None:
        assert self.complete({"web/yarn.lock": self.LOCK, "yarn.lock": self.LOCK}) == "yarn.lock"

    def test_refuses_to_choose_between_equally_near_ones(self) -> None:
        with pytest.raises(
            AnchorError, match=r"more than one lockfile .*: a/yarn\.lock, b/yarn\.lock"
        ):
            self.complete({"b/yarn.lock": self.LOCK, "a/yarn.lock": self.LOCK})

    def test_says_that_no_lockfile_resolves_the_package(self) -> None:
        with pytest.raises(AnchorError, match="no lockfile here resolves pkg:npm/vue"):
            self.complete({"yarn.lock": self.OTHER})

    def test_refuses_to_choose_between_formats_that_hold_the_same_package(self) -> None:
        """As with Pipfile.lock beside pylock.toml: either may be out of use."""
        files = {
            "Pipfile.lock": b'{"_meta": {"pipfile-spec": 6}, "default": {"a": {"version": "==1"}}}',
            "pylock.toml": b'lock-version = "1.0"\n\n[[packages]]\nname = "a"\nversion = "1"\n',
        }
        wanted = PackageAnchor("pkg:pypi/a", "", ())

        with pytest.raises(AnchorError, match=r"more than one .*: Pipfile\.lock, pylock\.toml"):
            package.complete(wanted, Files(files), list(files))
        del files["Pipfile.lock"]
        assert package.complete(wanted, Files(files), list(files)).lockfile == "pylock.toml"


class TestOwn:
    """A package that is part of the project is known by its files, not by a version."""

    CARGO = b'version = 4\n\n[[package]]\nname = "tool"\nversion = "0.1.0"\n'
    TOOL = PackageAnchor("pkg:cargo/tool", "Cargo.lock", (accepted("0.1.0"),))

    def test_cannot_be_anchored_and_the_way_out_are_its_files(self) -> None:
        world = Files({"Cargo.lock": self.CARGO})

        for ask in (
            lambda: package.observe(self.TOOL, world, STAMP),
            lambda: package.complete(
                PackageAnchor("pkg:cargo/tool", ""), world, ["a/Cargo.lock", "Cargo.lock"]
            ),
        ):
            with pytest.raises(AnchorError, match="part of the project itself") as caught:
                ask()
            assert "tree:FOLDER" in str(caught.value.hint)

    def test_is_told_apart_by_the_lockfile_that_resolves_it(self) -> None:
        outside = b'\nsource = "registry+x"\n'
        files = {"Cargo.lock": self.CARGO, "fork/Cargo.lock": self.CARGO.rstrip() + outside}

        found = package.complete(PackageAnchor("pkg:cargo/tool", ""), Files(files), list(files))

        assert found.lockfile == "fork/Cargo.lock"

    def test_a_package_taken_into_the_project_is_suspect(self) -> None:
        verdict = package.judge(self.TOOL, TEXT, Files({"Cargo.lock": self.CARGO}))

        assert verdict.status == SUSPECT
        assert verdict.reason == f"the package is part of the project itself, by Cargo.lock, {HERE}"


class TestInRealWorktrees:
    def test_an_upgrade_is_suspect_where_it_happened_and_nowhere_else(self, repo) -> None:
        before, after = (
            yarn(("vue", version, None)).files["yarn.lock"] for version in ("1.2.3", "1.3.0")
        )
        repo.write("yarn.lock", before)
        repo.commit("lock vue")
        other = repo.worktree("other", "other")
        here, there = (WorkTreeWorld(tree.open(), STAMP.at) for tree in (repo, other))
        known = package.observe(anchor(), here, STAMP)
        other.write("yarn.lock", after)

        assert package.judge(known, TEXT, here).status == ACTIVE
        told = package.judge(known, TEXT, there).reason
        assert told == f"version 1.2.3 became 1.3.0, {HERE}"
