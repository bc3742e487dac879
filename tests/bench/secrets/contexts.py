"""Where a secret stands in what people and agents write; ``@`` is its place, ``NAME`` its name."""

from __future__ import annotations

#: For values that are known by their shape, wherever they stand.
BARE = {
    "prose": "Turned out that the nightly job still used @ after the rotation",
    "end of a sentence": "The staging job was still running with @.",
    "before a comma": "We had to swap @, then the build was green",
    "brackets": "the old value (@) is dead",
    "quotes": "it only works when '@' is passed by hand",
    "backticks": "pass `@` as the first argument",
    "call": 'client = connect("@", retries=3)',
    "assignment": "creds=@",
    "export": 'export SERVICE="@"',
    "json": '{"name": "ci", "value": "@"}',
    "compact json": '{"id":7,"v":"@","n":1}',
    "yaml": "service:\n  value: @\n  retries: 3",
    "yaml list": "- @",
    "header": "curl -H 'X-Custom: @' https://api.example.org/v1/items",
    "query": "GET https://api.example.org/v1/items?k=@&page=2",
    "code fence": "It fails like this:\n\n```sh\ndeploy @ --dry-run\n```\n",
    "table": "| staging | @ | kim |",
    "log line": "2026-11-29T10:00:00Z ERROR login failed for @: retry in 30s",
    "chinese": "令牌 @ 已经失效",
    "markdown link": "see [the value](@) there",
}

#: For values that only their name gives away.
NAMED = {
    "env file": "NAME=@",
    "quoted env file": 'NAME="@"',
    "export": "export NAME=@",
    "export in quotes": "export NAME='@'",
    "powershell": '$env:NAME = "@"',
    "setx": "setx NAME @",
    "yaml": "env:\n  NAME: @\n  DEBUG: false",
    "quoted yaml": 'NAME: "@"',
    "json": '{"NAME": "@", "debug": true}',
    "compact json": '{"NAME":"@"}',
    "python": 'os.environ["NAME"] = "@"',
    "javascript": "process.env.NAME = '@';",
    "ruby": "ENV['NAME'] = '@'",
    "dockerfile": "ENV NAME @",
    "docker run": "docker run -e NAME=@ image:1.2",
    "compose list": "- NAME=@",
    "kubernetes": "- name: NAME\n  value: @",
    "literal": "kubectl create secret generic x --from-literal=NAME=@",
    "toml": "NAME = '@'",
    "table": "| NAME | @ |",
    "prose": "NAME is @ on staging",
    "code fence": "```\nNAME=@\n```",
    "one of two": "PORT=80 NAME=@ npm start",
    "go": 'var NAME string = "@"',
    "make": "NAME ?= @",
    "actions": "env:\n  NAME: '@' # rotate",
}

#: For texts that show by themselves what they are.
WHOLE = {
    "alone": "@",
    "after a sentence": "This is what stood in the log:\n\n@\n\nand that was all.",
    "code fence": "```\n@\n```",
    "indented": "Found:\n\n    @\n",
    "list": "- first\n- @\n- last",
    "in prose": "It only failed with @ on the build machine",
}
