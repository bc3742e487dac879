"""Repositories on a disk that is full or read-only, in a mount namespace of their own.

Modes mean nothing to root and a limit on file sizes is no full disk, so real file systems are used
where the system lets an ordinary user mount them. The rest of the machine sees none of it.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from functools import cache
from typing import TYPE_CHECKING

from tests.support.cli import COMMAND, Outcome

if TYPE_CHECKING:
    from tests.support.cli import Knowl

NAMESPACE = ("unshare", "--map-root-user", "--mount")
NO_NAMESPACE = "needs user namespaces that may mount (unshare --map-root-user --mount)"
READ_ONLY = """\
mount --bind {folder} {folder} && mount -o remount,bind,ro {folder} && cd {folder} || exit 99
exec "$@"
"""
#: The git folder moves to a file system of its own, is filled up, and comes back afterwards.
FULL = """\
cd {folder} && mkdir ../disk && mount -t tmpfs -o size=4m none ../disk || exit 99
cp -a .git/. ../disk && mount --bind ../disk .git || exit 99
dd if=/dev/zero of=.git/ballast bs=1k 2>../dd
dd if=/dev/null of=.git/ballast bs=1k seek=$(($(stat -c %s .git/ballast) / 1024 - {spare})) 2>../dd
"$@"
code=$?
rm .git/ballast && umount .git && rm -r .git && cp -a ../disk .git || exit 99
exit $code
"""
#: Only the folder of derived files is on a file system of its own, without room for one of them.
NO_ROOM_BESIDE = """\
cd {folder} && mount -t tmpfs -o size=4k none .git/common/knowl || exit 99
dd if=/dev/zero of=.git/common/knowl/ballast bs=1k 2>../dd
exec "$@"
"""


@cache
def can_mount() -> bool:
    """Tell whether this system lets us mount in a namespace of our own."""
    mounting = "mount -t tmpfs -o size=4m none /tmp"
    try:
        done = subprocess.run([*NAMESPACE, "sh", "-c", mounting], capture_output=True, check=False)
    except FileNotFoundError:
        return False
    return done.returncode == 0


def on_read_only_disk(knowl: Knowl, *args: str, stdin: str = "") -> Outcome:
    """Run a command in a repository that nobody can write to."""
    return _run(knowl, READ_ONLY.format(folder=shlex.quote(str(knowl.cwd))), args, stdin)


def on_full_disk(knowl: Knowl, spare: int, *args: str, stdin: str = "") -> Outcome:
    """Run a command in a repository whose git folder is on a disk with ``spare`` KiB left."""
    script = FULL.format(folder=shlex.quote(str(knowl.cwd)), spare=spare)
    return _run(knowl, script, args, stdin)


def without_room_beside(knowl: Knowl, *args: str, stdin: str = "") -> Outcome:
    """Run a command where no derived file can be written, and everything else can."""
    script = NO_ROOM_BESIDE.format(folder=shlex.quote(str(knowl.cwd)))
    return _run(knowl, script, args, stdin)


def with_file_limit(knowl: Knowl, blocks: int, *args: str, stdin: str = "") -> Outcome:
    """Run a command that can write no file beyond so many blocks of 512 bytes."""
    return _run(knowl, f'ulimit -f {blocks} && exec "$@"', args, stdin, namespace=())


def _run(
    knowl: Knowl,
    script: str,
    args: tuple[str, ...],
    stdin: str,
    namespace: tuple[str, ...] = NAMESPACE,
) -> Outcome:
    env = knowl.process_env()
    done = subprocess.run(
        [*namespace, "sh", "-c", script, "sh", *COMMAND, *args],
        cwd=knowl.cwd,
        # What measures coverage would want to write as well.
        env={name: value for name, value in env.items() if not name.startswith("COVERAGE_")},
        input=stdin.encode(),
        capture_output=True,
        check=False,
    )
    return Outcome(done.returncode, os.fsdecode(done.stdout), os.fsdecode(done.stderr))
