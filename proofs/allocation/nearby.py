"""Claims about MACHINE_ROOM_NEARBY: theorems for any inner strategy, and failures.

The inner strategy divides the queues of one room. The failures are shown over AVG and over CONFIG.
"""

from dataclasses import replace
from types import SimpleNamespace

from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY, NEARBY, NearbyEncoding
from rebalance_proofs.model.allocation.ring import RING
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.model.worlds.rooms import CONFIGURED_ROOMS, ROOMS_OF_AVG, ROOMS_OF_HASH, Rooms
from rebalance_proofs.proofs.allocation.amounts import BALANCED, SHARES
from rebalance_proofs.proofs.allocation.covers import COVERS
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from rebalance_proofs.proofs.allocation.idle import IDLE
from rebalance_proofs.proofs.allocation.lists import CONTIGUOUS, SUBLIST
from rebalance_proofs.proofs.allocation.stated import name_consumer, name_queue, stated
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement, truth_values

# Proof that MACHINE_ROOM_NEARBY inherits disjointness and coverage from its inner strategy.
# This holds for any number of rooms. Rooms are numbers that are only compared for equality. Three answers of the
# inner strategy are known: whether it gives the queue to a consumer among the consumers of the queue's room, whether
# it does so among all consumers, and whether it does so for a list without the queue. Where needed, an assumption
# excludes the last case; CONFIG violates this assumption.


def _alive(v: SimpleNamespace, own: str) -> dict[str, smt.BoolTerm]:
    return {f"a room with a consumer ({own}) is alive": smt.Implies(getattr(v, own) == v.room, v.alive == 1)}


def _takes(e: NearbyEncoding, v: SimpleNamespace, own: str, near: str, everywhere: str, stray: str) -> smt.BoolTerm:
    said = (getattr(v, name) == 1 for name in (near, everywhere, stray))
    return e.takes(getattr(v, own), v.room, v.alive == 1, *said)


def _no_strays(v: SimpleNamespace, *strays: str) -> dict[str, smt.BoolTerm]:
    only = smt.And([getattr(v, stray) == 0 for stray in strays])
    return {"the inner strategy returns only queues of its list": only}


def _exclusive(e: NearbyEncoding, v: SimpleNamespace) -> Statement:
    both_near = smt.And(v.own_i == v.room, v.own_j == v.room, v.near_i == 1, v.near_j == 1)
    return Statement(
        truth_values(v, "alive", "near_i", "near_j", "all_i", "all_j", "stray_i", "stray_j")
        | _no_strays(v, "stray_i", "stray_j")
        | _alive(v, "own_i")
        | _alive(v, "own_j")
        | {
            "among the consumers of its room, the inner strategy gives the queue to one": smt.Not(both_near),
            "among all consumers, the inner strategy gives the queue to one": smt.Not(
                smt.And(v.all_i == 1, v.all_j == 1)
            ),
            "i takes the queue": _takes(e, v, "own_i", "near_i", "all_i", "stray_i"),
        },
        smt.Not(_takes(e, v, "own_j", "near_j", "all_j", "stray_j")),
    )


def _near_owner(e: NearbyEncoding, v: SimpleNamespace) -> Statement:
    return Statement(
        truth_values(v, "alive", "near", "everywhere", "stray")
        | {
            "some consumer is in the queue's room": v.alive == 1,
            "the inner strategy gives the queue to i, among the consumers of its room": smt.And(
                v.own == v.room, v.near == 1
            ),
        },
        _takes(e, v, "own", "near", "everywhere", "stray"),
    )


def _far_owner(e: NearbyEncoding, v: SimpleNamespace) -> Statement:
    return Statement(
        truth_values(v, "alive", "near", "everywhere", "stray")
        | _alive(v, "own")
        | {
            "no consumer is in the queue's room": v.alive == 0,
            "the inner strategy gives the queue to i, among all consumers": v.everywhere == 1,
        },
        _takes(e, v, "own", "near", "everywhere", "stray"),
    )


def _home(e: NearbyEncoding, v: SimpleNamespace) -> Statement:
    return Statement(
        truth_values(v, "alive", "near", "everywhere", "stray")
        | _no_strays(v, "stray")
        | {
            "some consumer is in the queue's room": v.alive == 1,
            "i takes the queue": _takes(e, v, "own", "near", "everywhere", "stray"),
        },
        v.own == v.room,
    )


ONE = ("own", "room", "alive", "near", "everywhere", "stray")
TWO = ("own_i", "own_j", "room", "alive", "near_i", "near_j", "all_i", "all_j", "stray_i", "stray_j")

EXCLUSION = (
    Obligation(
        "exclusive",
        "If the inner strategy gives the queue to one consumer of each list, no two consumers take it.",
        TWO,
        _exclusive,
    ),
)
COVERAGE = (
    Obligation(
        "near-owner",
        "In a room with consumers, the owner according to the inner strategy takes the queue.",
        ONE,
        _near_owner,
    ),
    Obligation(
        "far-owner",
        "In a room without consumers, the inner strategy's owner among all consumers takes the queue.",
        ONE,
        _far_owner,
    ),
)


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that a queue goes to another room although its room has a consumer."""
    named = {str(variable): variable for variable in group.variables}
    homes = [named[f"home{place}"] for place in range(len(group.members))]
    wrong = []
    for queue in range(sum(name.startswith("room") for name in named)):
        room = named[f"room{queue}"]
        alive = smt.Or([home == room for home in homes])
        away = [smt.And(home != room, member.owns) for home, member in zip(homes, group.members, strict=True)]
        wrong.append(smt.And(named["p"] == queue, alive, smt.Or(away)))
    return smt.Or(wrong)


def violation(group: Group, results: Results) -> str | None:
    """Describe the first queue that goes to another room although its room has consumers.

    None if there is none.
    """
    rooms = group.setting
    assert isinstance(rooms, Rooms)
    for place, result in enumerate(results):
        for queue in result:
            room = rooms.of_queues[queue.queue_id]
            if room != rooms.of_consumers[place] and room in rooms.of_consumers:
                return f"{name_queue(group, queue)} of room {room} is taken by {name_consumer(group, place)}."
    return None


HOME = Guarantee(
    name="home",
    sentence="A queue of a room with consumers goes only to a consumer of that room",
    source="https://github.com/apache/rocketmq/blob/develop/client/src/main/java/org/apache/rocketmq/client/consumer/rebalance/AllocateMachineRoomNearby.java",
    obligations=agreed(
        Obligation("home", "A consumer that takes a queue of a room with consumers belongs to that room.", ONE, _home)
    ),
    violated=violated,
    violation=violation,
)


SIZES = "any number of rooms, queues and consumers"
INNER = {
    "disjoint": "that is disjoint for all lists and returns only queues of its list",
    "covers": "that covers all lists",
    "home": "that returns only queues of its list",
}
"""Guarantee -> the assumptions that it needs about the inner strategy.

They are phrases after "for any inner strategy".
"""

NEARBY_HASH = replace(MACHINE_ROOM_NEARBY, name="nearby-hash", encoding=replace(NEARBY, inner=RING))
"""MACHINE_ROOM_NEARBY with CONSISTENT_HASH as inner strategy, for enumerated groups.

The theorems are those for any inner strategy.
"""
NEARBY_CONFIG = replace(
    MACHINE_ROOM_NEARBY, name="nearby-config", encoding=replace(NEARBY, inner=CONFIG.encoding), mutants=()
)
"""MACHINE_ROOM_NEARBY with CONFIG as inner strategy, which ignores its arguments."""

HOLDS = ((DISJOINT, EXCLUSION), (COVERS, COVERAGE), (HOME, HOME.obligations(ROOMS_OF_AVG)))
FAILS = (BALANCED, SHARES, IDLE, CONTIGUOUS)
FAILS_OVER_CONFIG = (COVERS, SUBLIST, HOME)


ROOMS = "agreement of all consumers on the machine room of each queue and consumer"


def _assuming(guarantee: Guarantee, *, holds: bool) -> tuple[str, ...]:
    return (f"an inner strategy {INNER[guarantee.name]}", ROOMS) if holds else (ROOMS,)


def claims() -> tuple[Claim, ...]:
    """Return all claims about MACHINE_ROOM_NEARBY, in the order of the ledger."""
    found = []
    for strategy, case, inner in (
        (MACHINE_ROOM_NEARBY, ROOMS_OF_AVG, "AVG"),
        (NEARBY_HASH, ROOMS_OF_HASH, "CONSISTENT_HASH"),
    ):
        claimed = [*HOLDS, *((guarantee, ()) for guarantee in FAILS if inner == "AVG")]
        for guarantee, obligations in claimed:
            found.append(
                stated(
                    "allocation",
                    (strategy,),
                    guarantee,
                    case,
                    about=f"MACHINE_ROOM_NEARBY over {inner}",
                    holds=bool(obligations),
                    obligations=obligations,
                    assuming=_assuming(guarantee, holds=bool(obligations)),
                    scope=f"for any inner strategy {INNER.get(guarantee.name, '')}, {SIZES}",
                )
            )
    found += [
        stated(
            "allocation",
            (NEARBY_CONFIG,),
            guarantee,
            CONFIGURED_ROOMS,
            about="MACHINE_ROOM_NEARBY over CONFIG",
            holds=False,
            assuming=("each queue in exactly one configured list", ROOMS),
        )
        for guarantee in FAILS_OVER_CONFIG
    ]
    return tuple(found)
