"""Groups where all consumers know the same queues, but sort them in one of two orders."""

from collections.abc import Mapping, Sequence
from math import factorial

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy, queues_for
from rebalance_proofs.model.group import Consumer, Group, client_ids
from rebalance_proofs.model.permutations import order, order_number
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds import groups
from rebalance_proofs.model.worlds.groups import (
    Groups,
    Member,
    SymbolicGroup,
    Values,
    digit_variables,
    some_queue,
    variables,
)


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Return a group of n consumers.

    The first digit is the index of the second order among all orders (lexicographic). The others say which
    consumers use it.
    """
    queues, ids = queues_for(strategies, q), client_ids(n)
    second = tuple(queues[place] for place in order(q, values[0]))
    return Group(
        queues,
        tuple(
            Consumer(client_id, second if choice else queues, ids, strategies[0])
            for client_id, choice in zip(ids, values[1:], strict=True)
        ),
    )


def symbolic(encodings: Sequence[Encoding], n: int) -> SymbolicGroup:
    """Return n consumers as SMT terms, for any number q of queues.

    The claim's queue can have any position in either order.
    """
    q, first, second = variables("q", "p", "second_p")
    choices, ranges = digit_variables("order", n, 2)
    members = tuple(
        Member(encodings[0], q, smt.IntVal(n), smt.IntVal(place), smt.If(choice == 1, second, first))
        for place, choice in enumerate(choices)
    )
    constraints = (*some_queue(q, first), 0 <= second, second < q, *ranges)
    return SymbolicGroup(q, members, constraints, (q, first, second, *choices))


def assignment(n: int, q: int, values: Values, queue: int) -> dict[str, int]:
    """Return the values of the symbolic unknowns for a concrete group and one of its queues.

    They are the queue's position in both orders, and each consumer's order.
    """
    second = order(q, values[0])
    return {"q": q, "p": queue, "second_p": second.index(queue)} | {
        f"order{place}": choice for place, choice in enumerate(values[1:])
    }


def configuration(n: int, assignment: Mapping[str, int]) -> tuple[int, Values]:
    """Return q and the digits of a group that an assignment describes.

    Its second order is the first one with two queues exchanged.
    """
    q, first, second = assignment["q"], assignment["p"], assignment["second_p"]
    exchanged = list(range(q))
    exchanged[first], exchanged[second] = second, first
    return q, (order_number(exchanged), *(assignment[f"order{place}"] for place in range(n)))


SAME_ORDER = Groups(
    name="same-order",
    sentence="All consumers sort the queues alike.",
    otherwise="consumers sort the queues differently",
    drops=groups.SAME_ORDER,
    without="Clients of different languages compare broker names differently (UTF-16 units or bytes), or do not sort.",
    source="https://github.com/apache/rocketmq-client-go/issues/419",
    radices=lambda n, q: (factorial(q),) + (2,) * n,
    admits=lambda n, q, values: True,
    groups=lambda n, q: factorial(q) * 2**n,
    group=group,
    symbolic=symbolic,
    assignment=assignment,
    configuration=configuration,
    bound=(4, 5),
)
