"""Groups where each consumer has received one of two different routes of the topic."""

from collections.abc import Mapping, Sequence

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy, queues_for
from rebalance_proofs.model.group import Consumer, Group, client_ids
from rebalance_proofs.model.terms import smt
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
    variables,
)

FIRST_ONLY, SECOND_ONLY, BOTH = range(3)
"""Digit of a queue (its kind): the routes that contain it.

One further digit per consumer is the route that it has received.
"""

COUNTS = ("before_first", "before_second", "before_both", "after_first", "after_second", "after_both")
"""Names of SMT unknowns: numbers of queues before and after the claim's queue, by kind.

The position of that queue depends only on these.
"""


def admits(n: int, q: int, values: Values) -> bool:
    """Return whether neither route is empty and each was received by some consumer.

    A client without queues does not allocate.
    """
    kinds, choices = values[:q], values[q:]
    empty = all(kind == SECOND_ONLY for kind in kinds) or all(kind == FIRST_ONLY for kind in kinds)
    return not empty and 0 in choices and 1 in choices


def nth(n: int, q: int, number: int) -> Values:
    """Return the digits of the group with this index.

    The groups have all kinds of queues without an empty route, each with all choices of routes that are not all the
    same.
    """
    kinds, choices = divmod(number, 2**n - 2)
    empty = [alike(kind, 3, q) for kind in (FIRST_ONLY, SECOND_ONLY)]
    seen = numeral(skipping(choices, (0, 2**n - 1)), (2,) * n)
    return (*numeral(skipping(kinds, empty), (3,) * q), *seen)


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Return a group of n consumers, each with the first or the second route."""
    queues, ids = queues_for(strategies, q), client_ids(n)
    kinds, choices = values[:q], values[q:]
    routes = [
        tuple(queue for queue, kind in zip(queues, kinds, strict=True) if kind != other)
        for other in (SECOND_ONLY, FIRST_ONLY)
    ]
    return Group(
        queues,
        tuple(
            Consumer(client_id, routes[choice], ids, strategies[0])
            for client_id, choice in zip(ids, choices, strict=True)
        ),
    )


def symbolic(encodings: Sequence[Encoding], n: int) -> SymbolicGroup:
    """Return n consumers as SMT terms, for any number of queues of each kind."""
    (kind,) = variables("kind")
    counts = variables(*COUNTS)
    before_first, before_second, before_both, after_first, after_second, after_both = counts
    choices, ranges = digit_variables("route", n, 2)
    in_first, in_second = kind != SECOND_ONLY, kind != FIRST_ONLY
    size_first = before_first + before_both + after_first + after_both + smt.If(in_first, 1, 0)
    size_second = before_second + before_both + after_second + after_both + smt.If(in_second, 1, 0)
    members = tuple(
        Member(
            encodings[0],
            queues=smt.If(choice == 0, size_first, size_second),
            consumers=smt.IntVal(n),
            index=smt.IntVal(place),
            position=before_both + smt.If(choice == 0, before_first, before_second),
            sees=smt.If(choice == 0, in_first, in_second),
        )
        for place, choice in enumerate(choices)
    )
    constraints = (
        0 <= kind,
        kind <= BOTH,
        *(count >= 0 for count in counts),
        size_first >= 1,
        size_second >= 1,
        *ranges,
        smt.Or([choice == 0 for choice in choices]),
        smt.Or([choice == 1 for choice in choices]),
    )
    return SymbolicGroup(smt.Sum(counts) + 1, members, constraints, (kind, *counts, *choices))


def assignment(n: int, q: int, values: Values, queue: int) -> dict[str, int]:
    """Return the values of the symbolic unknowns for a concrete group and one of its queues.

    They are the kind of ``queue``, the number of queues of each kind before and after it, and each consumer's
    route.
    """
    kinds, choices = values[:q], values[q:]
    sides = (kinds[:queue], kinds[queue + 1 :])
    counts = [side.count(kind) for side in sides for kind in (FIRST_ONLY, SECOND_ONLY, BOTH)]
    return (
        {"kind": kinds[queue]}
        | dict(zip(COUNTS, counts, strict=True))
        | {f"route{place}": choice for place, choice in enumerate(choices)}
    )


def configuration(n: int, assignment: Mapping[str, int]) -> tuple[int, Values]:
    """Return q and the digits of a group that an assignment describes.

    On each side of the claim's queue, the queues are sorted by kind.
    """
    before, after = (
        tuple(kind for kind, name in enumerate(names) for _ in range(assignment[name]))
        for names in (COUNTS[:3], COUNTS[3:])
    )
    kinds = (*before, assignment["kind"], *after)
    return len(kinds), (*kinds, *(assignment[f"route{place}"] for place in range(n)))


SAME_MQ_ALL = Groups(
    name="same-mq-all",
    sentence="All consumers see the same mqAll.",
    otherwise="consumers see different mqAll",
    drops=groups.SAME_MQ_ALL,
    without="Queues were added or a broker left, and not every consumer has polled the new route (every 30 s) yet.",
    source="https://github.com/apache/rocketmq/issues/1467",
    radices=lambda n, q: (3,) * q + (2,) * n,
    admits=admits,
    groups=lambda n, q: (3**q - 2) * (2**n - 2),
    group=group,
    symbolic=symbolic,
    assignment=assignment,
    configuration=configuration,
    bound=(4, 5),
    nth=nth,
)
