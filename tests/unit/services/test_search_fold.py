"""Suspect entries step behind the active one on the same subject, and only behind that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.model.entry import Related
from git_knowl.services.find_text import find_text
from git_knowl.services.search_scope import Wanted
from git_knowl.store.operations import PutEntry
from git_knowl.store.transaction import Record, publish
from tests.support.people import person, write

EDIT = Record("edit", "edit", "Kim <kim@example.org>", 1)
OLD = "Read before touching the message broker RabbitMQ"
NEW = "Read before touching the message broker SQS"


@pytest.fixture
def ctx(repo):
    repo.commit("more", {"old.ts": "1\n", "new.ts": "1\n", "other.ts": "1\n"})
    return person(repo)


def put(ctx, entry):
    publish(ctx.store, lambda _: [PutEntry("shared", entry)], EDIT)
    ctx.refresh()


def broker(ctx, *, tags=("broker", "queue"), rival="file:new.ts"):
    old = write(ctx, "broker-rabbitmq", "file:old.ts", description=OLD, tags=tags)
    new = write(ctx, "broker-sqs", rival, description=NEW, tags=tags)
    return old, new


def answer(ctx, question, **wanted):
    ctx.refresh()
    found = find_text(ctx, question, 10, Wanted(**wanted))
    return [(one.row.name, found.notes[one.row.id].older) for one in found.listing.entries]


def test_a_suspect_entry_is_named_behind_its_rival_and_is_no_result(repo, ctx):
    broker(ctx)
    repo.write("old.ts", "2\n")

    assert answer(ctx, "which message broker") == [("broker-sqs", ("broker-rabbitmq",))]


def test_a_rival_that_the_question_does_not_find_takes_the_place(repo, ctx):
    broker(ctx)
    repo.write("old.ts", "2\n")

    assert answer(ctx, "the broker on rabbitmq queues")[0] == (
        "broker-sqs",
        ("broker-rabbitmq",),
    )


def test_while_nothing_changed_both_are_results(ctx):
    broker(ctx)

    assert {name for name, _ in answer(ctx, "which message broker")} == {
        "broker-sqs",
        "broker-rabbitmq",
    }


def test_of_two_suspects_none_hides_the_other(repo, ctx):
    broker(ctx)
    repo.write("old.ts", "2\n")
    repo.write("new.ts", "2\n")

    assert [older for _, older in answer(ctx, "which message broker")] == [(), ()]


def test_who_asks_for_it_by_name_gets_it(repo, ctx):
    broker(ctx)
    repo.write("old.ts", "2\n")

    assert answer(ctx, "broker-rabbitmq")[0] == ("broker-rabbitmq", ())


def test_who_asks_for_suspects_gets_it(repo, ctx):
    broker(ctx)
    repo.write("old.ts", "2\n")

    assert answer(ctx, "which message broker", status="suspect") == [("broker-rabbitmq", ())]


def test_like_words_alone_make_no_rival(repo, ctx):
    broker(ctx, tags=())
    repo.write("old.ts", "2\n")

    assert {name for name, _ in answer(ctx, "which message broker")} == {
        "broker-sqs",
        "broker-rabbitmq",
    }


def test_a_common_tag_alone_makes_no_rival(repo, ctx):
    write(ctx, "retry-budget", "file:old.ts", tags=("net",), body="Five a minute. Why: load.\n")
    write(ctx, "dns-cache", "file:new.ts", tags=("net",), body="Five minutes. Why: load.\n")
    repo.write("old.ts", "2\n")

    assert {name for name, _ in answer(ctx, "five minute load")} == {"retry-budget", "dns-cache"}


@pytest.mark.parametrize("relation", ["extends", "contradicts"])
def test_a_suspect_steps_behind_what_it_is_said_to_be_related_to(repo, ctx, relation):
    old, new = broker(ctx, tags=())
    put(ctx, replace(old, rev=2, related=(Related(new.id, relation),)))
    repo.write("old.ts", "2\n")

    assert answer(ctx, "which message broker") == [("broker-sqs", ("broker-rabbitmq",))]


def test_the_limit_counts_what_is_left(repo, ctx):
    broker(ctx)
    write(ctx, "broker-limits", "file:other.ts", description="Read when the message broker is slow")
    repo.write("old.ts", "2\n")
    ctx.refresh()

    found = find_text(ctx, "which message broker", 2)

    assert {one.row.name for one in found.listing.entries} == {"broker-sqs", "broker-limits"}
    assert list(found.scores) == sorted(found.scores, reverse=True)
