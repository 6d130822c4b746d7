"""Groups where two processes share a client id, so that both use the first one's index."""

from collections.abc import Mapping, Sequence
from math import factorial

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy, queues_for
from rebalance_proofs.model.group import Consumer, Group, client_ids
from rebalance_proofs.model.permutations import order, order_number
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import finite
from rebalance_proofs.model.worlds import groups
from rebalance_proofs.model.worlds.groups import (
    Groups,
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


# Groups where cidAll lists a dead client id instead of a running consumer's id.


def group_own_id_listed(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Return a group of n consumers, some of which are listed under an old id.

    Digit k is 1 if cidAll has consumer k's id from before its restart.
    """
    queues, ids = queues_for(strategies, q), client_ids(n)
    cid_all = tuple(f"{client_id}-old" if old else client_id for client_id, old in zip(ids, values, strict=True))
    return Group(queues, tuple(Consumer(client_id, queues, cid_all, strategies[0]) for client_id in ids))


def symbolic_own_id_listed(encodings: Sequence[Encoding], n: int) -> SymbolicGroup:
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
    group=group_own_id_listed,
    symbolic=symbolic_own_id_listed,
    bound=(5, 8),
)


# Groups where all consumers know the same ids, but sort them in one of two orders.


def group_same_id_order(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
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


def symbolic_same_id_order(encodings: Sequence[Encoding], n: int) -> SymbolicGroup:
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
    group=group_same_id_order,
    symbolic=symbolic_same_id_order,
    assignment=assignment,
    configuration=configuration,
    bound=(4, 5),
)
