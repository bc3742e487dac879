"""Which characters a one-line field and a body may hold, as insides of a character class.

The classes are written out: Python's own tables grow with its version, and neither the bytes of a
rendered entry nor what a clone refuses may depend on that.
"""

CONTROL = "\x00-\x1f\x7f-\x9f"
LINE_BREAK = "\u2028\u2029"
SURROGATE = "\ud800-\udfff"
NO_CHARACTER = "\ufffe\uffff"
#: What Unicode calls format characters (soft hyphen, bidi, zero width, tags), letters that show
#: nothing, and the variation selectors that serve to hide text; the sixteen that choose between
#: text and emoji are fine.
FORMAT = (
    "\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef"
)
#: What no one-line field may hold.
UNFIT_FOR_LINE = CONTROL + LINE_BREAK + FORMAT + SURROGATE + NO_CHARACTER
#: The same for bodies and quotes, which may have lines and indents.
UNFIT_FOR_BODY = "\x00-\x08\x0b-\x1f\x7f-\x9f" + SURROGATE + NO_CHARACTER
