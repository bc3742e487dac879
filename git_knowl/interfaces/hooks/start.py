"""What the shims start, by its path and with `python -I -S`: nothing of the caller's is imported.

Without `site` a start costs a third less, and most hooks need no more than the standard library and
this package.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType


class Site:
    """A finder that has the folders of `site` looked through once a module is found in no other."""

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module lies after all, or None; asked the first time, not again."""
        sys.meta_path.remove(cls)
        import importlib.machinery
        import site

        site.main()
        return importlib.machinery.PathFinder.find_spec(name, path, target)


def main() -> int:
    """Make this very package importable, wherever it lies, and run the hook."""
    here = os.path.abspath(__file__)
    for _ in range(4):
        here = os.path.dirname(here)
    sys.path.insert(0, here)
    sys.meta_path.append(Site)
    from git_knowl.interfaces.hooks.run import run

    run(sys.argv[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
