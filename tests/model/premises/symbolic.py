"""Symbolic groups that can be evaluated, and the concrete groups' answers to the same questions."""

from collections.abc import Mapping, Sequence

import numpy as np

from rebalance_proofs.model.allocation import Strategy
from rebalance_proofs.model.group import Group
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.worlds.groups import Groups, Values


class Symbolic:
    """A premise's symbolic group: its constraints, number of queues, and which consumers own the queue in question.

    ``size``: number of consumers, and of queues if the premise is sized. Owners in the reference group follow behind
    those in the group, if there is a reference.
    """

    def __init__(self, world: Groups, strategies: Sequence[Strategy], *size: int) -> None:
        group = world.symbolic([strategy.encoding for strategy in strategies], *size)
        self.names = [str(variable) for variable in group.variables]
        owns = [member.owns for member in (*group.members, *group.reference)]
        self._kernel = compile_kernel(self.names, smt.And(*group.constraints), group.queues, *owns)

    def __call__(self, assignments: Sequence[Mapping[str, int]]) -> list[list[int]]:
        """Rows (admitted, queues, owned by 0, owned by 1, ...), one for each assignment."""
        columns = [np.array([assignment[name] for assignment in assignments], dtype=int) for name in self.names]
        admitted, *others = self._kernel(*columns)
        rows = np.broadcast_arrays(np.zeros(len(assignments), dtype=int), admitted, *others)[1:]
        return [list(map(int, row)) for row in zip(*rows, strict=True)]


def takers(world: Groups, strategies: Sequence[Strategy], n: int, q: int, values: Values) -> list[list[int]]:
    """For each queue: which consumers have it in their concrete results, and which have it in the reference's."""
    group = world.group(strategies, n, q, values)
    results = group.results()
    if group.reference:
        before = dict(zip(ids(group.reference), group.reference.results(), strict=True))
        results += [before.get(client_id, []) for client_id in ids(group)]
    return [[int(queue in result) for result in results] for queue in group.queues]


def ids(group: Group) -> list[str]:
    """Client ids of the group."""
    return [consumer.client_id for consumer in group.consumers]
