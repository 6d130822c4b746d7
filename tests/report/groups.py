"""Counterexamples made without a solver."""

from model.allocation import STRATEGIES
from model.premises import Premise
from proofs.allocation import GUARANTEES
from proofs.results import Counterexample
from proofs.smallest import violated

AVG, CIRCLE = STRATEGIES[:2]


def counterexample(guarantee: str, premise: Premise, n: int, q: int, values: tuple[int, ...], *strategies):
    """The group with these digits, which has to violate the guarantee."""
    group = premise.group(strategies or (AVG,), n, q, values)
    sentence = violated(next(found for found in GUARANTEES if found.name == guarantee), group)
    assert sentence is not None
    return Counterexample(n, q, values, group, sentence)
