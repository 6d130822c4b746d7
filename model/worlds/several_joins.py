"""The world where all assumptions hold and several consumers have just joined.

The group after the joins is compared with the group before.
"""

from collections.abc import Sequence
from dataclasses import replace

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy, queues_for
from rebalance_proofs.model.group import Consumer, Group, client_ids
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import finite
from rebalance_proofs.model.worlds.groups import (
    SymbolicGroup,
    Values,
    digit_variables,
    numeral,
    of_bits,
    skipping,
    some_queue,
    variables,
)
from rebalance_proofs.model.worlds.grows import stages, symbolic_member, with_ids


def admits(n: int, q: int, values: Values) -> bool:
    """Return whether at least one consumer joins, and at least one was present before."""
    return 0 in values and 1 in values


def nth(n: int, q: int, number: int) -> Values:
    """Return the bits of the group with this index. The bits of a group are not all equal."""
    return numeral(skipping(number, (0, 2**n - 1)), (2,) * n)


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Build the group of n consumers. Digit k is 1 if consumer k has just joined."""
    queues, ids = queues_for(strategies, q), client_ids(n)
    consumer = Consumer(ids[0], queues, ids, strategies[0])
    before = [client_id for client_id, joins in zip(ids, values, strict=True) if not joins]
    return stages(queues, with_ids(consumer, before), with_ids(consumer, ids))


def symbolic(encodings: Sequence[Encoding], n: int) -> SymbolicGroup:
    """Return n consumers before and after the joins as SMT terms, for any number q of queues."""
    q, position = variables("q", "p")
    joins, ranges = digit_variables("joins", n, 2)
    joined = smt.Sum([smt.IntVal(0), *joins])
    after = tuple(symbolic_member(encodings[0], q, n, smt.IntVal(place), position) for place in range(n))
    before = tuple(
        replace(
            symbolic_member(encodings[0], q, n, place - smt.Sum([smt.IntVal(0), *joins[:place]]), position),
            consumers=finite(n - joined, 1, n),
            listed=joins[place] == 0,
        )
        for place in range(n)
    )
    some = smt.Or([digit == 1 for digit in joins]), smt.Or([digit == 0 for digit in joins])
    return SymbolicGroup(q, after, (*some_queue(q, position), *ranges, *some), (q, position, *joins), reference=before)


SEVERAL_JOIN = of_bits(
    bit="joins",
    bits=lambda n: n,
    name="several-joins",
    sentence="All consumers see the same lists, and some of them have just joined, at once or one after the other.",
    otherwise="",
    without="",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    group=group,
    admits=admits,
    groups=lambda n, q: 2**n - 2,
    nth=nth,
    symbolic=symbolic,
    bound=(5, 8),
)
