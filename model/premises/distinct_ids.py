"""Groups where two processes share a client id, so that both use the first one's index."""

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
    """Return a group of n processes, some of which share an id.

    Digit k - 1 says whether process k has the id of process k - 1.
    """
    distinct = iter(client_ids(n))
    ids = [next(distinct)]
    for same in values:
        ids.append(ids[-1] if same else next(distinct))
    queues = queues_for(strategies, q)
    return Group(queues, tuple(Consumer(client_id, queues, tuple(ids), strategies[0]) for client_id in ids))


def symbolic(encodings: Sequence[Encoding], n: int) -> SymbolicGroup:
    """Return n processes as SMT terms, for any number q of queues.

    A process with a repeated id has the index of the process before it.
    """
    q, position = variables("q", "p")
    same, ranges = digit_variables("same", n - 1, 2)
    indexes = [smt.IntVal(0)]
    for place in range(1, n):
        indexes.append(smt.If(same[place - 1] == 1, indexes[-1], place))
    members = tuple(Member(encodings[0], q, smt.IntVal(n), index, position) for index in indexes)
    return SymbolicGroup(q, members, (*some_queue(q, position), *ranges), (q, position, *same))


DISTINCT_IDS = of_bits(
    bit="same",
    bits=lambda n: n - 1,
    name="distinct-ids",
    sentence="No client id appears twice in cidAll.",
    otherwise="a client id appears twice in cidAll",
    drops=groups.DISTINCT_IDS,
    without="Two processes have the same client id (ip@pid in two containers); cidAll lists it once per connection.",
    source="https://github.com/apache/rocketmq/issues/1547",
    group=group,
    symbolic=symbolic,
    bound=(5, 8),
)
