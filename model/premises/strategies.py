"""Groups where some consumers run another strategy than the others."""

from collections.abc import Callable, Sequence
from typing import Any

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy, queues_for
from rebalance_proofs.model.group import Consumer, Group, client_ids
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds import groups
from rebalance_proofs.model.worlds.groups import (
    Member,
    SymbolicGroup,
    Values,
    digit_variables,
    numeral,
    of_bits,
    some_queue,
    variables,
)


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Return a group of n consumers; digit k selects the strategy of consumer k."""
    queues, ids = queues_for(strategies, q), client_ids(n)
    return Group(
        queues,
        tuple(
            Consumer(client_id, queues, ids, strategies[choice]) for client_id, choice in zip(ids, values, strict=True)
        ),
    )


def symbolic(encodings: Sequence[Encoding], n: int) -> SymbolicGroup:
    """Return n consumers as SMT terms, for any number q of queues."""
    q, position = variables("q", "p")
    choices, ranges = digit_variables("strategy", n, 2)
    first, second = encodings
    members = tuple(
        Member(either(choice, first, second), q, smt.IntVal(n), smt.IntVal(place), position)
        for place, choice in enumerate(choices)
    )
    return SymbolicGroup(q, members, (*some_queue(q, position), *ranges), (q, position, *choices))


def either(choice: smt.IntTerm, first: Encoding, second: Encoding) -> Encoding:
    """Return an encoding that is ``first`` where ``choice`` is 0, and ``second`` where it is 1."""

    def chosen(part: str) -> Callable[..., Any]:
        return lambda *arguments: smt.If(
            choice == 0, getattr(first, part)(*arguments), getattr(second, part)(*arguments)
        )

    return Encoding(**{part: chosen(part) for part in ("owns", "count", "element", "rank", "owner")})


SAME_STRATEGY = of_bits(
    bit="strategy",
    bits=lambda n: n,
    name="same-strategy",
    sentence="All consumers run the same strategy.",
    otherwise="consumers run different strategies",
    drops=groups.SAME_STRATEGY,
    without="One deployment of the group sets another allocateMessageQueueStrategy than the other.",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    group=group,
    symbolic=symbolic,
    bound=(5, 8),
    subjects=2,
)


# Groups where some listed members do not subscribe to the topic.
# The broker knows the members of a group, not those of a topic. So cidAll lists all members and each gets a share. A
# member that does not subscribe to the topic does not read its share.


def admits(n: int, q: int, values: Values) -> bool:
    """Check that some member subscribes to the topic."""
    return 0 in values


def nth(n: int, q: int, number: int) -> Values:
    """Return the digits of the group with this index.

    All digit strings encode groups except the last, in which no member subscribes.
    """
    return numeral(number, (2,) * n)


def group_same_subscription(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Return a group of n consumers; digit k is 1 if consumer k does not subscribe to the topic."""
    queues, ids = queues_for(strategies, q), client_ids(n)
    return Group(
        queues,
        tuple(
            Consumer(client_id, queues, ids, strategies[0], subscribes=not other)
            for client_id, other in zip(ids, values, strict=True)
        ),
    )


def symbolic_same_subscription(encodings: Sequence[Encoding], n: int) -> SymbolicGroup:
    """Return n consumers as SMT terms, for any number q of queues.

    A consumer that does not subscribe owns nothing.
    """
    q, position = variables("q", "p")
    other, ranges = digit_variables("other", n, 2)
    members = tuple(
        Member(encodings[0], q, smt.IntVal(n), smt.IntVal(place), position, listed=digit == 0)
        for place, digit in enumerate(other)
    )
    somebody = smt.Or([digit == 0 for digit in other])
    return SymbolicGroup(q, members, (*some_queue(q, position), *ranges, somebody), (q, position, *other))


SAME_SUBSCRIPTION = of_bits(
    bit="other",
    bits=lambda n: n,
    name="same-subscription",
    sentence="All consumers of the group subscribe to the topic.",
    otherwise="a member does not subscribe to the topic",
    drops=groups.SAME_SUBSCRIPTION,
    without="One deployment of the group subscribes to other topics than another; the broker lists both.",
    source="https://github.com/apache/rocketmq/issues/351",
    group=group_same_subscription,
    admits=admits,
    groups=lambda n, q: 2**n - 1,
    nth=nth,
    symbolic=symbolic_same_subscription,
    bound=(5, 8),
)
