"""Values that look generated, from templates such as ``ghp_{36:alnum}``; the same in every run.

Templates keep every file of this repository free of anything a scanner could take for a secret.
"""

from __future__ import annotations

import base64
import json
import random
import re
import string

UPPER, LOWER, DIGITS = string.ascii_uppercase, string.ascii_lowercase, string.digits
ALPHABETS = {
    "alnum": string.ascii_letters + DIGITS,
    "upper": UPPER + DIGITS,
    "lower": LOWER + DIGITS,
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "digits": DIGITS,
    "b32": UPPER + "234567",
    "b32l": LOWER + "234567",
    "url": string.ascii_letters + DIGITS + "-_",
    "b64": string.ascii_letters + DIGITS + "+/",
    "word": LOWER,
    "cap": UPPER,
}
_HOLE = re.compile(r"\{(\d*):?(\w+)\}")
_WORDS = ("river", "copper", "maple", "harbor", "lantern", "saddle", "pepper", "granite", "willow")


class Maker:
    """Fills templates; ``{n:alphabet}`` is n characters, ``{uuid}`` and ``{password}`` are words.

    One maker gives one value after the other; two of one seed give the same.
    """

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)  # noqa: S311 - the same values in every run

    def fill(self, template: str) -> str:
        """Return the template with each hole filled anew."""
        return _HOLE.sub(self._filled, template)

    def _filled(self, hole: re.Match[str]) -> str:
        if not hole[1]:
            return str(getattr(self, hole[2])())
        return self.characters(int(hole[1]), ALPHABETS[hole[2]])

    def characters(self, size: int, alphabet: str) -> str:
        """Return characters of an alphabet; a letter and a digit among them if it has both."""
        ends = [self._random.choice(alphabet) for _ in range(size)]
        digits, letters = set(alphabet) & set(DIGITS), set(alphabet) - set(DIGITS)
        if digits and letters and size > len("a1b2"):
            ends[size // 2] = self._random.choice(sorted(digits))
            ends[size // 3] = self._random.choice(sorted(letters & set(string.ascii_letters)))
        # Most alphabets have signs, and no vendor hands out a token that ends in one.
        ends[-1] = ends[-1] if ends[-1].isalnum() else "k"
        return "".join(ends)

    def uuid(self) -> str:
        """Return a random UUID."""
        return self.fill("{8:hex}-{4:hex}-4{3:hex}-a{3:hex}-{12:hex}")

    def password(self) -> str:
        """Return a password as people make them: a word with digits, a capital or a sign in it."""
        word, other = self._random.sample(_WORDS, 2)
        number = self._random.randrange(10, 9999)
        return self._random.choice(
            [f"{word}{number}", f"{word.title()}{number}!", f"{word}-{number}-{other.title()}"]
        )

    def generated(self) -> str:
        """Return a password as a password manager makes them, without signs of quoting."""
        return self.characters(20, ALPHABETS["alnum"] + "!*+-_.~^")

    def jwt(self) -> str:
        """Return a JSON Web Token."""
        head = {"alg": "HS256", "typ": "JWT", "kid": self.fill("{8:hex}")}
        claims = {"sub": self.fill("{10:digits}"), "iat": 1764410400}
        return f"{_urlsafe(head)}.{_urlsafe(claims)}.{self.fill('{43:url}')}"

    def packed(self) -> str:
        """Return a JSON object with a key in it, in base 64, as some vendors hand keys out."""
        return _urlsafe({"k": self.fill("{32:alnum}"), "n": "deploy", "id": 1})

    def basic(self) -> str:
        """Return what stands after `Basic` in a header."""
        return base64.b64encode(self.fill("kim:{generated}").encode()).decode()

    def pem(self) -> str:
        """Return the lines of a key in base 64."""
        return "\n".join(self.fill("{64:b64}") for _ in range(5))

    def escaped(self) -> str:
        r"""Return the lines of a key in base 64 on one line, joined by ``\n``."""
        return self.pem().replace("\n", "\\n")


def _urlsafe(value: object) -> str:
    text = json.dumps(value, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
