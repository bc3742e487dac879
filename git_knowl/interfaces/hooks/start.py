"""What the shims start, by its path and with `python -I`: nothing of the caller's is imported."""

import os
import sys


def main() -> int:
    """Make this very package importable, wherever it lies, and run the hook."""
    here = os.path.abspath(__file__)
    for _ in range(4):
        here = os.path.dirname(here)
    sys.path.insert(0, here)
    from git_knowl.interfaces.hooks.run import run

    run(sys.argv[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
