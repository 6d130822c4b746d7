"""Groups where each consumer has received one of two different lists of client ids.

In SMT terms, only the order of the ids matters.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from math import comb

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy, queues_for
from rebalance_proofs.model.group import Consumer, Group, client_ids
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import finite, how_many
from rebalance_proofs.model.worlds import groups
from rebalance_proofs.model.worlds.groups import (
    Groups,
    Member,
    SymbolicGroup,
    Values,
    alike,
    digit_variables,
    numeral,
    skipping,
    some_queue,
    variables,
)

IDS = 5
"""Number of ids.

The first digit chooses the ids of the n consumers. It changes nothing in the symbolic group, where only the order of
ids counts.
"""

FIRST_ONLY, SECOND_ONLY, BOTH_SEES_FIRST, BOTH_SEES_SECOND = range(4)
"""Digit of a consumer: which lists contain its id, and which list it has.

A consumer has a list that contains its id.
"""


def admits(n: int, q: int, values: Values) -> bool:
    """Check that neither list is empty."""
    digits = values[1:]
    return any(digit != SECOND_ONLY for digit in digits) and any(digit != FIRST_ONLY for digit in digits)


def nth(n: int, q: int, number: int) -> Values:
    """Return the digits of the group with this index.

    For each choice of ids, the groups have all digits except those with an empty list.
    """
    ids, digits = divmod(number, 4**n - 2)
    empty = [alike(digit, 4, n) for digit in (FIRST_ONLY, SECOND_ONLY)]
    return (ids, *numeral(skipping(digits, empty), (4,) * n))


@cache
def choices(n: int) -> tuple[tuple[str, ...], ...]:
    """Return for each value of the first digit the ids of n consumers."""
    return tuple(combinations(client_ids(IDS), n))


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Return a group of n consumers, each with the first or the second list."""
    ids, digits = choices(n)[values[0]], values[1:]
    first = tuple(client_id for client_id, digit in zip(ids, digits, strict=True) if digit != SECOND_ONLY)
    second = tuple(client_id for client_id, digit in zip(ids, digits, strict=True) if digit != FIRST_ONLY)
    queues = queues_for(strategies, q)
    return Group(
        queues,
        tuple(
            Consumer(client_id, queues, first if digit in (FIRST_ONLY, BOTH_SEES_FIRST) else second, strategies[0])
            for client_id, digit in zip(ids, digits, strict=True)
        ),
    )


def symbolic(encodings: Sequence[Encoding], n: int) -> SymbolicGroup:
    """Return n consumers as SMT terms, for any number q of queues.

    A consumer's index is the number of listed ids before it; c is the number of all listed ids.
    """
    q, position = variables("q", "p")
    digits, ranges = digit_variables("list", n, 4)
    in_first = [digit != SECOND_ONLY for digit in digits]
    in_second = [digit != FIRST_ONLY for digit in digits]
    members = []
    for place, digit in enumerate(digits):
        sees_first = smt.Or(digit == FIRST_ONLY, digit == BOTH_SEES_FIRST)
        listed = [smt.If(sees_first, a, b) for a, b in zip(in_first, in_second, strict=True)]
        consumers = finite(how_many(listed), 1, n)
        index = finite(how_many(listed[:place]), 0, place)
        members.append(Member(encodings[0], q, consumers, index, position))
    constraints = (*some_queue(q, position), *ranges, smt.Or(in_first), smt.Or(in_second))
    return SymbolicGroup(q, tuple(members), constraints, (q, position, *digits))


def assignment(n: int, q: int, values: Values, queue: int) -> dict[str, int]:
    """Return the values of the symbolic unknowns for a concrete group and one of its queues.

    The first digit, which selects the ids, has no unknown.
    """
    return {"q": q, "p": queue} | {f"list{place}": digit for place, digit in enumerate(values[1:])}


def configuration(n: int, assignment: Mapping[str, int]) -> tuple[int, Values]:
    """Return q and the digits of the group that an assignment describes, with the first ids.

    The inverse of ``assignment``.
    """
    return assignment["q"], (0, *(assignment[f"list{place}"] for place in range(n)))


SAME_CID_ALL = Groups(
    name="same-cid-all",
    sentence="All consumers see the same cidAll.",
    otherwise="consumers see different cidAll",
    drops=groups.SAME_CID_ALL,
    without="Consumers ask different brokers for the ids of the group, or ask before and after a consumer joins.",
    source="https://github.com/apache/rocketmq/issues/1095",
    radices=lambda n, q: (comb(IDS, n), *(4,) * n),
    admits=admits,
    groups=lambda n, q: comb(IDS, n) * (4**n - 2),
    group=group,
    symbolic=symbolic,
    assignment=assignment,
    configuration=configuration,
    bound=(IDS, 8),
    nth=nth,
)
