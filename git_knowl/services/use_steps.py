"""Of what use entries were, in a few coarse steps, as the index reads it without loading counts.

A small file beside the repository, made anew whenever counts are taken over into the state of this
clone: so the order of the index stays as it is while a session reads. It may be lost.
"""

from __future__ import annotations

from git_knowl.plumbing import small_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_knowl.plumbing.repository import Repository
    from git_knowl.store.use import Tally

FILE = "use.steps"
#: So many entries are told, those of the most use.
MOST = 200
MOST_BYTES = 16_384
#: What somebody says counts for more than that an entry was read; that it was shown is our doing.
JUDGED = 4
STEPS = 3


def step(tally: Tally) -> int:
    """Return the step of a count: 4 readings, 16, or 64 make the next one; 0 is of no use yet."""
    weight = tally.read + JUDGED * (tally.useful - tally.wrong)
    return min(STEPS, (max(weight, 1).bit_length() - 1) // 2)


def keep(repo: Repository, tallies: Mapping[str, Tally]) -> None:
    """Write down the entries that were of use."""
    told = sorted((-step(tally), key) for key, tally in tallies.items() if step(tally))
    lines = "".join(f"{key} {-taken}\n" for taken, key in told[:MOST])
    small_files.put(repo.shared_path(FILE), lines.encode("ascii", "replace"))


def steps(repo: Repository) -> dict[str, int]:
    """Return the step of every entry that was of use, by id; a line that is odd is none."""
    try:
        with open(repo.shared_path(FILE), "rb") as file:
            lines = file.read(MOST_BYTES).decode("ascii", "replace").splitlines()
    except OSError:
        return {}
    pairs = (line.split(" ") for line in lines[:MOST])
    known = {str(number): number for number in range(1, STEPS + 1)}
    return {pair[0]: known[pair[1]] for pair in pairs if len(pair) == 2 and pair[1] in known}
