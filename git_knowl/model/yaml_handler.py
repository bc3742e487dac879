"""The python-frontmatter handler of entries: exact fences, strict YAML, a body kept to the byte.

The handlers that come with the package strip the body, lose metadata behind a byte order mark, let
the last of two equal keys win and read ``0012345`` as a number.
"""

from typing import Any

from frontmatter import Post
from frontmatter.default_handlers import BaseHandler

from git_knowl.model.fences import FENCE, load, split
from git_knowl.model.yaml_writer import write_yaml


class EntryHandler(BaseHandler):
    """Frontmatter between two ``---`` lines, the first of them at the very beginning."""

    FM_BOUNDARY = FENCE
    START_DELIMITER = END_DELIMITER = "---"

    def split(self, text: str) -> tuple[str, str]:
        """Return frontmatter and body; raises YamlError when a fence is missing."""
        return split(text)

    def load(self, fm: str) -> dict[str, Any]:
        """Return the frontmatter as a mapping; raises YamlError when it is anything else."""
        return load(fm)

    def export(self, metadata: dict[str, object], **kwargs: object) -> str:
        """Return a mapping as YAML; there is one style, so no option is taken."""
        del kwargs
        return write_yaml(metadata)

    def format(self, post: Post, **kwargs: object) -> str:
        """Return the whole document: fences, frontmatter, the body and one line end."""
        return f"---\n{self.export(post.metadata, **kwargs)}---\n{post.content}\n"


HANDLER = EntryHandler()
