"""Start of the program: the short paths first, the command line for everything else.

Nothing is imported before the verb is known, because `flag` and `index` run in every session and
`status --porcelain` in every prompt: a bare Python start is their unit (docs/benchmarks.md).
"""

import sys

SHORT = {
    "flag": "short.flag",
    "index": "short.index",
    "status": "short.status",
    "hooks": "hooks.verb",
    "agent": "agents.verb",
}
INTERRUPTED = 130
CLOSED_PIPE = 141


def main() -> int:
    """Run the verb in ``sys.argv`` and return the exit code of DESIGN §13."""
    arguments = sys.argv[1:]
    try:
        speak_utf8()
        code = run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return closed_pipe()
    except Exception as error:  # noqa: BLE001 - the one broad handler of this door
        from git_knowl.interfaces.report import report

        return report(error, arguments)
    return code


def speak_utf8() -> None:
    """Print what git stores, whatever the locale: an agent's text may not fail for a dash.

    A stream that was closed by whoever started us takes what is said and keeps it to itself.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name) or open("/dev/null", "w")  # noqa: SIM115 - until the very end
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        setattr(sys, name, stream)


def run(arguments: list[str]) -> int:
    """Try the short path of the verb; it answers None when the full command line must decide."""
    if arguments and arguments[0] in SHORT:
        module = __import__(f"git_knowl.interfaces.{SHORT[arguments[0]]}", fromlist=["run"])
        code = module.run(arguments[1:])
        if code is not None:
            return int(code)
    from git_knowl.interfaces.cli.app import run as run_command_line

    return run_command_line(arguments)


def closed_pipe() -> int:
    """Leave quietly when the reader of standard output went away, with the code git leaves with."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return CLOSED_PIPE


if __name__ == "__main__":
    sys.exit(main())
