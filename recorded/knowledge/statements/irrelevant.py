"""Recognize log statements that say nothing about a symptom: ``statements.json``, compiled from the inventory."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rebalance_proofs.language import Text

STATEMENTS = Path(__file__).parent.parent / "statements.json"
"""The file that ``python -m rebalance_proofs.recorded.knowledge`` writes."""
SHORTEST = 12
"""Fewest letters of a statement that is recognized inside a longer text; shorter ones occur in other lines."""
FEWEST_WORDS = 4
"""Fewest words of a text that is recognized as a part of a statement."""


@dataclass(frozen=True)
class Irrelevant:
    """A known log statement that indicates no cause."""

    client: str
    """Name of the client, such as ``Java client``."""
    where: str
    """Class that writes it."""
    text: str
    about: Text
    """Its subject, as in "it is about producers"."""


def irrelevant(text: str) -> Irrelevant | None:
    """Return the irrelevant statement that occurs in the text, the longest if there are several."""
    asked = _plain(text)
    known = _known()
    found = [one for one in known["statements"] if _occurs(one[2], asked)]
    if not found:
        return None
    client, where, words, reason = max(found, key=lambda one: _letters(one[2]))
    return Irrelevant(client, where, words, Text(**known["reasons"][reason]))


@cache
def _known() -> Mapping[str, Any]:
    known: Mapping[str, Any] = json.loads(STATEMENTS.read_bytes())
    return known


def _occurs(text: str, asked: str) -> bool:
    """Return True if the statement's parts between its values follow each other in the text, or the text is a part."""
    if _letters(text) < SHORTEST:
        return False
    plain = _plain(text)
    if asked.count(" ") >= FEWEST_WORDS - 1 and asked in plain:
        return True
    at = 0
    for part in plain.split("{}"):
        at = asked.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
