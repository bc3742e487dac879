"""What every service is handed: the caller, and the repository with all that hangs on it.

A door makes one of each per command; services never look at the environment, the clock or the
terminal by themselves.
"""

from __future__ import annotations

import time

from git_knowl.errors import KnowlError
from git_knowl.model.ids import make_id
from git_knowl.model.light import cached_property, dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from git_knowl.anchors.worlds import DefaultWorld
    from git_knowl.model.settings import Settings
    from git_knowl.plumbing.objects import ObjectDatabase
    from git_knowl.plumbing.repository import Repository
    from git_knowl.store.cache_write import Cache
    from git_knowl.store.store import Store


class NoIdentityError(KnowlError):
    """Nobody is named who could vouch for a write."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks and from where.

    ``identify`` asks git for the person, ``host`` is the coding agent that runs the command,
    ``terminal`` tells whether a person can be asked; ``clock`` gives seconds since the epoch.
    """

    identify: Callable[[], str | None]
    host: str | None
    session: str | None
    terminal: bool
    cwd: str
    clock: Callable[[], float]
    entropy: Callable[[int], bytes]

    @property
    def person(self) -> str | None:
        """Git's identity as ``Name <mail>``, asked for only by what writes or compares it."""
        return self.identify()

    def now(self) -> str:
        """Return the time as entries and flags write it."""
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.clock()))

    def new_id(self) -> str:
        """Return a fresh ULID."""
        return make_id(int(self.clock() * 1000), self.entropy(10))

    def name(self) -> str:
        """Return the person, or raise with the way to name one."""
        if not self.person:
            raise NoIdentityError(
                "expected a name and a mail address from git, found not both of them",
                "set user.name and user.email with git config",
            )
        return self.person


class Context:
    """The repository of one command, opened as far as the command needs it."""

    def __init__(
        self,
        repo: Repository,
        caller: Caller,
        after_write: Callable[[Context], None] = lambda _: None,
    ) -> None:
        self.repo = repo
        self.caller = caller
        self.after_write = after_write
        self.is_hurried = False

    @cached_property
    def settings(self) -> Settings:
        """The ``knowl.*`` keys of git config, each checked when somebody needs it."""
        from git_knowl.model.settings import SettingsAsUsed
        from git_knowl.plumbing.config import read_settings

        return SettingsAsUsed(read_settings(self.repo))

    @cached_property
    def objects(self) -> ObjectDatabase:
        """The object database by plain git, which starts fastest."""
        from git_knowl.plumbing.objects import open_objects

        return open_objects(self.repo)

    @cached_property
    def store(self) -> Store:
        """Entries, inbox and state on their refs."""
        from git_knowl.store.store import Store

        return Store(self.repo, self.objects, Names(self), signs=lambda: self.settings.sign)

    @cached_property
    def tips(self) -> dict[str, str | None]:
        """The commit of each lane when it was first asked for."""
        from git_knowl.plumbing import refs

        return refs.tips(self.repo)

    @cached_property
    def cache(self) -> Cache:
        """The derived cache, brought up to the tips."""
        from git_knowl.store.anchored_list import keep_list
        from git_knowl.store.cache_write import open_cache

        cache = open_cache(self.repo, self.tips, self.objects)
        keep_list(self.repo, cache)
        return cache

    @cached_property
    def entry_texts(self) -> dict[str, str]:
        """Name and description of every live entry by shown name, for all that is compared."""
        return self.cache.texts()

    def refresh(self) -> None:
        """Forget what was read, so that the next question sees what was written meanwhile.

        Called after every write to entries: what is derived from them follows.
        """
        for name in ("tips", "cache", "entry_texts", "world"):
            self.__dict__.pop(name, None)
        self.after_write(self)

    def hurry(self) -> None:
        """Look at the files as a hook does: what takes long to judge is left unknown."""
        self.is_hurried = True
        self.__dict__.pop("world", None)

    @cached_property
    def world(self) -> DefaultWorld:
        """The files of whoever asks: the work tree, or HEAD in a bare repository."""
        from git_knowl.anchors.worlds import default_world

        return default_world(self.repo, self.caller.now(), is_hurried=self.is_hurried)


class Names:
    """Who has a name, answered by the derived cache; opened only when a write brings in a name."""

    __slots__ = ("_ctx",)

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx

    @property
    def tips(self) -> dict[str, str | None]:
        """The commit of each lane the answers hold for."""
        return self._ctx.tips

    def prepare(self) -> None:
        """Bring the cache up to the tips; in a large store that was never read it takes minutes."""
        _ = self._ctx.cache

    def find_name(self, name: str) -> list[tuple[str, str]]:
        """Return (lane, id) of the live entries stored under a name, damaged ones among them."""
        from git_knowl.store import layout

        cache = self._ctx.cache
        found = [(lane, layout.parse_entry_path(path)) for lane, path, _ in cache.damaged()]
        damaged = [(lane, told[0]) for lane, told in found if told and told[1] == name]
        return [*cache.names(name), *damaged]
