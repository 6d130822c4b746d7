"""Claims that are weaker than they seem.

They are true by construction, or consequences of other claims. Both groups are listed by id. The ledger shows the
reason next to the claim. A test recomputes these lists as far as possible, and compares.
"""

from collections.abc import Mapping
from dataclasses import dataclass

SAME_RING = "a ring depends only on its nodes and their order, so consumers with the same nodes choose the same owner"
ONE_LOOP = "a single loop over mqAll returns a subsequence of it, for any rule of selection"

STRUCTURAL: Mapping[str, str] = {
    f"allocation.{strategy}.{promise}": why
    for strategy in ("hash", "hash-go")
    for promise, why in (
        ("disjoint", SAME_RING),
        ("sublist", ONE_LOOP),
        ("disjoint.without-same-mq-all", SAME_RING),
        ("disjoint.without-same-order", SAME_RING),
        ("disjoint.without-own-id-listed", SAME_RING),
        ("disjoint.without-same-subscription", SAME_RING),
    )
} | {"growth.hash.steady": SAME_RING}
"""Claim -> why its obligations hold for any functions in place of the encoding's."""


@dataclass(frozen=True)
class Follows:
    """The claims that together imply another claim, and the reason."""

    claims: tuple[str, ...]
    why: str


def _over_any_inner(promise: str) -> Follows:
    why = "the theorem is the same for any inner strategy; only the enumerated groups differ"
    return Follows((f"allocation.nearby.{promise}",), why)


FOLLOWS: Mapping[str, Follows] = {
    **{
        f"allocation.{strategy}.disjoint.without-own-id-listed": Follows(
            (f"allocation.{strategy}.disjoint",), "an unlisted consumer takes nothing"
        )
        for strategy in ("avg", "circle", "room")
    },
    **{
        f"allocation.{strategy}.balanced": Follows(
            (f"allocation.{strategy}.shares",), "any two shares are equal or differ by one"
        )
        for strategy in ("avg", "circle", "room")
    },
    **{
        f"allocation.{strategy}.{promise}": Follows(
            tuple(f"allocation.{strategy}.{other}" for other in ("shares", covers, "disjoint", "sublist")), why
        )
        for strategy, covers in (("avg", "covers"), ("circle", "covers"), ("room", "listed"))
        for promise, why in (
            ("idle", "if c > q, the first q shares are 1 and the rest 0, and the other claims identify their owners"),
            ("served", "a share is at least 1 exactly for an index below q, and the other claims identify its owner"),
        )
    },
    **{
        f"assignment.{strategy}.everyone": Follows(
            (f"assignment.{strategy}.covers",), "the proof that some member reads a queue shows it for all members"
        )
        for strategy in ("pop-avg", "pop-circle")
    },
    **{
        f"assignment.pop-{strategy}.pulled-once.mixed": Follows(
            (f"allocation.{strategy}.disjoint",), "members that pull divide the queues as the strategy does"
        )
        for strategy in ("avg", "circle")
    },
    **{
        f"assignment.pop-circle.{promise}": Follows(
            (f"assignment.pop-avg.{promise}",), "the broker does not use the strategy in this case"
        )
        for promise in ("few", "one-queue", "listed.without-own-id-listed", "empty")
    },
    "joins.hash.no-return": Follows(
        ("allocation.hash.monotone",),
        "a consumer that did not join, and has a queue after two joins, had it after each",
    ),
    "joins.avg.restart": Follows(("movement.avg.moved",), "a restart is a leave and a join at the same index"),
    "allocation.room.covers": Follows(
        ("allocation.room.listed",), "queues whose rooms are all listed are a special case"
    ),
    **{
        f"allocation.{strategy}.covers.without-distinct-ids": Follows(
            (f"allocation.{strategy}.covers",), "its proof covers any nodes of any consumers"
        )
        for strategy in ("hash", "hash-go")
    },
    **{
        f"allocation.{strategy}.covers.without-same-order": Follows(
            (f"allocation.{strategy}.covers",), "the strategy ignores the position of a queue in mqAll"
        )
        for strategy in ("hash", "hash-go")
    },
    **{f"allocation.nearby-hash.{promise}": _over_any_inner(promise) for promise in ("disjoint", "covers", "home")},
    **{
        f"transition.{client}.partition": Follows(
            (f"transition.{client}.exact",), "a table that equals mqSet divides the queues as the strategy does"
        )
        for client in ("java_v4_9", "java_v5_0", "java_v5_2", "node")
    },
}
"""Claim -> the claims that imply it, with the reason."""
