"""One exchange with a remote, in rounds: look, take, join, send, and look again.

Nothing counts as sent because a push said so: the exchange ends when the remote shows a commit that
holds all of ours. Whatever moved in between is another round.
"""

from __future__ import annotations

import time
from contextlib import suppress

from git_knowl.errors import KnowlError, MovedError
from git_knowl.model.draft import Draft
from git_knowl.plumbing import refs, remote
from git_knowl.plumbing.objects import open_objects
from git_knowl.plumbing.remote import PushResult, RemoteMoved
from git_knowl.plumbing.repository import Repository
from git_knowl.plumbing.scratch import Scratch
from git_knowl.services.context import Context
from git_knowl.services.purged.known import HoldsPurgedError, check_purged
from git_knowl.services.sync import alike, incoming, outgoing, owed, result, sending, since
from git_knowl.services.sync.place import Pace, Place
from git_knowl.services.sync.result import Synced
from git_knowl.store.merge.join import Joined, Outcome, join
from git_knowl.store.store import Store
from git_knowl.store.transaction import Record

OP = "sync"
#: Who joins two histories where git names nobody, as in a job of CI; it vouches for no text.
NOBODY = "git-knowl <git-knowl@localhost>"
LONGEST_PAUSE = 2.0
#: Rounds in which a remote may show the same, and say that it moved or that it took something.
STUBBORN = 5

#: What each address of a place shows: a commit, or None for no store.
Shown = dict[str, str | None]


class LostRaceError(MovedError):
    """Others were faster in every round."""


class Exchange:
    """One sync with one place, over as many rounds as it takes."""

    def __init__(
        self, ctx: Context, place: Place, pace: Pace, *, pull: bool, same_project: bool
    ) -> None:
        self.ctx = ctx
        self.place = place
        self.pace = pace
        self.pull = pull
        self.same_project = same_project
        self.received: tuple[Outcome, ...] = ()
        self.sent: tuple[Outcome, ...] = ()
        self.drafts = 0
        self.proposals: tuple[Draft, ...] = ()
        self._seen: list[Shown] = []

    def run(self) -> Synced:
        """Go on until the remote shows what we have, then say what went both ways.

        What fails before anything came in is raised, what fails later stands in the result: what
        came in is here, and has to be told.
        """
        try:
            shown = self._rounds()
        except KnowlError as error:
            if not self.received:
                raise
            copy = self.place.copy
            self.sent = ()
            return self._result(refs.read(self.ctx.repo, (copy,))[copy], error)
        return self._result(self._there(shown))

    def _rounds(self) -> Shown:
        """Go on until the remote shows what we have; return what it shows."""
        for turn in range(self.pace.tries):
            shown = self.look()
            self._seen.append(shown)
            if self.take(shown):
                if self.pull or self.is_shown(shown):
                    return shown
                if sending.is_taken(self.place, self.send(shown), is_still=self._is_still):
                    continue
            time.sleep(self._pause(turn))
        raise LostRaceError(
            f"others were faster than this clone in {self.pace.tries} rounds: what they sent is"
            " here, nothing of ours was sent",
            f"'git knowl sync {self.place.remote}' tries again",
        )

    def preview(self) -> Synced:
        """Say what a run would move, from objects that are thrown away afterwards."""
        shown = self.look()
        ours, theirs = self.tip(), self._there(shown)
        with Scratch(self.ctx.repo) as scratch:
            repo = self.ctx.repo.with_objects(scratch.borrowed)
            store = Store(repo, open_objects(repo))
            received: tuple[Outcome, ...] = ()
            for source, commit in _told(shown):
                if _holds(repo, ours, commit):
                    continue
                self._preview_fetch(repo, source, commit, shown)
                done = self._join(store, commit, dry_run=True)
                received = result.merged(received, done.outcomes)
                self.proposals += done.proposals
            sent = () if self.pull else self._would_send(store, theirs, ours)
            count = owed.count(repo, ours, theirs)
            store.db.close()
        return Synced(
            self.place.remote,
            theirs,
            received,
            sent,
            count,
            proposals=self.proposals,
            dry_run=True,
            pull=self.pull,
        )

    def _preview_fetch(self, repo: Repository, source: str, commit: str, shown: Shown) -> None:
        try:
            remote.fetch(repo, source, [commit], timeout=self.pace.move)
        except RemoteMoved as error:
            if self.look() == shown:
                raise sending.broken(self.place, commit, error) from error
            raise

    def tip(self) -> str | None:
        """Return the present tip of the shared lane."""
        return refs.read(self.ctx.repo, (refs.ENTRIES,))[refs.ENTRIES]

    def look(self) -> Shown:
        """Return what the remote shows, and the addresses a push goes to where they differ."""
        sources = [self.place.remote]
        if not self.pull:
            sources += remote.push_places(self.ctx.repo, self.place.remote)
        shown: Shown = {}
        for source in dict.fromkeys(sources):
            found = remote.ls(self.ctx.repo, source, [self.place.ref], timeout=self.pace.look)
            shown[source] = found.get(self.place.ref)
        return shown

    def take(self, shown: Shown) -> bool:
        """Fetch, check and join what is shown; tell whether that is done.

        It is not where the remote moved on between showing and fetching.
        """
        for source, theirs in _told(shown):
            if _holds(self.ctx.repo, self.tip(), theirs):
                continue
            try:
                remote.fetch(self.ctx.repo, source, [theirs], timeout=self.pace.move)
            except RemoteMoved as error:
                if self._is_still or not theirs.strip("0"):
                    raise sending.broken(self.place, theirs, error) from error
                return False
            self._receive(self.tip(), self._join(self.ctx.store, theirs))
        if not (self.pull and remote.push_places(self.ctx.repo, self.place.remote)):
            self._keep(self._there(shown))
        return True

    def _receive(self, before: str | None, done: Joined) -> None:
        """Note what came in, and in the state since when: whatever fails later, it is here."""
        was_empty = not self.received
        self.received = result.merged(self.received, done.outcomes)
        self.proposals += done.proposals
        self.drafts += len(done.proposals)
        if self.received and was_empty:
            since.remember(self.ctx, before, self._record())
        self.ctx.refresh()
        self.drafts += 0 if self.pull else alike.propose(self.ctx, done.outcomes)

    @property
    def _is_still(self) -> bool:
        """Tell whether the remote has shown the very same so often that nobody is moving it."""
        return self._seen.count(self._seen[-1]) >= min(STUBBORN, self.pace.tries)

    def is_shown(self, shown: Shown) -> bool:
        """Tell whether every address that we send to shows all that we have."""
        tip = self.tip()
        return tip is None or all(
            _holds(self.ctx.repo, theirs, tip) for theirs in self._targets(shown)
        )

    def send(self, shown: Shown) -> PushResult:
        """Push the tip unforced, when nothing in it is secret."""
        tip, there = str(self.tip()), self._there(shown)
        outgoing.check_format(self.ctx.store, tip)
        found = outgoing.secrets_in(self.ctx.store, tip, [theirs for _, theirs in _told(shown)])
        if found:
            raise outgoing.SecretsError(found)
        if self.place.is_branch and there is None:
            sending.look_at_branches(self.ctx.repo, self.place, self.pace)
        self.sent = outgoing.moving(self.ctx.store, there, tip)
        return sending.push(self.ctx.repo, self.place, tip, self.pace)

    def _targets(self, shown: Shown) -> list[str | None]:
        """Return what each address shows that a push goes to."""
        places = [theirs for source, theirs in shown.items() if source != self.place.remote]
        return places or list(shown.values())

    def _there(self, shown: Shown) -> str | None:
        return self._targets(shown)[0]

    def _join(self, store: Store, theirs: str, *, dry_run: bool = False) -> Joined:
        incoming.check(store, self.place, theirs, self.tip())
        self._refuse_purged(store, theirs, keep=not dry_run)
        return join(
            store,
            theirs,
            self._record(),
            admit=incoming.admit,
            dry_run=dry_run,
            same_project=self.same_project,
        )

    def _refuse_purged(self, store: Store, theirs: str, *, keep: bool) -> None:
        """Stop before two histories meet of which one holds what the other purged.

        What others purged is kept, as their store says it: a purge here reads it there.
        """
        try:
            check_purged(store, self.place.remote, theirs)
        except HoldsPurgedError:
            if keep:
                self._keep(theirs)
            raise

    def _would_send(
        self, store: Store, theirs: str | None, ours: str | None
    ) -> tuple[Outcome, ...]:
        if ours is None or ours == theirs:
            return ()
        outgoing.check_format(store, ours)
        found = outgoing.secrets_in(store, ours, [theirs] if theirs else [])
        self.ctx.repo.notices.extend(f"would not be sent: {one}" for one in found)
        return outgoing.ahead(store, theirs, ours)

    def _keep(self, theirs: str | None) -> None:
        """Keep what the remote showed: what is owed to it is computed from that."""
        copy = self.place.copy
        before = refs.read(self.ctx.repo, (copy,))[copy]
        if theirs == before:
            return
        if theirs is None:
            self.ctx.repo.notices.append(
                f"'{self.place.remote}' held the store, and holds it no more"
            )
        with suppress(refs.RefMoved):  # another sync of this clone saw it later
            update = refs.Update(copy, theirs, before)
            refs.update(self.ctx.repo, [update], f"sync with {self.place.remote}")

    def _result(self, there: str | None, failed: KnowlError | None = None) -> Synced:
        ids = [one.id for one in self.received]
        rows = self.ctx.cache.by_ids(ids) if ids else []
        shown = {row.id: row.name for row in rows if row.name != row.own_name}
        return Synced(
            self.place.remote,
            there,
            result.with_shown_names(self.received, shown),
            self.sent,
            owed.count(self.ctx.repo, self.tip(), there),
            self.drafts,
            self.proposals,
            pull=self.pull,
            failed=failed,
        )

    def _record(self) -> Record:
        caller = self.ctx.caller
        told = f"sync with {self.place.remote}"
        return Record(OP, told, caller.person or NOBODY, int(caller.clock()))

    def _pause(self, turn: int) -> float:
        """Return seconds to wait: more each time, and by chance, so that no two go in step."""
        chance = self.ctx.caller.entropy(2)[-1] / 255
        return min(LONGEST_PAUSE, 0.05 * 1.5**turn) * (0.3 + chance)


def _told(shown: Shown) -> list[tuple[str, str]]:
    """Return the addresses that show a store, each commit once."""
    sources: dict[str, str] = {}
    for source, theirs in shown.items():
        if theirs:
            sources.setdefault(theirs, source)
    return [(source, theirs) for theirs, source in sources.items()]


def _holds(repo: Repository, commit: str | None, other: str) -> bool:
    """Tell whether a commit has another one in its history; both may be unknown here."""
    if commit is None:
        return False
    return repo.run("merge-base", "--is-ancestor", other, commit).code == 0
