"""The guarantee that two strategies give each consumer the same list, for ``--same-as``."""

from collections.abc import Sequence
from dataclasses import replace

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.queues import NOWHERE, MessageQueue, positions_in
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.model.worlds.groups import Values
from rebalance_proofs.proofs.allocation.names import name_consumer
from rebalance_proofs.proofs.allocation.same import SAME


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Return a group whose n consumers run the first strategy; its reference runs the second one.

    The reference is a second group of the same consumers and queues, for comparison.
    """
    mine, other = (AGREED.group((strategy,), n, q, values) for strategy in strategies)
    return replace(mine, reference=Group(mine.queues, other.consumers))


SAME_AS = replace(AGREED, name="same-as", group=group, subjects=2)


def violation(group: Group, results: Results) -> str | None:
    """Return a sentence about the first consumer whose two lists differ; None if there is none.

    Lists in a different order differ, too.
    """
    for place, (one, other) in enumerate(zip(results, group.compared_with.results(), strict=True)):
        if list(one) != list(other):
            mine, theirs = (side.consumers[place].strategy.name for side in (group, group.compared_with))
            here, there = (_places(group, taken) for taken in (one, other))
            return f"{name_consumer(group, place)} gets {here} from {mine}, and {there} from {theirs}."
    return None


def _places(group: Group, taken: Sequence[MessageQueue]) -> str:
    found = positions_in(group.queues, taken)
    return f"[{', '.join('a queue that is not there' if one == NOWHERE else str(one) for one in found)}]"


SAME_LISTS = replace(SAME, sentence="Both strategies give each consumer the same list", violation=violation)
