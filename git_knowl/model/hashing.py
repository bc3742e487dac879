"""SHA-1 and SHA-256 without OpenSSL, whose loading costs a third of a bare Python start.

What is hashed on the short paths is small, so Python's own implementation is as good; where a build
has none, `hashlib` it is.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha1, sha256
else:
    try:
        from _sha1 import sha1

        try:
            from _sha256 import sha256
        except ImportError:
            from _sha2 import sha256
    except ImportError:
        from hashlib import sha1, sha256

__all__ = ["BY_FORMAT", "sha1", "sha256"]

#: The hash of each object format of git.
BY_FORMAT = {"sha1": sha1, "sha256": sha256}
