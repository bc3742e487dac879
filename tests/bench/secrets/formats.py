"""Documented formats of what vendors hand out, as templates of `making`; none is a real value.

``<…>`` in a template marks the part that must not survive; without it, the whole does.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.bench.secrets import contexts


@dataclass(frozen=True)
class Format:
    """One documented format of one provider, and the contexts it is tried in."""

    provider: str
    template: str
    names: tuple[str, ...] = ()
    contexts: str = "bare"

    @property
    def places(self) -> dict[str, str]:
        """The texts it is put into."""
        if not self.names:
            return contexts.BARE if self.contexts == "bare" else contexts.WHOLE
        return {
            f"{where}, {name}": text.replace("NAME", name)
            for name in self.names
            for where, text in contexts.NAMED.items()
        }


def shaped(provider: str, *templates: str) -> list[Format]:
    """Return formats that are known by their shape."""
    return [Format(provider, template) for template in templates]


def named(provider: str, template: str, *names: str) -> list[Format]:
    """Return a format that only the names its vendor documents give away."""
    return [Format(provider, template, names)]


def whole(provider: str, *templates: str) -> list[Format]:
    """Return texts that show by themselves what they are."""
    return [Format(provider, template, contexts="whole") for template in templates]
