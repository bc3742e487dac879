"""Operations of the store as they may be shown: what plain git wrote went through no filter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from git_knowl.services.filters import secrets
from git_knowl.store.history import Operation


def masked(operations: Iterable[Operation]) -> list[Operation]:
    """Return the operations with the secrets in what their commits say masked."""
    return [_masked(one) for one in operations]


def _masked(one: Operation) -> Operation:
    told = "\n".join((one.subject, one.author, *(value for _, value in one.trailers)))
    if not secrets.find(told):
        return one
    trailers = tuple((key, _clean(value)) for key, value in one.trailers)
    return replace(one, subject=_clean(one.subject), author=_clean(one.author), trailers=trailers)


def _clean(text: str) -> str:
    return secrets.scrub(text).text
