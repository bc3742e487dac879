"""The entry file: Markdown with YAML frontmatter <-> Entry, the same bytes for the same entry."""

from typing import Any

from git_knowl.model import limits
from git_knowl.model.checked import DocumentError
from git_knowl.model.entry import Entry
from git_knowl.model.fences import load, split
from git_knowl.model.fields import from_fields, to_fields
from git_knowl.model.quoting import byte_found, code_point
from git_knowl.model.yaml_words import YamlError

__all__ = ["DocumentError", "parse", "read", "render"]


def parse(data: bytes) -> Entry:
    """Return the entry of a document as it may stand on disk: with byte order mark, with CRLF.

    Unknown keys and anchor kinds are kept in the value. Raises DocumentError, and nothing else,
    for whatever is no entry.
    """
    fields, body = read(data)
    return from_fields(fields, body)


def read(data: bytes) -> tuple[dict[str, Any], str]:
    """Return the frontmatter and body of any Markdown document that has both.

    Line ends come out as LF; all scalars but whole numbers, true, false and null come out as text.
    """
    if len(data) > limits.DOCUMENT_BYTES:
        raise DocumentError("document", f"at most {limits.DOCUMENT_BYTES} bytes", str(len(data)))
    try:
        block, body = split(_unix(data.decode("utf-8-sig")))
        _check_size(block)
        return load(block), body
    except UnicodeDecodeError as error:
        found = byte_found(error.object, error.start)
        raise DocumentError("document", "UTF-8", found) from error
    except YamlError as error:
        raise DocumentError("frontmatter", "plain YAML between '---' lines", str(error)) from error


def render(entry: Entry) -> bytes:
    """Return the document of an entry: UTF-8, LF, one order of keys, nothing that is a default.

    Raises DocumentError when the entry cannot be written: half a character, a key that no reader
    takes, or more fingerprints than fit.
    """
    import frontmatter  # noqa: PLC0415 - seldom, and a fifth of what a listing would load

    from git_knowl.model.yaml_handler import HANDLER  # noqa: PLC0415

    post = frontmatter.Post(_unix(entry.body), HANDLER)
    post.metadata = to_fields(entry)
    try:
        text = frontmatter.dumps(post, HANDLER)
        _check_size(text.removesuffix(f"{post.content}\n"))
        return text.encode()
    except UnicodeEncodeError as error:
        found = code_point(error.object[error.start])
        raise DocumentError("document", "whole characters", found) from error
    except (TypeError, YamlError) as error:
        raise DocumentError("frontmatter", "plain values", str(error)) from error


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _check_size(block: str) -> None:
    size = len(block.encode())
    if size > limits.FRONTMATTER_BYTES:
        expected = f"at most {limits.FRONTMATTER_BYTES} bytes"
        raise DocumentError("frontmatter", expected, str(size))
