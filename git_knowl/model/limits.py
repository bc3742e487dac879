"""Limits of the entry format and of flags, in characters unless said otherwise (DESIGN §4)."""

NAME = 120
DESCRIPTION = 300
ANCHORS = 20
BODY = 20_000
PATH = 300
URL = 2_000
SUMMARY = 500
FLAG_PATHS = 20
QUOTE = 2_000
REASON = 1_000
TAG = 60
TAGS = 20
#: The YAML of an entry. A body of 20,000 characters outside the Latin ones alone fills as much.
FRONTMATTER_BYTES = 64 * 1024
DOCUMENT_BYTES = FRONTMATTER_BYTES + 4 * BODY
URL_MAX_AGE_DAYS = (1, 3650)
URL_DEFAULT_AGE_DAYS = 90
FLAG_EXPIRY_DAYS = 30
INDEX_BUDGET = (100, 100_000)
INDEX_DEFAULT_BUDGET = 1_800
