"""Guarantee: any number of consumers that join a hash ring only take queues.

The induction is that for one joiner (``hashing.joining``). Ids are numbers that are only compared for equality, so
that without loss of generality the joiners' ids are the numbers from j on.
"""

from dataclasses import replace

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.proofs.allocation.names import name_consumer, name_queue
from rebalance_proofs.proofs.guarantee import agreed
from rebalance_proofs.proofs.hashing.joining import Joiners, joining
from rebalance_proofs.proofs.hashing.state import nearer
from rebalance_proofs.proofs.movement.lemmas.joined import others
from rebalance_proofs.proofs.movement.monotone import MONOTONE


def violation(group: Group, results: Results) -> str | None:
    """Describe the first consumer that gains a queue; None if there is none."""
    for other in others(group, results):
        for queue in other.gained:
            return f"{name_consumer(group, other.place)} gains {name_queue(group, queue)}."
    return None


SEVERAL = replace(
    MONOTONE,
    name="several",
    sentence="No other consumer gains a queue when any number join, or loses a queue when they leave",
    obligations=agreed(*joining(nearer, Joiners("joins", "a joiner", lambda v, owner: owner >= v.j))),
    violation=violation,
)
