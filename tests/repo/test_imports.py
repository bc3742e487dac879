"""What importing costs: the short paths run in every session, a bare Python start is their unit."""

from __future__ import annotations

import ast
import importlib.util
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TypeGuard

import pytest

from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.people import CART, person, write
from tests.support.seal import ROOT

#: What a light module may import of the standard library when it is loaded.
CHEAP = {
    "__future__",
    "_json",
    "_signal",
    "_sqlite3",
    "errno",
    "fcntl",
    "os",
    "select",
    "signal",
    "stat",
    "sys",
    "time",
    "zlib",
}

#: Hashes under the name they have in this Python, and what a build without them falls back to.
HASHES = {"_sha1", "_sha256", "_sha2", "hashlib"}

#: Modules that a short path loads before it knows whether there is anything to do; what they import
#: of the package must be as light as they are.
LIGHT = [
    "git_knowl.__main__",
    "git_knowl.anchors.freshness",
    "git_knowl.interfaces.agents.run",
    "git_knowl.interfaces.agents.verb",
    "git_knowl.interfaces.hooks.verb",
    "git_knowl.interfaces.hosts",
    "git_knowl.interfaces.report",
    "git_knowl.interfaces.short",
    "git_knowl.model.ids",
    "git_knowl.model.light_json",
    "git_knowl.model.limits",
    "git_knowl.model.status",
    "git_knowl.model.text",
    "git_knowl.plumbing.hooks",
    "git_knowl.plumbing.lock",
    "git_knowl.plumbing.objects",
    "git_knowl.plumbing.process",
    "git_knowl.plumbing.refs",
    "git_knowl.plumbing.repository",
    "git_knowl.plumbing.worktree",
    "git_knowl.services.hooks.heartbeat",
    "git_knowl.services.index_warm",
    "git_knowl.services.personal_block",
    "git_knowl.services.status_warm",
    "git_knowl.store.cache",
]

#: Packages that cost more than everything else a short path does.
HEAVY = {
    "click",
    "frontmatter",
    "jsonschema",
    "packageurl",
    "pydantic",
    "pygit2",
    "rapidfuzz",
    "yaml",
}


def loaded_by(statement: str, cwd: Path = ROOT, *, packages: bool = False) -> set[str]:
    """Return the modules a statement loads in a Python that has only its standard library.

    With ``packages`` it has those that are installed too. Raises CalledProcessError when the
    statement fails or ends with an exit code other than 0.
    """
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); before = set(sys.modules)\n"
        f"{statement}\n"
        "print('loaded', *sorted(set(sys.modules) - before))"
    )
    command = [sys.executable, "-I", *([] if packages else ["-S"]), "-c", script]
    done = subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True)
    return set(done.stdout.rpartition("loaded ")[2].split())


@cache
def cheap() -> set[str]:
    """Return what the cheap modules load, and what every Python has that talks over pipes."""
    return loaded_by("import io, " + ", ".join(sorted(CHEAP)))


def imported_from_outside(module: str) -> set[str]:
    """Return what a module and all it imports of the package take from outside of it."""
    outside: set[str] = set()
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            found = direct_imports(name)
            outside |= {other for other in found if not other.startswith("git_knowl")}
            waiting += [other for other in found if other.startswith("git_knowl")]
    return outside


def direct_imports(module: str) -> set[str]:
    """Return what a module imports when it is loaded, by reading it, and the package it lies in."""
    spec = importlib.util.find_spec(module)
    assert spec is not None, f"{module} does not exist"
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    parent = {module.rpartition(".")[0]} - {""}
    return parent | {name for node in tree.body for name in imported_names(node)}


def imported_names(node: ast.stmt | ast.ExceptHandler) -> set[str]:
    """Return what a statement imports when it runs; functions run later, or never."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom):
        return import_from(node)
    if isinstance(node, ast.FunctionDef):
        return set()
    children = node.orelse if is_for_types(node) else ast.iter_child_nodes(node)
    inner = (child for child in children if isinstance(child, ast.stmt | ast.ExceptHandler))
    return {name for child in inner for name in imported_names(child)}


def is_for_types(node: ast.AST) -> TypeGuard[ast.If]:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def import_from(node: ast.ImportFrom) -> set[str]:
    """Name the module, and those of the names that are modules themselves."""
    base = node.module or ""
    inner = {f"{base}.{alias.name}" for alias in node.names} if base.startswith("git_knowl") else ()
    return {base, *(name for name in inner if is_module(name))}


def is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # the name before the last dot is a module and no package
        return False


def test_importing_the_package_loads_nothing() -> None:
    assert loaded_by("import git_knowl") == {"git_knowl"}


@pytest.mark.parametrize("module", LIGHT)
def test_light_module_takes_only_cheap_modules_from_outside(module: str) -> None:
    assert imported_from_outside(module) <= CHEAP | HASHES


def test_light_modules_together_load_what_the_cheap_ones_load_and_no_more() -> None:
    loaded = loaded_by("import " + ", ".join(LIGHT))

    new = {name for name in loaded - cheap() if not name.startswith("git_knowl")}
    assert new <= HASHES - {"hashlib"}


def test_cheap_modules_do_not_load_what_the_short_paths_avoid() -> None:
    assert not cheap() & {"dataclasses", "inspect", "json", "pathlib", "re", "subprocess", "typing"}


@pytest.mark.parametrize(
    "words",
    [["flag", "totals double above three", "-p", "lib/cart.ts"], ["index"]],
    ids=lambda w: w[0],
)
def test_short_path_runs_with_the_standard_library_and_git_alone(
    knowl: Knowl, repo: RepoBuilder, words: list[str]
) -> None:
    """`index` is short once somebody has brought the cache up to date."""
    knowl.ok("index")
    loaded = loaded_by(
        f"sys.argv = {['git-knowl', *words]!r}\n"
        "from git_knowl.__main__ import main\n"
        "if main() != 0: raise SystemExit('failed')",
        cwd=repo.path,
    )

    assert not loaded & HEAVY
    assert "git_knowl.interfaces.cli.app" not in loaded


def test_a_schema_is_printed_without_what_checks_payloads() -> None:
    loaded = loaded_by(
        "from git_knowl.model import schema; schema.schema('capture')", packages=True
    )

    assert "pydantic" in loaded
    assert "jsonschema" not in loaded


#: What an audit, a listing and a status load only where there is something to do with it.
LATE = {
    "git_knowl.anchors.lockfiles",
    "git_knowl.anchors.symbols",
    "git_knowl.interfaces.cli.audit_loop",
    "git_knowl.interfaces.cli.audit_sarif",
    "git_knowl.services.compose",
    "git_knowl.services.findings",
    "git_knowl.services.audit.health",
    "git_knowl.services.review",
    *(HEAVY - {"click"}),
}


@pytest.mark.parametrize("words", [["audit"], ["ls"], ["status"]], ids=lambda w: w[0])
def test_entries_that_rest_on_files_are_judged_without_what_the_other_kinds_need(
    knowl: Knowl, repo: RepoBuilder, words: list[str]
) -> None:
    about = ("--name", "cart", "--type", "project", "-d", "Read first", "-a", "file:lib/cart.ts")
    knowl.ok("add", *about, "--body", "-", "--reviewer", "Ada <ada@example.org>", stdin="Why: so")
    repo.commit("changed", {"lib/cart.ts": "changed\n"})
    loaded = loaded_by(
        f"sys.argv = {['git-knowl', *words]!r}\n"
        "from git_knowl.__main__ import main\n"
        "if main() != 0: raise SystemExit('failed')",
        cwd=repo.path,
        packages=True,
    )

    assert "git_knowl.anchors.file" in loaded
    assert not loaded & LATE


#: What belongs to `re`, which takes questions apart; no other call of a host loads it.
PATTERNS = {"_sre", "_collections", "_functools", "_operator", "collections", "copyreg", "enum"}
PATTERNS |= {"functools", "itertools", "keyword", "operator", "re", "reprlib", "types"}
PATTERNS |= {f"re.{name}" for name in ("_casefix", "_compiler", "_constants", "_parser")}
#: A hook call of a host, by what happens: the event, what comes with it, and what it may load of
#: the standard library beside what a light module may.
ASKS = "why does the cart price double above three pieces?"
EDITS = {"tool_name": "Edit", "tool_input": {"file_path": "lib/cart.ts"}}
CALLS: dict[str, tuple[str, dict[str, object], set[str]]] = {
    "start": ("SessionStart", {"source": "startup"}, set()),
    "file": ("PreToolUse", EDITS, set()),
    "other file": ("PreToolUse", {**EDITS, "tool_input": {"file_path": "conf.yml"}}, set()),
    "call": ("PostToolUse", {"tool_name": "Task"}, set()),
    "question": ("UserPromptSubmit", {"prompt": ASKS}, {*PATTERNS, "math"}),
    "misspelt": ("UserPromptSubmit", {"prompt": "the cart prcie"}, {*PATTERNS, "math"}),
    "vain": ("UserPromptSubmit", {"prompt": "a poem about the sea"}, {*PATTERNS, "math"}),
    "stop": ("Stop", {}, set()),
    "end": ("SessionEnd", {"reason": "other"}, PATTERNS),
}


def loaded_by_call(path: Path, event: str, payload: dict[str, object]) -> set[str]:
    """Return what a hook call loads."""
    data = json.dumps({"session_id": "s", "cwd": str(path), **payload}).encode()
    return loaded_by(
        "import io\n"
        f"sys.argv = ['git-knowl', 'agent', 'hook', 'claude', {event!r}]\n"
        f"sys.stdin = io.TextIOWrapper(io.BytesIO({data!r}))\n"
        "from git_knowl.__main__ import main\n"
        "if main() != 0: raise SystemExit('failed')",
        cwd=path,
        packages=True,
    )


@pytest.fixture(scope="module", params=["warm", "edited"])
def used(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> RepoBuilder:
    """Give a store that was looked at, and has or has not had an edit since.

    The edited file is none that the calls are about; a symbol and a snippet rest on the others.
    """
    repo = RepoBuilder.start(tmp_path_factory.mktemp("calls"))
    repo.commit("more", {"lib/other.ts": "other\n"})
    write(person(repo), "cart-doubles", CART, description="Read before touching the cart price")
    write(person(repo), "cart-symbol", "symbol:lib/cart.ts#total", "snippet:conf.yml:1-1")
    write(person(repo), "other", "file:lib/other.ts", description="Touching the cart price too")
    Knowl(repo.path).ok("index")
    if request.param == "edited":
        repo.write("lib/other.ts", "changed\n")
    return repo


@pytest.mark.parametrize("call", CALLS)
def test_a_call_of_a_host_loads_what_it_needs_and_no_more(used: RepoBuilder, call: str) -> None:
    """After an edit the block is judged afresh; all else takes the verdicts that still hold."""
    event, payload, allowed = CALLS[call]
    if call == "start" and used.git("status", "--porcelain"):
        pytest.skip("the block is judged afresh")

    loaded = loaded_by_call(used.path, event, payload) - cheap()

    assert {name for name in loaded if not name.startswith("git_knowl")} <= allowed | HASHES
    assert not loaded & {"git_knowl.interfaces.cli.app", "git_knowl.services.judging"}


def test_a_call_that_is_only_counted_opens_no_store(used: RepoBuilder) -> None:
    loaded = loaded_by_call(used.path, "PostToolUse", {"tool_name": "Task"})

    assert not loaded & {"_sqlite3", "git_knowl.services.index", "git_knowl.store.cache"}
