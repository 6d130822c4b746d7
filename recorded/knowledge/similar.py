"""Find the causes of known questions that use a user's words.

The folder ``questions`` has questions that users could ask, each with the causes that answer it. From them, ``learned``
computes how strongly each term speaks for each cause. The result is no evidence about the user's group: it only ranks
causes.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

INDEX = Path(__file__).parent / "questions.json"
"""The weights that ``python -m rebalance_proofs.recorded.knowledge`` writes."""
TERM = re.compile(r"[a-z_][a-z0-9_]*(?:[-.][a-z0-9_]+)*|[\u4e00-\u9fff]+|(?<![\w.])\d{1,3}(?![\w.])")
"""A Latin word, a run of Chinese, or a short number such as a response code."""
COMMON = re.compile(
    r"(?:"
    "a|an|the|is|are|was|were|be|been|i|we|you|it|they|our|my|your|their|this|that|these|those|to|of|in|"
    "on|at|by|for|from|with|and|or|as|do|does|did|not|no|so|if|then|than|there|here|what|which|who|how|"
    "why|when|where|has|have|had|can|could|would|should|will|just|only|also|very|all|any|each|one|two|"
    "some|more|most|other|into|out|up|down|after|before|while|during|about|its|s|t|m|re|ve|dont|doesn|isn"
    ")"
)
"""English words without a subject."""
ENDINGS = ("ations", "ation", "ings", "ing", "edly", "ied", "ies", "ed", "es", "e", "s", "ly", "er", "ers")
STEM = 3
"""Fewest letters of a stem."""
STEP = 0.125
"""Unit of the weights in the file."""
UNKNOWN = 4.0
"""Information of a term that no known question has, in nats: about that of a term in one question of fifty."""


def terms(text: str) -> list[str]:
    """Return the terms of a text: stems of English words, numbers, and Chinese characters and pairs of them."""
    found: list[str] = []
    for word in TERM.findall(text.casefold()):
        if word[0] > "z":
            found += word
            found += (word[at : at + 2] for at in range(len(word) - 1))
        else:
            found += (_stem(part) for part in re.split("[-_.]", word) if part and not COMMON.fullmatch(part))
    return found


def _stem(word: str) -> str:
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= STEM:
            return word[: -len(ending)]
    return word


def _whole(term: str) -> bool:
    """Return False for a single Chinese character, which says nothing beside its pairs."""
    return len(term) > 1 or term.isascii()


@dataclass(frozen=True)
class Similar:
    """Causes of known questions in the words of a text."""

    causes: Mapping[str, float]
    """Name of a cause -> its probability, the largest first."""
    none: float
    """Probability that no cause answers the text."""
    known: float
    """Share of the text's information that is in terms of known questions, from 0 to 1."""
    weight: float
    """Information in the text's terms, in nats: "consumed twice" has about 5, a sentence of 15 words about 50."""


@cache
def _learned() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = json.loads(INDEX.read_bytes())
    return loaded


def similar(text: str, weights: Mapping[str, Any] | None = None) -> Similar:
    """Return the causes for a text; ``weights`` are learned ones, by default the compiled ones."""
    weights = weights or _learned()
    scores = [0.0] * len(weights["causes"])
    known = squares = unknown = information = 0.0
    for term in dict.fromkeys(terms(text)):
        told, *pairs = weights["terms"].get(term, "0").split()
        weight = float(told)
        information += (weight or UNKNOWN) * _whole(term)
        known += weight
        squares += weight * weight
        unknown += 0.0 if weight else UNKNOWN
        for cause, steps in zip(pairs[::2], pairs[1::2], strict=True):
            scores[int(cause)] += weight * STEP * int(steps)
    norm = math.sqrt(squares) or 1.0
    likely = [math.exp(bias + score / norm) for bias, score in zip(weights["bias"], scores, strict=True)]
    every = sum(likely)
    shares = sorted(zip(weights["causes"], (one / every for one in likely), strict=True), key=lambda item: -item[1])
    none = dict(shares).get("", 0.0)
    causes = {name: share for name, share in shares if name}
    return Similar(causes, none, known / ((known + unknown) or 1.0), information)
