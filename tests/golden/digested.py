"""Long texts in short: digests, and how the parts of a text begin."""

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256

PARTS = re.compile(r"(?=<(?:section|details|article|h\d|svg|table|figure|pre|style|script)\b)")
"""Where a page is parted."""
SCRIPT = re.compile(r"<script.*?</script>|'sha256-\S+'", re.DOTALL)


def digested(text: str) -> Iterator[str]:
    """A line for each paragraph of a text."""
    yield from map(_line, text.split("\n\n"))


def page_digested(text: str) -> Iterator[str]:
    """A line for each section, heading, table, picture and script of a page."""
    yield from map(_line, PARTS.split(text))


def digest(of: object, digits: int = 8) -> str:
    """Of what it is as a text, so many hexadecimal digits."""
    return sha256(str(of).encode()).hexdigest()[:digits]


def all_digested(texts: Iterable[str], digits: int = 8) -> str:
    """How many texts there are, and a digest of all together."""
    every = list(texts)
    return f"{len(every)} {digest(chr(0).join(every), digits)}"


def each_digested(texts: Iterable[tuple[str, object]], digits: int = 8) -> str:
    """Names, each with the digest of its text."""
    return ", ".join(f"{name} {digest(text, digits)}" for name, text in texts)


def _line(part: str) -> str:
    return f"{digest(part, 12)} {' '.join(part[:60].split())}"


def without_scripts(page: str) -> str:
    """The page without scripts and their hashes, which change with the version of the chart library."""
    return SCRIPT.sub("", page)
