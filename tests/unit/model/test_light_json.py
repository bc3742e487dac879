"""JSON without `json`: what it reads and writes is the same."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.model.light_json import dumps, loads

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=10
)


@given(VALUES)
def test_what_is_written_is_what_json_writes_and_is_read_back(value):
    told = dumps(value)

    assert told == json.dumps(value)
    assert told.isascii()
    assert loads(told) == loads(told.encode()) == value


@given(st.text(max_size=30) | st.text(alphabet='[]{}",:0-9truefalsn ', max_size=12))
def test_what_json_refuses_is_refused_and_nothing_else(text):
    def read(reader):
        try:
            return reader(text)
        except ValueError:
            return ValueError

    assert repr(read(loads)) == repr(read(json.loads))


@pytest.mark.parametrize("data", [b"", b" ", b"{", b"{}x", b"\xff", b'{"a":1,}', b"nul", b"[1 2]"])
def test_what_is_no_json_is_an_error_of_one_kind(data):
    with pytest.raises(ValueError, match=r"JSON|codec|Expecting"):
        loads(data)


def test_a_byte_order_mark_and_blanks_around_are_no_part_of_it():
    assert loads(b'\xef\xbb\xbf \n{"a": [1]}\r\n') == {"a": [1]}
