"""Light dataclasses behave as real ones do."""

from __future__ import annotations

import dataclasses

import pytest

from git_knowl.model.light import cached_property, dataclass


@dataclass(frozen=True, slots=True)
class Light:
    """A class made by the light decorator."""

    name: str
    paths: tuple[str, ...] = ()
    note: str | None = None

    @property
    def loud(self) -> str:
        """The name in capitals."""
        return self.name.upper()


@dataclasses.dataclass(frozen=True, slots=True)
class Real:
    """The same made by the standard library."""

    name: str
    paths: tuple[str, ...] = ()
    note: str | None = None


@pytest.mark.parametrize("cls", [Light, Real])
def test_fields_come_by_place_name_and_default(cls):
    made = cls("a", note="n")

    assert (made.name, made.paths, made.note) == ("a", (), "n")
    assert repr(made) == f"{cls.__name__}(name='a', paths=(), note='n')"


@pytest.mark.parametrize("cls", [Light, Real])
@pytest.mark.parametrize(
    ("given", "named"),
    [((), {}), (("a", (), None, 4), {}), (("a",), {"name": "b"}), (("a",), {"odd": 1})],
)
def test_other_fields_are_refused(cls, given, named):
    with pytest.raises(TypeError):
        cls(*given, **named)


@pytest.mark.parametrize("cls", [Light, Real])
def test_values_are_equal_by_what_they_hold(cls):
    assert cls("a", ("x",)) == cls("a", ("x",))
    assert cls("a") != cls("b")
    assert cls("a") != "a"
    assert len({cls("a"), cls("a"), cls("b")}) == 2


@pytest.mark.parametrize("cls", [Light, Real])
def test_values_are_frozen(cls):
    made = cls("a")

    with pytest.raises(AttributeError):
        made.name = "b"
    with pytest.raises(AttributeError):
        del made.name
    with pytest.raises((AttributeError, TypeError)):  # slots: nothing else can be set either
        made.other = 1


@pytest.mark.parametrize("cls", [Light, Real])
def test_the_standard_library_takes_them_for_its_own(cls):
    made = cls("a", ("x",))

    assert dataclasses.replace(made, name="b") == cls("b", ("x",))
    assert dataclasses.asdict(made) == {"name": "a", "paths": ("x",), "note": None}
    assert [field.name for field in dataclasses.fields(cls)] == ["name", "paths", "note"]
    assert dataclasses.is_dataclass(cls)


def test_what_else_the_class_holds_is_kept():
    assert Light("a").loud == "A"
    assert Light.__doc__ == "A class made by the light decorator."
    assert Light.__module__ == __name__


def test_a_cached_property_is_made_once_for_each_instance_until_it_is_forgotten():
    made = []

    class Thing:
        @cached_property
        def number(self) -> int:
            """How many were made before."""
            made.append(self)
            return len(made)

    one, other = Thing(), Thing()

    assert (one.number, one.number, other.number) == (1, 1, 2)
    assert vars(one) == {"number": 1}
    vars(one).pop("number")
    assert one.number == 3
    assert Thing.number.__doc__ == "How many were made before."
