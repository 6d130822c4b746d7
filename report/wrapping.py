"""Line breaks between words. A path, a claim id or a command line is never broken: it overflows instead."""

import re
from textwrap import TextWrapper

__all__ = ["whole", "wrapped"]

NARROWEST = 20
"""Least width in characters."""
KEPT = "\N{NO-BREAK SPACE}"
"""Stands for a space at which a line must not break; foreign text never has it, because ``printable`` escapes it."""
CODE = re.compile(r"`[^`]+`")


def whole(text: str) -> str:
    """Return the text with its spaces marked, so that ``wrapped`` does not break it."""
    return text.replace(" ", KEPT)


def wrapped(line: str, width: int, hang: int = 2) -> list[str]:
    """Return lines of at most that width.

    Lines break at spaces only, and not inside a `code span` or a ``whole`` text. What cannot break and is longer than
    the width overflows on a line of its own. Leading spaces are repeated on every line; lines after the first are
    indented by ``hang`` more.
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
