"""Find the causes of known questions that are similar to a user's text.

The folder ``questions`` has questions that users could ask, each with the causes that answer it. A text is compared
with them by BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009), and the most similar
questions vote for their causes. A vote is no evidence about the user's group: it only ranks causes.
"""

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["INDEX", "Similar", "index", "similar", "terms"]

INDEX = Path(__file__).parent / "questions.json"
"""The index that ``python -m rebalance_proofs.recorded.knowledge`` writes."""
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
SATURATION, LENGTH = 1.2, 0.3
"""Parameters k1 and b of BM25."""
UNKNOWN = 4.0
"""Weight of a term that no known question has: about that of a term in one question of fifty."""
VOTERS = 15
"""Known questions that vote."""


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


def index(questions: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the index of questions.

    Each question has ``causes``, the main one first and none if no cause answers it, and texts ``en`` and ``zh``. The
    index has the causes of each question, the question and the number of terms of each text, and the texts of each
    term, as numbers in one string: most terms are not looked up, and lists take long to load.
    """
    causes: list[Sequence[str]] = []
    of: list[int] = []
    sizes: list[int] = []
    places: dict[str, list[int]] = {}
    for one in questions:
        for text in (*one.get("en", ()), *one.get("zh", ())):
            found = dict.fromkeys(terms(text))
            for term in found:
                places.setdefault(term, []).append(len(sizes))
            sizes.append(len(found))
            of.append(len(causes))
        causes.append(one["causes"])
    texts = {term: " ".join(map(str, every)) for term, every in sorted(places.items())}
    return {"causes": causes, "of": of, "sizes": sizes, "terms": texts}


def _whole(term: str) -> bool:
    """Return False for a single Chinese character, which says nothing beside its pairs."""
    return len(term) > 1 or term.isascii()


@dataclass(frozen=True)
class Similar:
    """Votes of the known questions that are most similar to a text."""

    causes: Mapping[str, float]
    """Name of a cause -> its share of the votes, the largest first."""
    none: float
    """Share of the questions that no cause answers."""
    nearest: float
    """Similarity of the most similar question, from 0 to about 1."""
    weight: float
    """Information in the text's terms, in nats: "consumed twice" has about 5, a sentence of 15 words about 50."""


@cache
def _index() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = json.loads(INDEX.read_bytes())
    return loaded


def similar(text: str, known: Mapping[str, Any] | None = None) -> Similar:
    """Return the votes of the known questions for a text; ``known`` is the index, by default the compiled one."""
    known = known or _index()
    sizes: Sequence[int] = known["sizes"]
    mean = sum(sizes) / max(len(sizes), 1)
    scores: dict[int, float] = defaultdict(float)
    most = information = 0.0
    for term in dict.fromkeys(terms(text)):
        places = [*map(int, known["terms"].get(term, "").split())]
        if not places:
            most += UNKNOWN
            information += UNKNOWN * _whole(term)
            continue
        weight = math.log(1 + (len(sizes) - len(places) + 0.5) / (len(places) + 0.5))
        most += weight
        information += weight * _whole(term)
        for place in places:
            length = 1 - LENGTH + LENGTH * sizes[place] / mean
            scores[place] += weight * (SATURATION + 1) / (1 + SATURATION * length)
    votes: dict[str, float] = defaultdict(float)
    none = 0.0
    nearest = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:VOTERS]
    for place, score in nearest:
        vote = (score / most) ** 2
        causes = known["causes"][known["of"][place]]
        for rank, cause in enumerate(causes):
            votes[cause] += vote / (1 + rank / 2)
        none += 0.0 if causes else vote
    every = sum(votes.values()) + none or 1.0
    shares = {name: vote / every for name, vote in sorted(votes.items(), key=lambda item: -item[1])}
    return Similar(shares, none / every, nearest[0][1] / most if nearest else 0.0, information)
