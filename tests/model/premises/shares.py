"""Results of a premise's groups as queue numbers, so that expected ones can be written by hand."""

from model.allocation import Strategy
from model.allocation.averagely import AVERAGELY
from model.premises import Premise
from model.premises.premise import Values


def shares(
    premise: Premise, n: int, q: int, values: Values, strategies: tuple[Strategy, ...] = (AVERAGELY,)
) -> list[list[int]]:
    """Each consumer's result as places among the topic's queues."""
    group = premise.group(strategies, n, q, values)
    return [[group.queues.index(queue) for queue in result] for result in group.allocate()]
