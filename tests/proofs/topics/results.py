"""Results over several topics written by hand."""

from collections.abc import Sequence

from rebalance_proofs.model.topics import STRATEGIES, TOPICS
from rebalance_proofs.model.topics.encoding import bits_of
from rebalance_proofs.proofs.guarantee import Guarantee


def said(guarantee: Guarantee, sizes: Sequence[int], listed: Sequence[Sequence[int]]) -> str | None:
    """The guarantee's sentence if consumers get these places among the queues of topics of these sizes; None if
    satisfied.
    """
    group = TOPICS.group(STRATEGIES[:1], len(listed), sum(sizes), bits_of(sizes))
    return guarantee.violation(group, [[group.queues[place] for place in places] for places in listed])
