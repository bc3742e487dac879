"""Children: streams of any size, deadlines, clean ends."""

from __future__ import annotations

import os
import signal
import sys
import time

import pytest

from git_knowl.plumbing import process
from git_knowl.plumbing.process import Conversation, GitError, GitTimeout, run
from git_knowl.plumbing.spawn import ProgramMissing

ENV = {"PATH": os.environ["PATH"]}


def shell(script: str) -> list[str]:
    return ["sh", "-c", script]


def is_alive(pid: int) -> bool:
    """A zombie that nobody of ours has to reap does not count."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_status_and_both_streams_come_back():
    done = run(shell("echo out; echo err >&2; exit 3"), ENV)

    assert (done.code, done.out, done.err) == (3, b"out\n", b"err\n")


def test_a_child_killed_by_a_signal_has_a_negative_status():
    assert run(shell("kill -9 $$"), ENV).code == -9


def test_megabytes_in_and_out_do_not_block_each_other():
    data = os.urandom(1 << 20) * 8

    done = run(shell("cat; head -c 3000000 /dev/zero >&2"), ENV, data)

    assert done.out == data
    assert len(done.err) == 3_000_000


def test_input_that_nobody_reads_is_no_error():
    assert run(shell("exit 0"), ENV, b"x" * 1_000_000).code == 0


def test_the_environment_is_exactly_what_was_given():
    done = run(["env"], {**ENV, "ONE": "1"})

    assert set(done.out.decode().splitlines()) == {f"PATH={ENV['PATH']}", "ONE=1"}


def test_standard_input_is_never_the_terminal():
    assert run(["cat"], ENV).out == b""


def test_a_child_has_no_terminal_to_ask_on():
    done = run(shell(": </dev/tty"), ENV)

    assert done.code != 0


def test_a_child_does_not_inherit_what_a_caller_left_open():
    read, write = os.pipe()
    os.set_inheritable(write, True)
    try:
        done = run(shell(f"echo x >&{write}"), ENV)
    finally:
        os.close(read)
        os.close(write)

    assert done.code != 0


def test_a_child_dies_of_a_closed_pipe_although_python_ignores_the_signal():
    """`yes` would go on for ever with SIGPIPE ignored; the shell reports 141 for it."""
    done = run(["bash", "-c", "yes | head -1 >/dev/null; echo ${PIPESTATUS[0]}"], ENV, timeout=20)

    assert done.out == b"141\n"


def test_standard_streams_that_are_closed_do_not_mix_up_the_pipes(tmp_path):
    script = (
        "import os\n"
        "os.close(0); os.close(1)\n"
        "from git_knowl.plumbing.process import run\n"
        "done = run(['sh', '-c', 'cat; echo err >&2'], dict(os.environ), b'in')\n"
        f"open({str(tmp_path / 'result')!r}, 'w').write(repr((done.out, done.err)))\n"
    )
    env = {**ENV, "PYTHONPATH": os.pathsep.join(sys.path)}

    assert run([sys.executable, "-c", script], env).code == 0
    assert (tmp_path / "result").read_text() == repr((b"in", b"err\n"))


def test_a_missed_deadline_stops_the_child_and_what_it_started():
    with pytest.raises(GitTimeout, match=r"within 0\.3 seconds") as caught:
        run(shell("sleep 100 & echo $! >&2; wait"), ENV, timeout=0.3)

    grandchild = int(caught.value.stderr)
    deadline = time.monotonic() + 5
    while is_alive(grandchild) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_alive(grandchild)


def test_a_child_that_ignores_the_polite_signal_is_killed():
    with pytest.raises(GitTimeout):
        run(shell("trap '' TERM; while :; do sleep 1; done"), ENV, timeout=0.2)


def test_an_unknown_program_is_named():
    with pytest.raises(ProgramMissing, match="'no-such-program' was not found"):
        run(["no-such-program"], ENV)


def test_a_program_that_cannot_be_started_is_an_expected_error(tmp_path):
    with pytest.raises(ProgramMissing, match="cannot be started: No such file"):
        run([f"{tmp_path}/none"], ENV)
    with pytest.raises(ProgramMissing, match="cannot be started: Argument list too long"):
        run(["true", "x" * 5_000_000], ENV)


def test_a_system_that_does_not_list_descriptors_is_no_obstacle(monkeypatch):
    def refuse(path):
        raise FileNotFoundError(path)

    monkeypatch.setattr(os, "listdir", refuse)

    assert run(shell("echo x"), ENV).out == b"x\n"


def test_a_status_the_system_threw_away_is_a_failure():
    """It does where an ancestor ignores SIGCHLD."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert run(shell("exit 0"), ENV).code == 255
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_no_descriptor_is_left_open():
    before = set(os.listdir("/dev/fd"))

    run(shell("cat"), ENV, b"x")
    with pytest.raises(ProgramMissing):
        run(["no-such-program"], ENV)
    with pytest.raises(GitTimeout):
        run(["sleep", "9"], ENV, timeout=0.05)
    with pytest.raises(ProgramMissing):
        run(["/no/such/program"], ENV)

    assert set(os.listdir("/dev/fd")) == before


def test_a_conversation_answers_in_turns():
    with Conversation(["cat"], ENV) as child:
        child.send(b"one\ntwo")
        assert child.read_line() == b"one"
        assert child.read_exactly(2) == b"tw"
        child.send(b"!\n")
        assert child.read_line() == b"o!"


def test_a_conversation_may_send_more_than_a_pipe_holds_before_it_reads():
    with Conversation(["cat"], ENV) as child:
        child.send(b"x" * 5_000_000 + b"\n")
        assert len(child.read_line()) == 5_000_000


def test_a_child_that_stopped_listening_is_told():
    with Conversation(shell("exec <&-; echo 'fatal: had enough' >&2; exit 3"), ENV) as child:
        with pytest.raises(GitError, match="had enough"):
            child.send(b"x" * 1_000_000)
        with pytest.raises(GitError):
            child.send(b"again")


def test_a_child_that_closed_its_output_and_lives_on_meets_the_deadline():
    with pytest.raises(GitTimeout):
        run(shell("exec >&- 2>&-; sleep 100"), ENV, timeout=0.2)


def test_closing_does_not_wait_for_ever(monkeypatch):
    monkeypatch.setattr(process, "_GRACE", 0.05)
    child = Conversation(["sleep", "100"], ENV)

    child.close()

    assert not is_alive(child.pid)


def test_an_answer_that_never_comes_is_the_childs_own_words():
    with Conversation(shell("read line; echo 'fatal: broken' >&2; exit 7"), ENV) as child:
        child.send(b"x\n")
        with pytest.raises(GitError, match=r"^broken$") as caught:
            child.read_line()

    assert caught.value.code == 7


def test_a_conversation_with_a_silent_child_ends_at_its_deadline():
    with (
        Conversation(["sleep", "100"], ENV, timeout=0.1) as child,
        pytest.raises(GitTimeout),
    ):
        child.read_line()


def test_closing_a_conversation_ends_the_child():
    child = Conversation(["cat"], ENV)

    child.close()
    child.close()

    assert not is_alive(child.pid)


def test_an_exception_inside_a_conversation_ends_the_child_at_once():
    with pytest.raises(RuntimeError), Conversation(["sleep", "100"], ENV) as child:
        raise RuntimeError

    assert not is_alive(child.pid)


@pytest.mark.parametrize(
    ("talk", "message"),
    [
        ("warning: x\nfatal: why\n", "why"),
        ("error: first\nfatal: second\n", "second"),
        ("error: only\n", "only"),
        ("hint: do\nplain words\n", "plain words"),
        ("", "git ended with status 5"),
    ],
)
def test_the_message_of_an_error_is_its_most_telling_line(talk, message):
    assert GitError(["git", "x"], 5, talk).message == message
