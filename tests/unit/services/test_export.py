"""Entries as files in a folder: theirs alone, and nowhere else."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest

from git_knowl.model.document import parse, render
from git_knowl.model.entry import SHARED
from git_knowl.services.exchange.export import JSON, ExportError, export
from git_knowl.services.exchange.export_files import JSON_FILE
from git_knowl.services.files import is_git_folder
from git_knowl.services.rename import rename
from git_knowl.services.retire import retire
from git_knowl.store.operations import PutEntry
from tests.support import stores
from tests.support.caches import plant
from tests.support.joining import Peer
from tests.support.people import CART, KIM, agent, live, person, script, write


@pytest.fixture
def ctx(repo):
    ctx = person(repo)
    write(ctx, "cart", CART)
    write(ctx, "rule", type="feedback", body="No lint. Why: slow.\n")
    ctx.refresh()
    return ctx


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_every_entry_is_a_document_in_the_folder_of_its_lane(ctx, tmp_path):
    done = export(ctx, str(tmp_path / "out"))

    assert sorted(done.files) == files(tmp_path / "out") == ["local/rule.md", "shared/cart.md"]
    assert parse((tmp_path / "out/shared/cart.md").read_bytes()) == live(ctx, "cart")


def test_one_json_file_holds_all_of_them_with_lane_and_body(ctx, tmp_path):
    export(ctx, str(tmp_path), JSON)

    whole = json.loads((tmp_path / JSON_FILE).read_text())

    assert whole["format"] == 1
    assert [(one["name"], one["lane"], one["body"]) for one in whole["entries"]] == [
        ("cart", "shared", live(ctx, "cart").body),
        ("rule", "local", "No lint. Why: slow.\n"),
    ]


@pytest.mark.parametrize("form", ["markdown", JSON])
def test_exporting_again_replaces_what_was_exported(ctx, tmp_path, form):
    out = tmp_path / "out"
    export(ctx, str(out), form)
    first = {name: (out / name).read_bytes() for name in files(out)}
    export(ctx, str(out), form)

    assert {name: (out / name).read_bytes() for name in files(out)} == first


def test_a_name_that_changed_hands_is_replaced(ctx, tmp_path):
    export(ctx, str(tmp_path))
    retire(ctx, "cart", "wrong", None)
    ctx.refresh()
    rename(ctx, "rule", "cart")
    ctx.refresh()
    (tmp_path / "shared/cart.md").rename(tmp_path / "local/cart.md")

    export(ctx, str(tmp_path))

    assert parse((tmp_path / "local/cart.md").read_bytes()) == live(ctx, "cart")


def test_a_folder_is_relative_to_where_one_stands(repo, ctx):
    export(person(repo, cwd=str(repo.path / "lib")), "out")

    assert files(repo.path / "lib/out") == ["local/rule.md", "shared/cart.md"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("shared/cart.md", "mine\n"),
        ("local/rule.md", "---\nname: rule\n---\nmine\n"),
        ("shared/cart.md/inside", "mine\n"),
        ("local", "mine\n"),
    ],
)
def test_what_is_no_entry_of_ours_stops_everything(ctx, tmp_path, name, content):
    path = tmp_path / "out" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)

    with pytest.raises(ExportError):
        export(ctx, str(tmp_path / "out"))

    assert files(tmp_path / "out") == [name]
    assert path.read_text() == content


@pytest.mark.parametrize(
    "content", ["{}", "[1]", '{"entries": [{"id": "x"}]}', "{", '{"entries": 1}']
)
def test_a_json_file_of_somebody_else_stays(ctx, tmp_path, content):
    (tmp_path / JSON_FILE).write_text(content)

    with pytest.raises(ExportError, match="no entry of ours"):
        export(ctx, str(tmp_path), JSON)

    assert (tmp_path / JSON_FILE).read_text() == content


def test_an_entry_of_another_store_stays(ctx, tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared/cart.md").write_bytes(render(stores.entry("cart", 9)))

    with pytest.raises(ExportError, match="no entry of ours"):
        export(ctx, str(tmp_path))


@pytest.mark.parametrize("place", ["", "shared", "shared/cart.md"])
def test_no_link_is_followed(ctx, tmp_path, place):
    target, out = tmp_path / "target", tmp_path / "out"
    target.mkdir()
    (out / place).parent.mkdir(parents=True, exist_ok=True)
    if place == "shared/cart.md":
        target = target / "file.md"
        target.write_text("kept")
    os.symlink(target, out / place if place else out)

    with pytest.raises(ExportError):
        export(ctx, str(out))

    assert files(tmp_path / "target") in ([], ["file.md"])
    assert [path.name for path in tmp_path.iterdir() if path.name == "local"] == []


@pytest.mark.parametrize("folder", [".git", ".git/out", ".GIT/out", ".git./x", "GIT~1", "a/.Git/b"])
def test_nothing_is_written_into_a_git_directory(repo, ctx, folder):
    before = files(repo.path / ".git")

    with pytest.raises(ExportError, match="inside a git directory"):
        export(ctx, folder)

    assert files(repo.path / ".git") == before


def test_a_bare_repository_is_a_git_directory_whatever_it_is_called(repo, ctx):
    bare = repo.clone("bare", "--mirror")

    with pytest.raises(ExportError, match="inside a git directory"):
        export(person(bare), "out")

    export(person(bare), "../out")
    assert files(repo.path.parent / "out") == ["local/rule.md", "shared/cart.md"]


def test_a_file_is_no_folder(ctx, tmp_path):
    (tmp_path / "out").write_text("x")

    with pytest.raises(ExportError, match="no folder of its own"):
        export(ctx, str(tmp_path / "out"))


def test_what_is_damaged_is_told_and_the_rest_is_exported(ctx, tmp_path):
    plant(ctx.store, "shared", files={"entries/zz/x.md": b"no entry"})
    ctx.refresh()

    done = export(ctx, str(tmp_path))

    assert [one.path for one in done.damaged] == ["entries/zz/x.md"]
    assert len(done.files) == 2


@pytest.mark.parametrize(
    "name", [".git", ".GIT", ".git.", ".git ", ".g\u200cit", "git~1", ".Git .."]
)
def test_git_folders_are_known_in_every_spelling(name):
    assert is_git_folder(name)


@pytest.mark.parametrize("name", ["git", ".gitignore", ".github", "x.git", "git~2"])
def test_other_names_are_no_git_folders(name):
    assert not is_git_folder(name)


@pytest.mark.parametrize("form", ["markdown", JSON])
def test_inside_an_agent_host_what_is_kept_from_agents_is_left_out(ctx, repo, tmp_path, form):
    write(ctx, "gone", CART)
    retire(ctx, "gone", "no more")
    write(script(repo, person=KIM), "seen-by-nobody", CART, reviewer=KIM)
    repo.git("config", "knowl.trust", "here")
    host = agent(repo)

    done = export(host, str(tmp_path / "host"), form, with_retired=True)
    everything = export(person(repo), str(tmp_path / "own"), form, with_retired=True)

    assert done.withheld == ("seen-by-nobody",)
    assert "seen-by-nobody" not in said_in(tmp_path / "host")
    assert "no more" in said_in(tmp_path / "host")
    assert everything.withheld == ()
    assert "seen-by-nobody" in said_in(tmp_path / "own")


def test_retired_texts_have_the_tier_they_came_in_by(ctx, repo, tmp_path):
    write(script(repo, person=KIM), "seen-by-nobody", CART, reviewer=KIM)
    ctx.refresh()
    retire(ctx, "seen-by-nobody", "no more")
    repo.git("config", "knowl.trust", "here")

    done = export(agent(repo), str(tmp_path / "out"), with_retired=True)

    assert done.withheld == ("seen-by-nobody",)
    assert "seen-by-nobody" not in said_in(tmp_path / "out")


@pytest.mark.parametrize("form", ["markdown", JSON])
def test_no_side_of_a_conflict_goes_to_an_agent_host(repo, tmp_path, form):
    mine, other = Peer(repo), Peer.make(tmp_path, "other")
    one = stores.entry("torn", 1)
    mine.write(PutEntry(SHARED, one))
    other.join(mine)
    mine.write(PutEntry(SHARED, replace(one, body="One. Why: seen.\n", rev=2)))
    other.write(PutEntry(SHARED, replace(one, body="Two. Why: seen.\n", rev=3)))
    mine.join(other)

    done = export(agent(repo), str(tmp_path / "out"), form)

    assert done.withheld == ("torn",)
    assert "Why: seen" not in said_in(tmp_path / "out")


def said_in(folder):
    """Return all that stands in the files of a folder."""
    return "".join(path.read_text() for path in folder.rglob("*") if path.is_file())
