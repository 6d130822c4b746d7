"""Claims about queues that MACHINE_ROOM leaves unassigned, and about CONFIG.

CONFIG gives no guarantee.
"""

from collections.abc import Sequence

from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_go import MACHINE_ROOM_GO
from rebalance_proofs.model.allocation.machine_room_rust import MACHINE_ROOM_RUST
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.worlds.configs import CONFIGS
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.model.worlds.kinds import FEWER_KIND_GROUPS, KIND_GROUPS
from rebalance_proofs.model.worlds.room_twice import ROOM_TWICE
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from rebalance_proofs.proofs.allocation.listed import COVERS_LISTED, EXCLUSIVE_RANKS, LISTED
from rebalance_proofs.proofs.allocation.stated import stated
from rebalance_proofs.proofs.allocation.sublist import SUBLIST
from rebalance_proofs.proofs.claim import UNBOUNDED, Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.obligation import Obligation

ROOMS_ONCE = "no room twice in consumeridcs"
"""Assumption about the Go client: its slice consumeridcs names no room twice.

Then the client selects each queue only once.
"""


def about_unlisted_queues(guarantees: Sequence[Guarantee]) -> tuple[Claim, ...]:
    """Return the claims about MACHINE_ROOM's unassigned queues, and about CONFIG.

    ``guarantees`` are the guarantees that CONFIG does not give.
    """
    not_twice = (DISJOINT, COVERS_LISTED, SUBLIST)
    return (
        _claim(MACHINE_ROOM, LISTED, KIND_GROUPS, holds=True),
        _claim(MACHINE_ROOM_RUST, LISTED, FEWER_KIND_GROUPS, holds=True),
        _claim(MACHINE_ROOM_GO, LISTED, FEWER_KIND_GROUPS, holds=False),
        _claim(MACHINE_ROOM_GO, DISJOINT, FEWER_KIND_GROUPS, holds=True, obligations=EXCLUSIVE_RANKS, given=ROOMS_ONCE),
        *(_claim(MACHINE_ROOM_GO, guarantee, ROOM_TWICE, holds=False) for guarantee in not_twice),
        *(_claim(CONFIG, guarantee, CONFIGS, holds=False) for guarantee in guarantees),
    )


def _claim(
    strategy: Strategy,
    guarantee: Guarantee,
    world: Groups,
    *,
    holds: bool,
    obligations: tuple[Obligation, ...] = (),
    given: str = "",
) -> Claim:
    twice = world is ROOM_TWICE
    client = {"room-go": " (Go client)", "room-rust": " (Rust client)"}.get(strategy.name, "")
    return stated(
        "allocation",
        (strategy,),
        guarantee,
        world,
        about=f"{strategy.rocketmq_name}{client}",
        holds=holds,
        obligations=obligations,
        scope=f"{UNBOUNDED} with {given}" if given else UNBOUNDED,
        assuming=(given,) if given else (),
        variant="with-a-room-twice" if twice else "",
    )
