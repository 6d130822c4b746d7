"""Break lines between words. Paths, claim ids and commands are never broken.

They overflow instead.
"""

import re
from textwrap import TextWrapper

__all__ = ["KEPT", "whole", "wrapped"]

NARROWEST = 20
"""Smallest width that lines are wrapped at, in characters."""
KEPT = "\N{NO-BREAK SPACE}"
"""Replaces a space at which a line must not break.

Input text never contains it, because ``printable`` escapes it.
"""
CODE = re.compile(r"`[^`]+`")


def whole(text: str) -> str:
    """Return the text with unbreakable spaces, so that ``wrapped`` does not break it."""
    return text.replace(" ", KEPT)


def wrapped(line: str, width: int, hang: int = 2) -> list[str]:
    """Wrap a line at the width.

    Lines break only at spaces, and not inside a `code span` or a ``whole`` text. A longer unbreakable part overflows
    on a line of its own. Leading spaces are repeated on every line; lines after the first are indented by ``hang``
    more.
    """
    if len(line) <= width:
        return [line.replace(KEPT, " ")]
    text = line.lstrip()
    indent = " " * (len(line) - len(text))
    wrapper = TextWrapper(
        max(NARROWEST, width),
        initial_indent=indent,
        subsequent_indent=indent + " " * hang,
        break_long_words=False,
        break_on_hyphens=False,
    )
    kept = CODE.sub(lambda found: whole(found[0]), text)
    return [found.replace(KEPT, " ") for found in wrapper.wrap(kept)] or [""]
