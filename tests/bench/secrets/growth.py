"""How the work of the secret filter grows with hostile texts: with their length, not its square.

``python -m tests.bench.secrets.growth`` prints, worst first, how many times longer a text of four
times the length takes: 4 is as it should be, 16 would be the square.
"""

from __future__ import annotations

import gc
import sys
import time

from git_knowl.services.filters.secrets import find

SHORT, LONG = 16_000, 64_000
RUNS = 3
#: Beginnings of what the rules look for, each to be repeated until the text is long.
PARTS = (
    *("password-", "token:", 'token="', "http://a:", "--token ", "cookie: a=b; ", "pypi-", "-"),
    *("-----BEGIN " + "PRIVATE KEY-----\n", "eyJabcdefgh.", "curl -u a", "curl \\\n", "pwd={"),
    *("password is ", "login ", "credentials: a/", 'variable "password" {', "<password>", "S_KEY="),
    *(
        "name: password value: ",
        "ENV a_",
        "setx aaaa",
        "https://x@y:",
        "a:5432:b:c:",
        "htpasswd -b ",
    ),
    *("token a token b is 1 ", "key key key is 1", "[REDACTED:TOKEN]", "config set a.", "密码是"),
    *(
        "1234567890123456|",
        "a1",
        "sig=",
        "token:\n",
        "- a\n",
        "**",
        "token string = ",
        "mysql a -",
        "'",
        "`",
        "=",
        ":",
    ),
)


def main() -> int:
    """Measure every text in both lengths, and print a row for each."""
    rows = sorted(((seconds(part, LONG), seconds(part, SHORT), part) for part in PARTS), key=growth)
    print("| text | ms at 64 kB | times that at 16 kB |\n| --- | --- | --- |")
    for long, short, part in reversed(rows):
        print(f"| {part!r} | {long * 1000:.1f} | {long / short:.1f} |")
    return 0


def growth(row: tuple[float, float, str]) -> float:
    """Return how many times longer the long text took."""
    return row[0] / row[1]


def seconds(part: str, length: int) -> float:
    """Return the least processor time of a few runs over a repeated part."""
    text = (part * length)[:length]
    times = []
    for _ in range(RUNS):
        gc.collect()
        begun = time.process_time()
        find(text)
        times.append(time.process_time() - begun)
    return min(times)


if __name__ == "__main__":
    sys.exit(main())
