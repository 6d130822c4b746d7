"""Break lines between words, and between Chinese characters. Paths, claim ids and commands are never broken.

They overflow instead.
"""

import re
from collections.abc import Iterator
from textwrap import TextWrapper

from rebalance_proofs.report.cells import width as cells

NARROWEST = 20
"""Smallest width that lines are wrapped at, in characters."""
KEPT = "\N{NO-BREAK SPACE}"
"""Replaces a space at which a line must not break.

Input text never contains it, because ``printable`` escapes it.
"""
CODE = re.compile(r"`[^`]+`")
OPENING, CLOSING = "（《“‘「【", "，。；：！？、）》”’」】…"
"""Chinese punctuation after which, and before which, a line does not break."""
WIDE = re.compile(rf"[\u3400-\u9fff\u3000-\u303f\uff00-\uffef{OPENING}{CLOSING}]")
PIECE = rf" *(?:[{OPENING}]*(?:{WIDE.pattern}|(?:(?!{WIDE.pattern})[^ ])+)[{CLOSING}]*|[{OPENING}]+)"
"""A part of a Chinese text that is not broken: a character or a word, with its punctuation.

It is compiled at its first use, because that takes long.
"""


def whole(text: str) -> str:
    """Return the text with unbreakable spaces, so that ``wrapped`` does not break it."""
    return text.replace(" ", KEPT)


def wrapped(line: str, width: int, hang: int = 2) -> list[str]:
    """Wrap a line at the width.

    Lines break only at spaces, not inside a `code span` or a ``whole`` text, and between Chinese characters, but not
    before a full stop or comma. A longer unbreakable part overflows on a line of its own. Leading spaces are repeated
    on every line; lines after the first are indented by ``hang`` more.
    """
    if cells(line) <= width:
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
    if WIDE.search(kept):
        return [found.replace(KEPT, " ") for found in _pieces(kept, max(NARROWEST, width), indent, hang)]
    return [found.replace(KEPT, " ") for found in wrapper.wrap(kept)] or [""]


def _pieces(text: str, width: int, indent: str, hang: int) -> Iterator[str]:
    """Yield the lines of a text with Chinese characters."""
    line = indent
    begins = True
    for piece in re.findall(PIECE, text):
        if not begins and cells(line) + cells(piece) > width:
            yield line.rstrip(" ")
            line, begins = indent + " " * hang, True
        line += piece.lstrip(" ") if begins else piece
        begins = False
    if not begins:
        yield line
