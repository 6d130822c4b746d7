"""A counterexample of any kind of claim in words."""

from functools import singledispatch

from rebalance_proofs.model.group import Group
from rebalance_proofs.model.transition.rounds import Rounds
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report import caption
from rebalance_proofs.report.story import story
from rebalance_proofs.report.words import count, group_size


def lines(claim: Claim, example: Counterexample) -> tuple[str, ...]:
    """A sentence or two a line; the last one says what is wrong."""
    return _lines(example.group, claim, example)


@singledispatch
def _lines(group: object, claim: Claim, example: Counterexample) -> tuple[str, ...]:
    raise TypeError(f"a counterexample of type {type(group).__name__} cannot be told")


@_lines.register
def _(group: Group, claim: Claim, example: Counterexample) -> tuple[str, ...]:
    return caption.caption(example)


@_lines.register
def _(group: Rounds, claim: Claim, example: Counterexample) -> tuple[str, ...]:
    return story(claim, example)


def size(example: Counterexample) -> str:
    """How large it is: ``2 consumers, 1 queue``; ``1 queue, 3 values out of the ordinary``."""
    return _size(example.group, example)


@singledispatch
def _size(group: object, example: Counterexample) -> str:
    raise TypeError(f"a counterexample of type {type(group).__name__} has no size")


@_size.register
def _(group: Group, example: Counterexample) -> str:
    return group_size((example.consumers, example.queues))


@_size.register
def _(group: Rounds, example: Counterexample) -> str:
    return case_size(example.queues, example.departures)


def case_size(queues: int, departures: int) -> str:
    """How large a case of a transition is: ``1 queue, 3 values out of the ordinary``."""
    unusual = count(departures, "value") if departures else "nothing"
    return f"{count(queues, 'queue')}, {unusual} out of the ordinary"
