"""Find the known wording in a log line, and so the fact of the line."""

import re
from collections.abc import Iterator

from rebalance_proofs.recorded.logs.fact import Fact
from rebalance_proofs.recorded.logs.lines import HOLE, decoded
from rebalance_proofs.recorded.logs.reading import QUEUE, Reading, fact_of
from rebalance_proofs.recorded.logs.readings import ORDERS, READINGS

Candidate = tuple[int, re.Pattern[str], Reading, tuple[str, ...], str, str]
"""A parser with one of its wordings.

It is (place in the order of parsers, pattern of the wording, parser, names of the pattern's groups, text before the
first value, first text that is not empty).
"""


def _compiled() -> dict[bytes, list[Candidate]]:
    """Return all parsers and wordings by the longest literal part of the wording."""
    by_part: dict[bytes, list[Candidate]] = {}
    for place, reading in enumerate(READINGS):
        for wording in reading.line.wordings:
            fields = ORDERS.get(wording.text, reading.fields)
            if fields is None:
                continue
            parts = wording.text.split(HOLE)
            names = fields[: len(parts) - 1]
            holes = [HOLES.get(name, "(.*?)") for name in names]
            if wording.text.endswith(HOLE) and holes[-1] == "(.*?)":
                holes[-1] = "(.*)"
            body = "".join(re.escape(part) + hole for part, hole in zip(parts, (*holes, ""), strict=True))
            part = (reading.part or max(parts, key=len)).encode()
            # Without a free value, as OK or Failed, the line is another one and not a truncated one.
            begins = next(one for one in parts if one) if "ok" not in names else wording.text
            by_part.setdefault(part, []).append((place, re.compile(body, re.DOTALL), reading, names, parts[0], begins))
    return by_part


HOLES = {"queue": f"({QUEUE})", "ok": "(OK|Failed)", "group": r"([^\s,\[\]\"]+)"}
"""Name of a value -> regular expression for it; other values can be any text."""
BY_PART = _compiled()
PARTS = tuple(BY_PART)
"""Longest literal parts of the wordings; every line with a fact contains at least one.

They are searched one by one, which is faster than one pattern of all.
"""


def telling(line: bytes) -> bool:
    """Return True if the line contains a part of a wording and so may have a fact.

    This fast test rejects most lines.
    """
    return (
        b"ueue" in line
        or b"roup" in line
        or b"ebalance" in line
        or b"ffset" in line
        or b" mq" in line
        or b"lient" in line
        or b"pull" in line
        or b"messageModel" in line
        or b"start beginning" in line
        or b"IdsChanged" in line
        or b"shutdown OK" in line
        or b"Topic = " in line
        or b"dropped. " in line
        or b"lockBatchMQ" in line
        or b"One Minute" in line
    ) and any(part in line for part in PARTS)


LONGEST = 1024 * 1024
"""Number of bytes of a line that are parsed; the rest of a longer line is ignored."""
TWO = 300
"""Length in bytes of a line that can consist of several lines."""


def read(line: bytes) -> tuple[Fact | None, bool]:
    """Return the line's fact, and True if the line has none but seems truncated.

    A truncated line contains the beginning of a wording.
    """
    line = line[:LONGEST]
    parts = [part for part in PARTS if part in line]
    if not parts:
        return None, False
    text = decoded(line)
    cut = False
    for _, pattern, reading, fields, first, begins in sorted(
        (one for part in parts for one in BY_PART[part]), key=lambda one: one[0]
    ):
        found = next(filter(None, (pattern.match(text, at) for at in _places(text, first))), None)
        if not found:
            cut = cut or any(True for _ in _places(text, begins))
            continue
        told = dict(zip(fields, found.groups(), strict=False))  # wordings can have different numbers of values
        told.pop("", None)
        fact = reading.make(told, text) if reading.make else fact_of(reading.kind, told, more=reading.more or None)
        if fact is not None and ("queue" not in told or fact.queue is not None):
            return fact._replace(name=reading.line.name), False
        cut = True
    return None, cut


def _places(text: str, literal: str) -> Iterator[int]:
    """Yield the positions of ``literal`` in the text, but not inside a longer word.

    For example, ``lock`` is not found in ``unlock``. A regular expression would be much slower.
    """
    at = text.find(literal)
    while at >= 0:
        if text[max(0, at - 2) : at] != "un":
            yield at
        at = text.find(literal, at + 1)
