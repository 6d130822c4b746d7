"""The width of texts in a terminal: a Chinese character fills two cells."""

import re
from collections.abc import Iterator, Sequence
from textwrap import TextWrapper
from unicodedata import combining, east_asian_width


def cells_of(text: str) -> int:
    """Return the number of cells that a text fills in a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(one) else 2 if east_asian_width(one) in "WF" else 1 for one in text)


def padded(text: str, cells: int) -> str:
    """Return the text with spaces up to this number of cells."""
    return text + " " * (cells - cells_of(text))


# Align the cells of a text table in columns, for a terminal.


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield one line of text for each row; all rows have the same number of cells."""
    widths = [max(map(cells_of, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(padded(cell, cells) for cell, cells in zip(row, widths, strict=True)).rstrip()


# Break lines between words, and between Chinese characters. Paths, claim ids and commands are never broken.
# They overflow instead.

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
    if cells_of(line) <= width:
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
        if not begins and cells_of(line) + cells_of(piece) > width:
            yield line.rstrip(" ")
            line, begins = indent + " " * hang, True
        line += piece.lstrip(" ") if begins else piece
        begins = False
    if not begins:
        yield line
