"""Groups where cidAll lists a dead client id instead of a running consumer's id."""

from collections.abc import Sequence

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy, queues_for
from rebalance_proofs.model.group import Consumer, Group, client_ids
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds import groups
from rebalance_proofs.model.worlds.groups import (
    Member,
    SymbolicGroup,
    Values,
    digit_variables,
    of_bits,
    some_queue,
    variables,
)


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Return a group of n consumers, some of which are listed under an old id.

    Digit k is 1 if cidAll has consumer k's id from before its restart.
    """
    queues, ids = queues_for(strategies, q), client_ids(n)
    cid_all = tuple(f"{client_id}-old" if old else client_id for client_id, old in zip(ids, values, strict=True))
    return Group(queues, tuple(Consumer(client_id, queues, cid_all, strategies[0]) for client_id in ids))


def symbolic(encodings: Sequence[Encoding], n: int) -> SymbolicGroup:
    """Return n consumers as SMT terms, for any number q of queues.

    A consumer whose present id is not listed owns nothing.
    """
    q, position = variables("q", "p")
    old, ranges = digit_variables("old", n, 2)
    members = tuple(
        Member(encodings[0], q, smt.IntVal(n), smt.IntVal(place), position, listed=digit == 0)
        for place, digit in enumerate(old)
    )
    return SymbolicGroup(q, members, (*some_queue(q, position), *ranges), (q, position, *old))


OWN_ID_LISTED = of_bits(
    bit="old",
    bits=lambda n: n,
    name="own-id-listed",
    sentence="Every consumer finds its own id in cidAll.",
    otherwise="a consumer's own id is missing from cidAll",
    drops=groups.OWN_ID_LISTED,
    without="A consumer restarted under a new id (with its new pid); the broker still lists the old connection.",
    source="https://github.com/apache/rocketmq/blob/develop/client/src/main/java/org/apache/rocketmq/client/consumer/rebalance/AbstractAllocateMessageQueueStrategy.java",
    group=group,
    symbolic=symbolic,
    bound=(5, 8),
)
