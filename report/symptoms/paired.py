"""Texts of exceptions and log lines with values, and pairs of lines of a paste with one value in common."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from rebalance_proofs.recorded.knowledge.pasted_texts import pasted
from rebalance_proofs.recorded.logs.times import stamp

OTHER_VALUE = r"[^,\s]+?"
VALUES = {
    "group": r"[%\w|.*-]+?",
    "topic": r"[%\w|*-]+",
    "ms": r"\d+",
    "address": r"[^<>\s\]]*[.:/\d][^<>\s\]]*?",
    "queue": r".+",
    "mq": r"MessageQueue \[[^\]]+\]",
    "body": r".*",
}
"""Placeholder -> pattern of its values; other values have no blanks."""
HOLE = re.compile(r"\{(\w+)\}")


@cache
def pattern_of(text: str) -> re.Pattern[str]:
    """Return the pattern of a text with placeholders such as {group}. Compiling all texts takes long."""
    parts = HOLE.split(text)
    body = "".join(
        re.sub(r"(?:\\ )+", r"\\s+", re.escape(part))
        if place % 2 == 0
        else f"(?P<{part}>{VALUES.get(part, OTHER_VALUE)})"
        for place, part in enumerate(parts)
    )
    if len(parts) > 1 and not parts[-1]:
        body += r"(?=[\s,;.]|$)"
    return re.compile(body, re.I)


def longest_word(text: str) -> str:
    """Return the longest literal word of a text with placeholders, in lower case."""
    return max((word for part in HOLE.split(text)[::2] for word in part.split()), key=len).casefold()


def paired(lines: Sequence[str]) -> Iterator[tuple[Mapping[str, Any], re.Match[str], str]]:
    """Yield (entry, match, line) for each line that follows one with the same value, as an entry ``pair`` says."""
    for entry, value, firsts, laters in _pairs():
        seen: dict[str, str] = {}
        for line in lines:
            folded = line.casefold()
            for word, text in laters:
                found = pattern_of(text).search(line) if word in folded else None
                if found and found[value] in seen and _near(seen[found[value]], line, entry.get("within")):
                    yield entry, found, line
                    break
            for word, text in firsts:
                if word in folded and (found := pattern_of(text).search(line)):
                    seen[found[value]] = line


def _near(first: str, later: str, within: int | None) -> bool:
    """Return whether two lines are at most ``within`` ms apart; true if a time is missing."""
    if within is None:
        return True
    before, after = (stamp(line.encode("utf-8", "replace"), 1970) for line in (first, later))
    return before is None or after is None or 0 <= after.at - before.at <= within


@cache
def _pairs() -> Sequence[tuple[Mapping[str, Any], str, list[tuple[str, str]], list[tuple[str, str]]]]:
    """Return (entry, name of the common value, texts of the first line, texts of the later one).

    Each text has its longest literal word in front.
    """

    def worded(texts: Sequence[str]) -> list[tuple[str, str]]:
        return [(longest_word(text), text) for text in texts]

    return [(one, one["same"], worded(one["first"]), worded(one["later"])) for one in pasted("exceptions")["pair"]]
