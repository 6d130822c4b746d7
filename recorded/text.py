"""Values of recorded results as text for messages: short, and printable."""

import json

LONGEST = 160
LEAD = 20


def printable(text: str) -> str:
    """Return ``text`` with its unprintable characters escaped as in JSON."""
    if text.isprintable():  # nearly every text
        return text
    return "".join(character if character.isprintable() else json.dumps(character)[1:-1] for character in text)


def quoted(value: object) -> str:
    """Return ``value`` as JSON, cut if it is long."""
    text = json.dumps(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def around_difference(left: str, right: str) -> tuple[str, str]:
    """Return both texts; if one is long, cut both to the place where they begin to differ."""
    if max(len(left), len(right)) <= LONGEST:
        return left, right
    pairs = enumerate(zip(left, right, strict=False))
    common = next((place for place, (one, other) in pairs if one != other), min(len(left), len(right)))
    start = max(0, common - LEAD)
    return _cut(left, start), _cut(right, start)


def _cut(text: str, start: int) -> str:
    end = start + LONGEST
    return ("..." if start else "") + text[start:end] + ("..." if end < len(text) else "")
