"""Every verb with its module and one line of help, so that a verb loads nothing but itself.

The sections are those of ``git knowl --help`` and of the command reference.
"""

from __future__ import annotations

#: The variable that asks for completions; a shell cannot set the one click makes of "git knowl".
COMPLETE = "_GIT_KNOWL_COMPLETE"

#: section -> verb -> (module under commands/ with an attribute ``command``, help line)
SECTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "Find something out": {
        "flag": ("flag", "Bookmark a finding: one sentence plus paths"),
        "inbox": ("inbox", "List flags and drafts; drop, edit, send or receive them"),
        "capture": ("capture", "Hand out what is flagged, or take the drafts written from it"),
        "review": ("review", "Go through the drafts, one by one, after what is in conflict"),
        "mine": ("mine", "Flag the findings of an old history"),
    },
    "Write entries": {
        "add": ("add", "Write an entry by hand"),
        "edit": ("edit", "Edit an entry in your editor"),
        "rename": ("rename", "Give an entry another name"),
        "move": ("move", "Move an entry to the shared or the local lane"),
        "update": ("update", "Propose a new text for an entry"),
        "verify": ("verify", "Confirm that an entry is still true, after looking"),
        "snooze": ("snooze", "Leave a suspect entry out of the daily round until a date"),
        "rate": ("rate", "Say whether an entry was useful or wrong"),
        "retire": ("retire", "Take an entry out, with a reason"),
        "restore": ("restore", "Bring a retired entry back"),
        "undo": ("undo", "Take back the last operation on entries"),
    },
    "Read": {
        "ls": ("ls", "List entries with their verdict in this worktree"),
        "show": ("show", "Show one entry with its evidence"),
        "search": ("search", "Search entries"),
        "index": ("index", "Print the block that tells an agent what is known"),
        "why": ("why", "List the entries that rest on a file"),
        "audit": ("audit", "Judge every entry against the files of this worktree"),
        "log": ("log", "Show the history of the store or of one entry"),
        "diff": ("diff", "Show the evidence of an entry then and now"),
        "status": ("status", "Show what waits and what is suspect"),
        "stats": ("stats", "Count entries, flags and what became of them"),
    },
    "Share": {
        "sync": ("sync", "Exchange the shared lane with a remote"),
    },
    "Set up": {
        "init": ("init", "Prepare this repository"),
        "hooks": ("hooks", "Put the git hooks in, take them out, say what fires where"),
        "agent": ("agent", "Have a host of coding agents call us, or not any more"),
        "mcp": ("mcp", "Serve an agent over standard input and output"),
        "doctor": ("doctor", "Look for what keeps the program from doing its work here"),
        "tour": ("tour", "Play the whole loop on a throw-away clone of this repository"),
        "schema": ("schema", "Print a JSON Schema"),
        "notes": ("notes", "Keep one line on each commit where something became known"),
        "guide": ("guide", "Print the guidance for whoever flags or writes"),
        "export": ("export", "Write the entries into a folder"),
        "import": ("import_", "Read a file or folder into drafts"),
        "completion": ("completion", "Print the completion script of a shell"),
        "migrate": ("migrate", "Raise the format of the store, after a look at what changes"),
        "purge": ("purge", "Take a leaked text out of the store and of its history"),
        "uninstall": (
            "uninstall",
            "Remove what init and agent install set up; knowledge stays until you say so",
        ),
    },
}

COMMANDS = {verb: spec for verbs in SECTIONS.values() for verb, spec in verbs.items()}
