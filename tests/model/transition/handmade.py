"""Cases that are benign except for the given values."""

from collections.abc import Mapping, Sequence

from rebalance_proofs.model.transition.variables import CONSUMER, QUEUE, ROUND, Case, Variable

Numbers = Mapping[str, int]


def case(queues: Sequence[Numbers], rounds: Sequence[Sequence[Numbers]], **consumer: int) -> Case:
    """A case; ``rounds`` has one entry for each round, with the round's values for each of the ``queues``."""
    return Case(
        _with(CONSUMER, consumer),
        tuple(_with(QUEUE, state) for state in queues),
        tuple(tuple(_with(ROUND, asked) for asked in row) for row in rounds),
    )


def _with(known: Sequence[Variable], told: Numbers) -> dict[str, int]:
    assert {*told} <= {variable.name for variable in known}
    return {variable.name: variable.benign for variable in known} | dict(told)
