"""The four modes of the tool `knowledge`: capture, update, retire, audit."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from git_knowl.errors import KnowlError
from git_knowl.interfaces.mcp import text
from git_knowl.model.flag import Flag
from git_knowl.model.status import ACTIVE
from git_knowl.model.text import fenced, for_agent
from git_knowl.services import guidance
from git_knowl.services.audit.audit import Audit, audit
from git_knowl.services.capture import Packet, packet
from git_knowl.services.context import Context
from git_knowl.services.find import find_row
from git_knowl.services.index_block import index_block
from git_knowl.services.personal import show_any
from git_knowl.services.submit import Submitted, check, hand_in, submit, submit_update

MOST_INDEX_BYTES = 10_000
#: Tokens for the lines of an index that would be too large for a packet.
SMALL_INDEX = 800
SHORT = 10
HERE = (
    "Over MCP the tool knowledge takes the place of the commands: hand in with mode=capture and"
    " items, read an entry with its digest by knowledge_read, flag by knowledge_flag."
)
#: What a mode takes beside `mode`.
KEYS = {
    "capture": ("items",),
    "update": ("name", "expected", "entry", "reason", "flags"),
    "retire": ("name", "expected", "reason", "flags"),
    "audit": ("offset",),
}
#: What hands in, in place of asking how; both or neither are given.
HANDED = {"update": ("expected", "entry"), "retire": ("expected", "reason")}


class ArgumentsError(KnowlError):
    """Arguments that do not go with the mode; the message names them."""


def knowledge(ctx: Context, given: Mapping[str, Any]) -> str:
    """Answer a call of the tool; raises KnowlError for what cannot be done."""
    mode = str(given["mode"])
    arguments = {key: value for key, value in given.items() if value is not None and key != "mode"}
    refuse_strangers(mode, arguments)
    return MODES[mode](ctx, arguments)


def refuse_strangers(mode: str, arguments: Iterable[str]) -> None:
    """Raise ArgumentsError for what a mode does not take."""
    strange = sorted(set(arguments) - set(KEYS[mode]))
    if strange:
        raise ArgumentsError(
            f"{strange[0]}: mode '{mode}' does not take it",
            f"it takes {', '.join(KEYS[mode])}",
        )


def capture(ctx: Context, given: Mapping[str, Any]) -> str:
    """Hand out the packet, or make drafts of the items."""
    if "items" in given:
        items = [
            {key: value for key, value in item.items() if value is not None}
            for item in given["items"]
        ]
        return submitted(submit(ctx, {"items": items}))
    return packet_text(ctx, packet(ctx))


def packet_text(ctx: Context, found: Packet) -> str:
    """Return the packet as Markdown; what was flagged is data, escaped and fenced."""
    small = text.size(found.index) <= MOST_INDEX_BYTES
    index = found.index if small else index_block(ctx, SMALL_INDEX)
    kept, left = text.fitted([flag_line(flag, found.checks[flag.id]) for flag in found.flags])
    expired = [f"expired unused: {flag.summary}" for flag in found.expired]
    return "\n\n".join(
        filter(
            None,
            (
                HERE,
                found.guidance,
                f"# Pending flags ({len(found.flags)}), as data, one a line",
                fenced("\n".join(kept), "json") if kept else "None is pending.",
                f"{left} more left out: hand in what came of these, then ask again" if left else "",
                "\n".join(text.notes(expired)),
                "# What is known already",
                index.strip() or "Nothing yet.",
            ),
        )
    )


def flag_line(flag: Flag, checks: list[str]) -> str:
    """Return a flag as one line of JSON with what a machine can tell of it."""
    fields = {
        "id": flag.id,
        "summary": flag.summary,
        "paths": [item.path for item in flag.paths],
        "cue": flag.cue,
        "quote": flag.quote,
        "by": flag.by,
        "host": flag.host,
        "at": flag.at,
        "checks": checks,
    }
    told = {key: value for key, value in fields.items() if value}
    return for_agent(json.dumps(told, ensure_ascii=False), single_line=True)


def update(ctx: Context, given: Mapping[str, Any]) -> str:
    """Show an entry and how to repair it, or make a draft of its new text."""
    if asks_how("update", given):
        return how_to(ctx, given, "update")
    payload = {key: value for key, value in given.items() if key != "name"}
    return submitted(submit_update(ctx, given["name"], payload))


def retire(ctx: Context, given: Mapping[str, Any]) -> str:
    """Show an entry and when to retire it, or make a draft that proposes it."""
    if asks_how("retire", given):
        return how_to(ctx, given, "retire")
    item = {**given, "kind": "retire", "name": find_row(ctx, given["name"]).id}
    check("retire", item)
    return submitted(hand_in(ctx, [item], is_list=False))


def asks_how(mode: str, given: Mapping[str, Any]) -> bool:
    """Tell whether nothing is handed in yet; raises ArgumentsError for half of what is needed."""
    missing = [key for key in HANDED[mode] if key not in given]
    if "name" not in given:
        raise ArgumentsError("name: expected the name of an entry, got nothing", "see the index")
    if len(missing) == 1:
        raise ArgumentsError(
            f"{missing[0]}: expected it together with the others, got nothing",
            f"mode '{mode}' with name alone gives the entry with its digest, and how to go on",
        )
    return bool(missing)


def how_to(ctx: Context, given: Mapping[str, Any], topic: str) -> str:
    """Return the entry as it is, its digest, and the guidance on what to do about it."""
    found = show_any(ctx, given["name"])
    return "\n\n".join((HERE, guidance.text(topic).strip(), text.shown(found, 0)))


def submitted(done: Submitted) -> str:
    """Return the drafts that wait for a person, and what the writer should know."""
    scrubbed = (f"replaced {count} value(s) of type {kind}" for kind, count in done.redacted)
    kept, left = text.fitted(f"draft {one}" for one in done.ids)
    return "\n".join(
        (
            *kept,
            *text.left_out(left, "'git knowl inbox' lists them"),
            *text.notes((*done.notes, *done.warnings, *scrubbed)),
            "Nothing is live yet: a person reads drafts with 'git knowl review'.",
        )
    )


def audit_mode(ctx: Context, given: Mapping[str, Any]) -> str:
    """Judge every entry in the files here, and move nothing: a person's audit compares anew."""
    done = audit(ctx, ctx.world, move=False)
    offset = int(given.get("offset", 0))
    doubtful = [one for one in done.found.entries if one.verdict.status != ACTIVE]
    blocks = [
        "\n".join((text.entry_line(one), *text.anchor_lines(one.verdict.anchors, telling=True)))
        for one in doubtful[offset:]
    ]
    kept, left = text.fitted(blocks)
    way = f"ask again with offset {offset + len(kept)}"
    return "\n\n".join(
        filter(
            None,
            (
                guidance.text("audit").strip() if not offset else "",
                f"{len(done.found.entries)} entries, {len(doubtful)} of them not active.",
                text.framed(*kept, *text.left_out(left, way)) if kept else "",
                "" if offset else changed(done),
                "\n".join(text.damaged_notes(done.found.damaged)),
            ),
        )
    )


def changed(done: Audit) -> str:
    """Return what is judged otherwise than at the last audit of this worktree."""
    if done.is_first:
        return ""
    told = [
        f"- {text.line(one.name)}: {one.old or 'new'} -> {one.new}"
        f"{f' by {one.commit[:SHORT]}' if one.commit else ''}"
        for one in done.changed
    ]
    kept, left = text.fitted(told, text.MOST_LIST_BYTES // 4)
    lines = ("Since the last audit of this worktree:", *kept)
    return "\n".join((*lines, *text.left_out(left, "'git knowl audit' lists them"))) if told else ""


#: Every mode with what answers it.
MODES: dict[str, Callable[[Context, Mapping[str, Any]], str]] = {
    "capture": capture,
    "update": update,
    "retire": retire,
    "audit": audit_mode,
}
