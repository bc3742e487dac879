"""``dataclass`` and ``cached_property`` for the short paths, without what comes with them.

The dataclass is the frozen, slotted kind: importing `dataclasses` and making a dozen classes cost
two bare Python starts, a third of all that `flag` would take. Type checkers see the real ones, and
so does whoever asks an instance for its fields: `dataclasses.replace` and ``asdict`` take it for
one of theirs.
"""

from __future__ import annotations

__all__ = ["cached_property", "dataclass"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass
    from functools import cached_property
else:

    class cached_property:  # noqa: N801 - the name of its model
        """A value made when it is first asked for, and kept in the instance under its name."""

        def __init__(self, make: object) -> None:
            self._make = make
            self.__doc__ = make.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, instance: object, owner: type | None = None) -> object:
            if instance is None:
                return self
            made = instance.__dict__[self._name] = self._make(instance)
            return made

    def dataclass(*, frozen: bool, slots: bool) -> type:
        """Return the decorator; both options are always on, and fields take plain defaults only."""
        del frozen, slots
        return _make

    def _make(cls: type) -> type:
        names = tuple(cls.__annotations__)
        body = {key: made for key, made in vars(cls).items() if key not in _OF_EVERY_CLASS}
        defaults = {name: body.pop(name) for name in names if name in body}
        body |= {"__slots__": names, "__match_args__": names, "_defaults": defaults, **_METHODS}
        return type(cls.__name__, cls.__bases__, body)

    def _init(self: object, *given: object, **named: object) -> None:
        names = self.__match_args__
        placed = dict(zip(names, given, strict=False))
        fields = self._defaults | placed | named
        if len(given) > len(names) or placed.keys() & named or fields.keys() != set(names):
            raise TypeError(
                f"{type(self).__name__}: expected {names}, got {len(given)} + {[*named]}"
            )
        for name in names:
            object.__setattr__(self, name, fields[name])

    def _refuse(self: object, name: str, *_: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} is frozen")

    def _values(self: object) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__match_args__)

    def _equal(self: object, other: object) -> bool:
        return _values(self) == _values(other) if type(other) is type(self) else NotImplemented

    def _hash(self: object) -> int:
        return hash(_values(self))

    def _show(self: object) -> str:
        told = zip(self.__match_args__, _values(self), strict=True)
        return f"{type(self).__name__}({', '.join(f'{name}={made!r}' for name, made in told)})"

    class _LateFields:
        """The fields as `dataclasses` describes them, made when it asks for them."""

        def __get__(self, instance: object, owner: type) -> dict[str, object]:
            import dataclasses  # noqa: PLC0415 - not loading it is the point of this module

            defaults = vars(owner)["_defaults"]
            plain = type("", (), {"__annotations__": owner.__annotations__, **defaults})
            return dataclasses.dataclass(plain).__dataclass_fields__

    _OF_EVERY_CLASS = ("__dict__", "__weakref__")
    _METHODS = {
        "__init__": _init,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__eq__": _equal,
        "__hash__": _hash,
        "__repr__": _show,
        "__dataclass_fields__": _LateFields(),
    }
