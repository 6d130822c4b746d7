"""Learn from the known questions how strongly each term speaks for each cause.

The model is a multinomial logistic regression over the terms of a question: its probabilities of the causes come from
one weight for each term and cause. The training is deterministic. Small weights are dropped and the others rounded, so
that the file is small and a command needs only the weights of its text's terms.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rebalance_proofs.recorded.knowledge.similar import STEP, terms

LEAST = 2
"""Fewest texts of a term that gets weights."""
SMALL = 0.4
"""Least weight that is kept."""
PASSES, RATE, LATE = 60, 0.5, 0.6
"""Passes over all texts, the step of Adam, and the part of the passes after which the step is a third."""
DECAY, SQUARE = 0.9, 0.98
"""Decay of Adam's two averages."""
PULL = 1e-5
"""Pull of each weight to 0 (the L2 penalty)."""
RARE = 0.3
"""Exponent by which a text with a rare cause counts more."""

Floats: TypeAlias = npt.NDArray[np.float32]


def digest(questions: Iterable[Mapping[str, Any]]) -> str:
    """Return a digest of all that the weights depend on, by which a test finds weights that are out of date."""
    settings = (LEAST, SMALL, STEP, PASSES, RATE, LATE, DECAY, SQUARE, PULL, RARE)
    told = [(one["causes"], [sorted(terms(text)) for text in _texts(one)]) for one in questions]
    return hashlib.sha256(repr((settings, told)).encode()).hexdigest()


def learned(questions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the weights learned from questions, each with ``causes``, the main one first, and texts ``en`` and ``zh``.

    The result has the causes, "" for none, with the weight that each has without any term, and for each term its
    information in nats and its weights, as numbers in one string: most terms are not looked up, and lists take long
    to load.
    """
    texts = [(terms(text), one["causes"]) for one in questions for text in _texts(one)]
    count = Counter(term for found, _ in texts for term in {*found})
    rows = {term: row for row, term in enumerate(sorted(term for term, n in count.items() if n >= LEAST))}
    weight = {term: math.log(1 + len(texts) / count[term]) for term in rows}
    causes = ["", *sorted({name for _, named in texts for name in named})]
    wanted = _wanted([named for _, named in texts], causes)
    bias = np.log(wanted.mean(0) + 1e-4).astype(np.float32)
    weights = _trained([{rows[term]: weight[term] for term in found if term in rows} for found, _ in texts],
                       wanted, bias, len(rows))  # fmt: skip
    steps = np.where(np.abs(weights) < SMALL, 0, np.round(weights / STEP)).astype(int)
    return {
        "questions": digest(questions),
        "causes": causes,
        "bias": [round(float(one), 3) for one in bias],
        "terms": {term: _packed(weight[term], steps[row]) for term, row in rows.items()},
    }


def _texts(question: Mapping[str, Any]) -> tuple[str, ...]:
    return (*question.get("en", ()), *question.get("zh", ()))


def _packed(weight: float, steps: npt.NDArray[np.int_]) -> str:
    """Return the information of a term, and (cause, weight) pairs, as a string of numbers."""
    pairs = [f"{cause} {steps[cause]}" for cause in np.flatnonzero(steps)]
    return " ".join([f"{weight:.2f}", *pairs])


def _wanted(named: Sequence[Sequence[str]], causes: Sequence[str]) -> Floats:
    """Return the wanted probabilities of the causes of each text; the second one has two thirds of the first one's."""
    column = {name: at for at, name in enumerate(causes)}
    wanted = np.zeros((len(named), len(causes)), np.float32)
    for row, names in enumerate(named):
        for rank, name in enumerate(names or [""]):
            wanted[row, column[name]] = 1 / (1 + rank / 2)
    wanted /= wanted.sum(1, keepdims=True)
    return wanted


def _trained(texts: Sequence[Mapping[int, float]], wanted: Floats, bias: Floats, rows: int) -> Floats:
    """Return the weights of terms and causes, trained by Adam on all texts at once."""
    wanted = wanted[[bool(one) for one in texts]]
    texts = [one for one in texts if one]
    size = np.array([len(one) for one in texts])
    term = np.array([row for one in texts for row in one])
    value = np.array(
        [weight / math.hypot(*one.values()) for one in texts for weight in one.values()], np.float32
    )[:, None]  # fmt: skip
    text = np.repeat(np.arange(len(texts)), size)
    starts = np.cumsum(size) - size
    order = np.argsort(term, kind="stable")
    firsts = np.searchsorted(term[order], np.arange(rows))
    often = wanted @ (1 / wanted.sum(0).clip(1) ** RARE)
    counts = (often / often.mean() / len(texts)).astype(np.float32)[:, None]
    weights, mean, square = (np.zeros((rows, wanted.shape[1]), np.float32) for _ in range(3))
    for step in range(1, PASSES + 1):
        scores = np.add.reduceat(weights[term] * value, starts) + bias
        wrong = np.exp(scores - scores.max(1, keepdims=True))
        wrong = (wrong / wrong.sum(1, keepdims=True) - wanted) * counts
        slope = np.add.reduceat((wrong[text] * value)[order], firsts) + np.float32(PULL) * weights
        mean = DECAY * mean + (1 - DECAY) * slope
        square = SQUARE * square + (1 - SQUARE) * slope * slope
        rate = RATE * (1 if step < LATE * PASSES else 0.3)
        weights -= rate * (mean / (1 - DECAY**step)) / (np.sqrt(square / (1 - SQUARE**step)) + 1e-6)
    return weights
