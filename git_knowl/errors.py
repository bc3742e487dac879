"""The one root of every expected error; leaves stand beside what raises them."""


class KnowlError(Exception):
    """An expected failure that a person or program can act on.

    ``message`` says what was expected and what was found, ``hint`` names the way out. ``exit_code``
    is what the command line returns (DESIGN §13: 1 expected, 2 usage, 3 findings, 4 lost race).
    """

    exit_code = 1

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class MovedError(KnowlError):
    """What the caller wrote against has changed meanwhile: a moved draft or a lost race."""

    exit_code = 4
