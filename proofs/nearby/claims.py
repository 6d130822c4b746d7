"""Claims about MACHINE_ROOM_NEARBY: theorems for any inner strategy, and failures.

The inner strategy divides the queues of one room. The failures are shown over AVG and over CONFIG.
"""

from dataclasses import replace

from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY
from rebalance_proofs.model.allocation.nearby import NEARBY
from rebalance_proofs.model.allocation.ring import RING
from rebalance_proofs.model.worlds.configured_rooms import CONFIGURED_ROOMS
from rebalance_proofs.model.worlds.rooms import ROOMS_OF_AVG, ROOMS_OF_HASH
from rebalance_proofs.proofs.allocation.balanced import BALANCED
from rebalance_proofs.proofs.allocation.contiguous import CONTIGUOUS
from rebalance_proofs.proofs.allocation.covers import COVERS
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from rebalance_proofs.proofs.allocation.idle import IDLE
from rebalance_proofs.proofs.allocation.shares import SHARES
from rebalance_proofs.proofs.allocation.stated import stated
from rebalance_proofs.proofs.allocation.sublist import SUBLIST
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.nearby.composition import COVERAGE, EXCLUSION, HOME

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
