"""Guarantee: exactly the queues of the listed machine rooms are given to consumers."""

from collections.abc import Iterator, Sequence
from types import SimpleNamespace

from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.machine_room import KINDS, MACHINE_ROOM, RoomEncoding
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO, MACHINE_ROOM_RUST
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.configs import CONFIGS
from rebalance_proofs.model.worlds.groups import AGREED, Groups, SymbolicGroup
from rebalance_proofs.model.worlds.kinds import FEWER_KIND_GROUPS, KIND_GROUPS, ROOM_TWICE, Brokers
from rebalance_proofs.proofs.allocation.covers import COVERS
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from rebalance_proofs.proofs.allocation.lists import SUBLIST
from rebalance_proofs.proofs.allocation.stated import name_queue, stated
from rebalance_proofs.proofs.claim import UNBOUNDED, Claim
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, truth_values


def _kept_rooms(e: RoomEncoding, v: SimpleNamespace) -> Statement:
    given = {"a kind of broker names": smt.And(0 <= v.kind, v.kind < len(KINDS))}
    return Statement(given, e.keeps(v.kind) == e.in_room(v.kind))


def _ranks(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    return (
        {"at least one consumer": v.c >= 1}
        | truth_values(v, "kept")
        | {
            "no queue is selected twice, and r selected queues come before position p": smt.And(0 <= v.r, v.r <= v.p),
            "q queues are selected": v.q >= v.r + v.kept,
        }
    )


def _only(e: RoomEncoding, v: SimpleNamespace) -> Statement:
    taken = e.takes(v.q, v.c, v.i, v.p, v.kept == 1, v.r)
    return Statement(
        _ranks(v) | consumer(v, "i") | {"i takes p": taken}, smt.And(v.kept == 1, e.owns(v.q, v.c, v.i, v.r))
    )


def _all(e: RoomEncoding, v: SimpleNamespace) -> Statement:
    owned = smt.And(v.kept == 1, e.owns(v.q, v.c, v.i, v.r))
    return Statement(
        _ranks(v) | consumer(v, "i") | {"p is selected and i owns its rank": owned},
        e.takes(v.q, v.c, v.i, v.p, v.kept == 1, v.r),
    )


def _exclusive(e: RoomEncoding, v: SimpleNamespace) -> Statement:
    def taken(index: smt.IntTerm) -> smt.BoolTerm:
        return e.takes(v.q, v.c, index, v.p, v.kept == 1, v.r)

    return Statement(
        _ranks(v) | consumer(v, "i") | consumer(v, "j") | {"i and j differ": v.i != v.j, "i takes p": taken(v.i)},
        smt.Not(taken(v.j)),
    )


def _rank_base(e: RoomEncoding, v: SimpleNamespace) -> Statement:
    return Statement(
        truth_values(v, "kept")
        | {"r queues are selected before p, and next before the position after p": v.next == v.r + v.kept},
        v.next >= v.r + v.kept,
    )


def _rank_step(e: RoomEncoding, v: SimpleNamespace) -> Statement:
    return Statement(
        {
            "s queues are selected before a later position": v.s >= v.r + v.kept,
            "next is s, plus one if that position is selected": smt.Or(v.next == v.s, v.next == v.s + 1),
        },
        v.next >= v.r + v.kept,
    )


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that an arbitrary queue is wrongly assigned.

    Its room is listed but no consumer takes it, or its room is not listed but a consumer takes it.
    """
    return group.handed_out != smt.Or([member.owns for member in group.members])


def violation(group: Group, results: Results) -> str | None:
    """Describe the first queue that is wrongly assigned; None if there is none.

    No consumer takes it although its room is listed, or a consumer takes it although its room is not.
    """
    return next((sentence for _, sentence in _wrong(group, results)), None)


def _wrong(group: Group, results: Results) -> Iterator[tuple[bool, str]]:
    """Yield, for each wrongly assigned queue, whether its room is listed, and a sentence."""
    brokers, taken = group.setting, set().union(*results)
    assert isinstance(brokers, Brokers)
    for queue, listed in zip(group.queues, brokers.listed, strict=True):
        if listed and queue not in taken:
            yield listed, f"{name_queue(group, queue)} of a listed room has no consumer."
        if not listed and queue in taken:
            yield listed, f"{name_queue(group, queue)} is consumed, although it is in no listed room."


EXCLUSIVE_RANKS = (
    Obligation(
        "exclusive-ranks",
        "If one consumer takes a position, selected or not, no other consumer takes it.",
        ("q", "c", "i", "j", "p", "kept", "r"),
        _exclusive,
    ),
)


def left(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that an arbitrary queue's room is listed, but no consumer takes it."""
    return smt.And(group.handed_out, smt.Not(smt.Or([member.owns for member in group.members])))


def left_out(group: Group, results: Results) -> str | None:
    """Describe the first queue of a listed room that no consumer takes; None if there is none."""
    return next((sentence for listed, sentence in _wrong(group, results) if listed), None)


COVERS_LISTED = Guarantee(
    name="covers-listed",
    sentence="Every queue of a room in consumeridcs is given to some consumer",
    source="https://github.com/apache/rocketmq/issues/2477",
    obligations=agreed(),
    violated=left,
    violation=left_out,
)

LISTED = Guarantee(
    name="listed",
    sentence="Exactly the queues of the rooms in consumeridcs are given to consumers",
    source="https://github.com/apache/rocketmq/issues/2477",
    obligations=agreed(
        *COVERS.obligations(AGREED),
        Obligation(
            "kept-rooms",
            "A queue is selected exactly if the client extracts a listed room from its broker's name.",
            ("kind",),
            _kept_rooms,
        ),
        Obligation(
            "kept-only",
            "A consumer that takes a queue owns the queue's rank among the selected queues.",
            ("q", "c", "i", "p", "kept", "r"),
            _only,
        ),
        Obligation(
            "kept-all", "The owner of a selected queue's rank takes the queue.", ("q", "c", "i", "p", "kept", "r"), _all
        ),
        Obligation(
            "rank.base",
            "The selected queues up to and including p all come before the position after p.",
            ("r", "kept", "next"),
            _rank_base,
        ),
        Obligation(
            "rank.step",
            "At least as many selected queues come before every later position, and in total.",
            ("r", "kept", "s", "next"),
            _rank_step,
        ),
    ),
    violated=violated,
    violation=violation,
)


# Claims about queues that MACHINE_ROOM leaves unassigned, and about CONFIG.
# CONFIG gives no guarantee.

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
