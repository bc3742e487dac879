"""One event of an agent's session in, what the agent and the person are told out.

On the path of every tool call: the standard library and git alone, and of those what is needed.
"""

from __future__ import annotations

from git_knowl.model.light import cached_property
from git_knowl.model.limits import INDEX_BUDGET
from git_knowl.plumbing import config, refs
from git_knowl.services.agents import event as kinds
from git_knowl.services.agents import memory as memories
from git_knowl.services.agents.event import NOTHING, Event, Said
from git_knowl.services.agents.ours import is_capture, is_ours, may_write, names, reserved
from git_knowl.services.agents.watermark import mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from git_knowl.services.agents.memory import Memory
    from git_knowl.services.agents.touching import Asked
    from git_knowl.services.context import Context

    Answer = Callable[["Session"], Said]

#: The index is owed to an agent that was compacted where nothing could be said.
INDEX = "index"
#: The setting that names the personal store.
PERSONAL = "knowl.personal"
#: Events between which no start can be another one.
STARTING = (kinds.START, kinds.HELPER, kinds.PROMPT)
#: After so many successful tool calls without one of ours there is a card, then after twice that…
PATIENCE = 12
UNUSED = (
    "{} tool calls without a look at the store. Before unfamiliar code: `git knowl why PATH`. Found"
    ' something a later session would pay for again: `git knowl flag "ONE SENTENCE" -p PATH`.'
)
REFUSED = (
    "'git knowl {}' lets text in front of every agent, so only a person runs it, in a terminal."
    " Flag what you found, or hand in drafts with 'git knowl capture --submit'."
)


class Session:
    """An event beside what the agent was told, and the store it is told from."""

    def __init__(self, ctx: Context, event: Event, memory: Memory) -> None:
        self.ctx = ctx
        self.event = event
        self.memory = memory

    @cached_property
    def settings(self) -> dict[str, str]:
        """What git config says of us; most tool calls need not know."""
        return config.read_settings(self.ctx.repo)

    @cached_property
    def budget(self) -> int | None:
        """The tokens of the index; None where the setting makes no sense."""
        from git_knowl.services.index_warm import budget_of  # noqa: PLC0415 - few calls need it

        return budget_of(self.settings.get("knowl.indexbudget"))

    @cached_property
    def trusted(self) -> tuple[str, ...] | None:
        """The tiers that reach agents; None where the setting makes no sense."""
        from git_knowl.services.index_warm import trusted_by  # noqa: PLC0415 - few calls need it

        return trusted_by(self.settings.get("knowl.trust"))

    @cached_property
    def asked(self) -> Asked | None:
        """The store; None where there is none, and where settings make no sense."""
        ctx = self.ctx
        if not any(ctx.tips.values()) and not self.settings.get(PERSONAL):
            return None
        if self.budget is None or self.trusted is None:
            return None
        from git_knowl.services.agents.touching import Asked  # noqa: PLC0415 - there is a store
        from git_knowl.store.cache import open_warm  # noqa: PLC0415 - there is a store

        cache = open_warm(ctx.repo, ctx.tips) or ctx.cache
        return Asked(ctx, cache, self.trusted, self.settings)


def answer(ctx: Context, host: str, event: Event) -> Said:
    """Return what is to be said on an event; the memory of the agent is kept beside it."""
    if not is_used(ctx):
        return greeting(event)
    if event.kind == kinds.END:
        return ended(ctx, host, event)
    if event.kind == kinds.BEFORE and (verb := reserved(event)):
        return refusal(ctx, verb)
    memory = memories.open_memory(ctx.repo, host, event.session, event.agent)
    try:
        if event.kind not in STARTING:
            memory.goes_on()
        return ANSWERS[event.kind](Session(ctx, event, memory))
    finally:
        memory.close()


def ended(ctx: Context, host: str, event: Event) -> Said:
    """Forget what the agent was told, and take over what was noted meanwhile if that is much."""
    from git_knowl.services import use_log  # noqa: PLC0415 - at the end of a session

    memories.forget(ctx.repo, host, event.session, event.agent)
    if use_log.is_full(ctx):
        from git_knowl.services.use import gather_if_free  # noqa: PLC0415 - rarely

        gather_if_free(ctx)
    return NOTHING


def is_used(ctx: Context) -> bool:
    """Tell whether there is anything to read: in other repositories we leave no trace.

    That is what anybody has written here, or the personal store that is read in every repository.
    """
    if any(ctx.tips.values()) or refs.read(ctx.repo, (refs.INBOX,))[refs.INBOX]:
        return True
    return bool(config.get(ctx.repo, PERSONAL))


def greeting(event: Event) -> Said:
    """Return what to flag, where an agent begins in a repository in which nobody has flagged."""
    if event.kind not in (kinds.START, kinds.HELPER):
        return NOTHING
    from git_knowl.services.index_text import nothing_yet  # noqa: PLC0415 - at a start

    return Said(nothing_yet(0))


def refusal(ctx: Context, verb: str) -> Said:
    """Return why the agent may not run a verb, unless the person has allowed it."""
    if config.get(ctx.repo, "knowl.unattended") == "allow":
        return NOTHING
    return Said(denied=REFUSED.format(verb))


def begin(one: Session) -> Said:
    """Tell the index, and half of it to a subagent; once, where a host calls us twice."""
    now = one.ctx.caller.clock()
    memories.prune(one.ctx.repo, now)
    if one.memory.begins_again("anew" if one.event.resets else "on", now):
        return NOTHING
    if one.event.resets:
        one.memory.forget_told()
    one.memory.tips = mark(one.ctx)
    one.memory.owes.discard(INDEX)
    return Said(index(one))


def index(one: Session) -> str:
    """Return the index: the stored verdicts while they hold, else judged afresh.

    Where nothing is listed the agent still hears what is worth a flag.
    """
    if one.budget is None or one.trusted is None:
        return ""
    from git_knowl.services.index_warm import warm_block  # noqa: PLC0415 - at a start

    ctx = one.ctx
    share = one.budget // 2 if one.event.kind == kinds.HELPER else one.budget
    tokens = max(share, INDEX_BUDGET[0])
    text = warm_block(ctx.repo, ctx.tips, one.settings, ctx.caller.now(), tokens)
    if text is None:
        from git_knowl.services.index_block import index_block  # noqa: PLC0415 - something moved

        text = index_block(ctx, tokens)
    return text or nothing_listed(ctx)


def nothing_listed(ctx: Context) -> str:
    """Return the block without a line, which counts the flags that wait."""
    from git_knowl.services.agents.reminder import waiting  # noqa: PLC0415 - hardly anything here
    from git_knowl.services.index_text import nothing_yet  # noqa: PLC0415 - as there

    return nothing_yet(waiting(ctx))


def asked(one: Session) -> Said:
    """Tell what is owed, what bears on the question, and what others wrote."""
    owed = pay(one)
    if one.asked is None:
        return told(owed)
    from git_knowl.services.agents.recall import recall  # noqa: PLC0415 - there is a store

    found = recall(one.asked, one.memory, one.event.prompt)
    return told(owed, found, moved(one))


def told(*blocks: str) -> Said:
    """Return the blocks as one text for the agent; mostly there are none."""
    if not any(blocks):
        return NOTHING
    from git_knowl.services.agents.cards import joined  # noqa: PLC0415 - there is something to say

    return Said(joined(blocks))


def before(one: Session) -> Said:
    """Tell the entries on the files a tool is about to touch."""
    return told(touched(one))


def after(one: Session) -> Said:
    """Count the call, and tell what is owed, what it touched and what others wrote."""
    if is_ours(one.event):
        return called(one)
    due = count(one.memory, one.event.call)
    return told(pay(one), touched(one), moved(one), due)


def called(one: Session) -> Said:
    """Note that the agent has called us: what it wrote itself is no news to it."""
    one.memory.reset_count()
    if is_capture(one.event):
        from git_knowl.services.agents.reminder import captured  # noqa: PLC0415 - rarely

        captured(one.ctx, one.event.session)
    return told(moved(one, names(one.event) if may_write(one.event) else None))


def count(memory: Memory, call: str) -> str:
    """Count a call without us, once, and return the card where one is due: at 12, 36, 84, 180."""
    if memory.is_counted(call):
        return ""
    memory.calls += 1
    if memory.calls < PATIENCE * (2 ** (memory.cards + 1) - 1):
        return ""
    from git_knowl.services.agents.cards import note  # noqa: PLC0415 - one call of twelve

    memory.cards += 1
    return note(UNUSED.format(memory.calls))


def touched(one: Session) -> str:
    """Return the entries on the files of the event."""
    if not one.event.paths or one.asked is None:
        return ""
    from git_knowl.services.agents.touching import touching  # noqa: PLC0415 - there are files

    return touching(one.asked, one.memory, one.event.paths)


def moved(one: Session, written: frozenset[str] | None = None) -> str:
    """Return what others wrote to the store since the agent looked.

    ``written`` are the words of a call by which the agent may have written itself.
    """
    now, before = mark(one.ctx), one.memory.tips
    one.memory.tips = now
    if before in (None, now) or one.asked is None:
        return ""
    from git_knowl.services.agents.changes import changes  # noqa: PLC0415 - the store has moved

    return changes(one.asked, one.memory, (str(before), now), written)


def pay(one: Session) -> str:
    """Return the index where it is owed."""
    if INDEX not in one.memory.owes:
        return ""
    one.memory.owes.discard(INDEX)
    return index(one)


def compacted(one: Session) -> Said:
    """Note that the agent loses what it was told, and is owed the index."""
    one.memory.forget_told()
    one.memory.owes.add(INDEX)
    return NOTHING


def stopped(one: Session) -> Said:
    """Remind the person of flags that wait."""
    from git_knowl.services.agents.reminder import reminder  # noqa: PLC0415 - at the end of a turn

    return Said(notice=reminder(one.ctx, one.event.session))


ANSWERS: dict[str, Answer] = {
    kinds.START: begin,
    kinds.HELPER: begin,
    kinds.PROMPT: asked,
    kinds.BEFORE: before,
    kinds.AFTER: after,
    kinds.COMPACTED: compacted,
    kinds.STOP: stopped,
}
