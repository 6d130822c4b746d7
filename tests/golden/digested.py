"""Long texts in short: the digest of each part, and how the part begins."""

import re
from collections.abc import Iterator
from hashlib import sha256

PARTS = re.compile(r"(?=<(?:section|details|article|h\d|svg|table|figure|pre|style|script)\b)")
"""Where a page is parted."""


def digested(text: str) -> Iterator[str]:
    """A line for each paragraph of a text."""
    yield from map(_line, text.split("\n\n"))


def page_digested(text: str) -> Iterator[str]:
    """A line for each section, heading, table, picture and script of a page."""
    yield from map(_line, PARTS.split(text))


def _line(part: str) -> str:
    return f"{sha256(part.encode()).hexdigest()[:12]} {' '.join(part[:60].split())}"
