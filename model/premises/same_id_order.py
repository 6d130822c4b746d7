"""Groups where all consumers know the same ids, but sort them in one of two orders."""

from collections.abc import Mapping, Sequence
from math import factorial

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy, queues_for
from rebalance_proofs.model.group import Consumer, Group, client_ids
from rebalance_proofs.model.permutations import order, order_number
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import finite
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
    second = tuple(ids[place] for place in order(n, values[0]))
    return Group(
        queues,
        tuple(
            Consumer(client_id, queues, second if choice else ids, strategies[0])
            for client_id, choice in zip(ids, values[1:], strict=True)
        ),
    )


def symbolic(encodings: Sequence[Encoding], n: int) -> SymbolicGroup:
    """Return n consumers as SMT terms, for any number q of queues.

    Each id can have any position in the second order.
    """
    q, position = variables("q", "p")
    choices, ranges = digit_variables("order", n, 2)
    second, places = digit_variables("second", n, n)
    members = tuple(
        Member(encodings[0], q, smt.IntVal(n), index(choices[place], second[place], place, n), position)
        for place in range(n)
    )
    distinct = [second[i] != second[j] for i in range(n) for j in range(i)]
    constraints = (*some_queue(q, position), *ranges, *places, *distinct)
    return SymbolicGroup(q, members, constraints, (q, position, *choices, *second))


def index(choice: smt.IntTerm, second: smt.IntTerm, place: int, n: int) -> smt.IntTerm:
    """Return the index of the consumer at ``place`` in the order that it uses.

    ``choice``: 0 for the first order; ``second``: its position in the second order.
    """
    return smt.If(choice == 1, finite(second, 0, n - 1), smt.IntVal(place))


def assignment(n: int, q: int, values: Values, queue: int) -> dict[str, int]:
    """Return the values of the symbolic unknowns for a concrete group and one of its queues.

    They are each id's position in the second order, and which consumers use it.
    """
    second = order(n, values[0])
    return (
        {"q": q, "p": queue}
        | {f"order{place}": choice for place, choice in enumerate(values[1:])}
        | {f"second{place}": second.index(place) for place in range(n)}
    )


def configuration(n: int, assignment: Mapping[str, int]) -> tuple[int, Values]:
    """Return q and the digits of the group that an assignment describes.

    The inverse of ``assignment``.
    """
    second = sorted(range(n), key=lambda place: assignment[f"second{place}"])
    return assignment["q"], (order_number(second), *(assignment[f"order{place}"] for place in range(n)))


SAME_ID_ORDER = Groups(
    name="same-id-order",
    sentence="All consumers sort the client ids alike.",
    otherwise="consumers sort the client ids differently",
    drops=groups.SAME_ID_ORDER,
    without="Clients of different languages compare ids differently (UTF-16 units or bytes), or do not sort.",
    source="https://github.com/apache/rocketmq-client-go/issues/419",
    radices=lambda n, q: (factorial(n),) + (2,) * n,
    admits=lambda n, q, values: True,
    groups=lambda n, q: factorial(n) * 2**n,
    group=group,
    symbolic=symbolic,
    assignment=assignment,
    configuration=configuration,
    bound=(4, 5),
)
