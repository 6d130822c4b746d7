"""Claims that say less than they seem to: true by construction, or consequences of other claims.

Both are listed by id. The ledger shows the reason at the claim; a test recomputes these lists as far as that is
possible automatically, and compares.
"""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["FOLLOWS", "STRUCTURAL", "Follows"]

SAME_RING = (
    "a ring is what its nodes and their order make it, so that whoever puts the same nodes names the same owner, "
    "whatever decides between nodes"
)
ONE_LOOP = "every loop that goes through mqAll once and keeps some of it gives a sublist, whatever it keeps"

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
"""Claim -> why all of its obligations hold even if the encoding's functions are replaced by arbitrary ones."""


@dataclass(frozen=True)
class Follows:
    """The claims that imply another one, and the reason."""

    claims: tuple[str, ...]
    why: str


def _over_any_inner(promise: str) -> Follows:
    why = "the same theorem over inner strategies; only the groups that are enumerated differ"
    return Follows((f"allocation.nearby.{promise}",), why)


FOLLOWS: Mapping[str, Follows] = {
    **{
        f"allocation.{strategy}.disjoint.without-own-id-listed": Follows(
            (f"allocation.{strategy}.disjoint",), "who is not listed takes nothing"
        )
        for strategy in ("avg", "circle", "room")
    },
    **{
        f"allocation.{strategy}.balanced": Follows(
            (f"allocation.{strategy}.shares",), "any two shares are the same, or one is larger by one"
        )
        for strategy in ("avg", "circle", "room")
    },
    **{
        f"allocation.{strategy}.{promise}": Follows(
            tuple(f"allocation.{strategy}.{other}" for other in ("shares", covers, "disjoint", "sublist")), why
        )
        for strategy, covers in (("avg", "covers"), ("circle", "covers"), ("room", "listed"))
        for promise, why in (
            ("idle", "with c > q the first q shares are 1 and the others 0; the others say whose they are"),
            ("served", "a share is at least 1 exactly where the index is below q; the others say whose it is"),
        )
    },
    "joins.hash.no-return": Follows(
        ("allocation.hash.monotone",), "whoever has a queue after two joins and is no joiner had it after each"
    ),
    "joins.avg.restart": Follows(("movement.avg.moved",), "a restart leaves and joins at one place"),
    "allocation.room.covers": Follows(("allocation.room.listed",), "every queue of a listed room is one of them"),
    **{
        f"allocation.{strategy}.covers.without-distinct-ids": Follows(
            (f"allocation.{strategy}.covers",), "its proof is for any nodes, whosever and however many they are"
        )
        for strategy in ("hash", "hash-go")
    },
    **{
        f"allocation.{strategy}.covers.without-same-order": Follows(
            (f"allocation.{strategy}.covers",), "where a queue stands in mqAll is not looked at"
        )
        for strategy in ("hash", "hash-go")
    },
    **{f"allocation.nearby-hash.{promise}": _over_any_inner(promise) for promise in ("disjoint", "covers", "home")},
    **{
        f"transition.{client}.partition": Follows(
            (f"transition.{client}.exact",), "a table that is exactly mqSet shares out what the strategy does"
        )
        for client in ("java_v4_9", "java_v5_0", "java_v5_2", "node")
    },
}
"""Claim -> the claims that imply it."""
