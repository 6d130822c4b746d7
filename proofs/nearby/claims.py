"""The claims about MACHINE_ROOM_NEARBY: theorems over any inner strategy, and what fails over AVG."""

from dataclasses import replace

from model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY
from model.allocation.nearby import NEARBY
from model.allocation.ring import RING
from model.cases.rooms import ROOMS_OF_AVG, ROOMS_OF_HASH
from proofs.allocation.balanced import BALANCED
from proofs.allocation.contiguous import CONTIGUOUS
from proofs.allocation.covers import COVERS
from proofs.allocation.disjoint import DISJOINT
from proofs.allocation.idle import IDLE
from proofs.claim import Claim, stated
from proofs.nearby.composition import COVERAGE, EXCLUSION, HOME

ANY_INNER = "for any inner strategy that has the property, any number of rooms, queues and consumers"

NEARBY_HASH = replace(MACHINE_ROOM_NEARBY, name="nearby-hash", encoding=replace(NEARBY, inner=RING))
"""With CONSISTENT_HASH inside, where groups are enumerated; the theorems are the same."""

HOLDS = ((DISJOINT, EXCLUSION), (COVERS, COVERAGE), (HOME, HOME.obligations))
FAILS = (BALANCED, IDLE, CONTIGUOUS)


def claims() -> tuple[Claim, ...]:
    """All of them, in the order of the ledger."""
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
                    scope=ANY_INNER,
                )
            )
    return tuple(found)
