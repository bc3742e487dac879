"""Paths in the trees of the store, names as shown, and the format file."""

from __future__ import annotations

import pytest

from git_knowl.plumbing import refs
from git_knowl.store import layout

LOW = "01m8mz2a0100000000000007qf"
HIGH = "01m8mz2a020000000000000fey"


def test_entry_path_is_sharded_by_the_end_of_the_id_and_parses_back():
    path = layout.entry_path(LOW, "no-direct-lint")

    assert path == f"entries/qf/{LOW}.no-direct-lint.md"
    assert layout.parse_entry_path(path) == (LOW, "no-direct-lint")


@pytest.mark.parametrize("name", ["", "a/b", "a\0b", "a\nb"])
def test_name_that_is_no_part_of_a_path_is_refused(name):
    with pytest.raises(layout.PathError):
        layout.entry_path(LOW, name)


@pytest.mark.parametrize(
    "path",
    [
        f"entries/00/{LOW}.name.md",
        f"entries/{LOW}.name.md",
        f"retired/qf/{LOW}.name.md",
        f"entries/qf/{LOW}.md",
        f"entries/qf/{LOW}..md",
        f"entries/qf/{LOW}.name.txt",
        f"entries/qf/{LOW.upper()}.name.md",
        "entries/qf/readme.md",
        "format",
    ],
)
def test_any_other_path_is_no_entry(path):
    found = layout.parse_entry_path(path)

    assert found is None


def test_record_path_parses_back_in_its_own_folder_only():
    path = layout.record_path(layout.FLAGS, LOW)

    assert path == f"flags/qf/{LOW}.json"
    assert layout.parse_record_path(layout.FLAGS, path) == LOW
    assert layout.parse_record_path(layout.DRAFTS, path) is None
    assert layout.parse_record_path(layout.FLAGS, f"flags/00/{LOW}.json") is None


def test_the_lower_id_keeps_a_shared_name_and_the_other_is_shown_with_the_end_of_its_id():
    holders = [HIGH, LOW]

    assert layout.shown_name("cart", LOW, holders) == "cart"
    assert layout.shown_name("cart", HIGH, holders) == "cart~000fey"
    assert layout.shown_name("cart", HIGH, []) == "cart"


def test_format_file_of_today_is_readable_and_writable():
    text = layout.FORMAT_TEXT

    assert layout.read_format(text) == (layout.FORMAT, layout.FORMAT)
    layout.check_readable(refs.ENTRIES, text)
    layout.check_writable(refs.ENTRIES, text)


def test_format_file_may_say_more_than_this_program_knows():
    found = layout.read_format(b"# made by a later program\nformat 7\nreader 1\nfeature x y\n")

    assert found == (7, 1)


def test_newer_format_that_asks_for_a_newer_reader_is_not_read():
    with pytest.raises(
        layout.FormatError, match="format 7, this program reads and writes format 1"
    ):
        layout.check_readable(refs.ENTRIES, b"format 7\nreader 2\n")


def test_newer_format_that_lets_this_reader_in_is_read_and_not_written():
    text = b"format 7\nreader 1\n"

    layout.check_readable(refs.ENTRIES, text)
    with pytest.raises(layout.FormatError, match=r"format 7.*format 1"):
        layout.check_writable(refs.ENTRIES, text)


@pytest.mark.parametrize("text", [None, b"", b"format\n", b"format one\nreader 1\n", b"\xff"])
@pytest.mark.parametrize("check", [layout.check_readable, layout.check_writable])
def test_a_tree_without_a_format_that_makes_sense_is_none_of_a_store(text, check):
    with pytest.raises(layout.FormatError, match="expected a file 'format'") as caught:
        check(refs.ENTRIES, text)
    assert "reflog" in caught.value.hint


def test_only_a_newer_format_has_something_to_tell_a_reader():
    assert "format 7 is newer" in layout.newer(b"format 7\nreader 1\n")
    assert layout.newer(layout.FORMAT_TEXT) is None
    assert layout.newer(None) is None
