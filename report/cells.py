"""The width of texts in a terminal: a Chinese character fills two cells."""

from unicodedata import combining, east_asian_width


def width(text: str) -> int:
    """Return the number of cells that a text fills in a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(one) else 2 if east_asian_width(one) in "WF" else 1 for one in text)


def padded(text: str, cells: int) -> str:
    """Return the text with spaces up to this number of cells."""
    return text + " " * (cells - width(text))
