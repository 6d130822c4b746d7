"""Model of the smallest group with locks: consumers join, leave, and take queues.

The allocation strategy and the broker's locks decide which consumer takes a queue. No time passes, and the only faults
are a lost host and a lost notification. The model serves to compare this explorer with other checkers, and to measure
the cost of an exploration. The rebalance is that of Java 5.2, compiled from its formulas in the proofs.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial

import numpy as np

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.client.effects import LOCK, UNLOCK, UPDATE_OFFSET
from rebalance_proofs.model.client.environment import DENIED, OK
from rebalance_proofs.model.client.process_queue_table import FREE
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.model.terms.simplified import NO
from rebalance_proofs.model.transition.generations import V5_2
from rebalance_proofs.model.transition.java import encoding
from rebalance_proofs.model.transition.numbers import LOCKS, NO_OFFSET
from rebalance_proofs.model.transition.step import NOTHING_THROWN, Entry, happens, push
from rebalance_proofs.spark_enum.explorer.members import COMING, Members, only, share
from rebalance_proofs.spark_enum.explorer.model import DEADLOCK, HAS, Act, Changed, Model, Move, Rows, Watch
from rebalance_proofs.spark_enum.explorer.subject import Subject, strategy_of

NOBODY = 0
"""Holder of a free lock; otherwise the holder is the consumer's number plus 1."""


SUBJECT = Subject(
    name="lock-lite",
    sentence="The smallest group with locks, without time: for comparison with other checkers.",
    takes=("messages", "strategy"),
    faults={},
    build=lambda settings: lock_lite(strategy_of(settings), settings.consumers, settings.queues, settings.messages),
)


def lock_lite(strategy: Strategy, consumers: int, queues: int, messages: int = 1) -> Model:
    """Return the model of a group with these numbers of consumers, queues, and messages per queue."""
    columns = (
        *(f"held{who}" for who in range(consumers)),
        *(f"position{who}" for who in range(consumers)),
        "lock",
        "committed",
    )
    everyone, each = range(consumers), range(queues)
    acts: dict[str, Act] = {}
    for who in everyone:
        queue = partial(_Queue, consumers, who)
        acts |= {
            f"keeps{who}": partial(_rebalances, queue, True),
            f"gives{who}": partial(_rebalances, queue, False),
            f"leaves{who}": partial(_leaves, queue),
            f"crashes{who}": partial(_crashes, queue),
            f"consumes{who}": partial(_consumes, queue, messages),
            f"commits{who}": partial(_commits, queue),
            f"expires{who}": partial(_expires, queue),
        }
    members = [
        Move(name, who, None, FAULTS.get(name, ""), change=name in CHANGES) for name in OF_MEMBERS for who in everyone
    ]
    alone = [Move(name, who, queue) for name in OF_A_QUEUE for who in everyone for queue in each]
    return Model(
        name="lock-lite",
        sentence=(
            "The smallest group with locks: consumers join, leave, and take queues by the broker's lock; a host or "
            "a notification can be lost."
        ),
        queues=queues,
        columns=columns,
        begin=np.zeros((1, len(columns)), dtype=np.int8),
        acts=acts,
        members=Members.none(consumers),
        moves=(*members, *alone),
        after=partial(_after, strategy, queues),
        says=SAYS,
        seen=lambda row, who: HAS if row[f"held{who}"] else "",
        noted=_noted,
        ids=lambda members: members.ids,
        views=lambda members: members.view,
        flags={"two": lambda rows: rows[:, :consumers].sum(axis=1) > 1},
        watches=(
            Watch("two-holders", "Two consumers have a process queue of the same queue.", lambda members, queue: "two"),
            DEADLOCK,
        ),
    )


OF_MEMBERS = ("joins", "leaves", "crashes", "misses", "rebalances")
SAYS = COMING | {
    "crashes": "The host of {who} is lost, and no member is notified.",
    "misses": "The notification of {who} about the changed group is lost.",
    "rebalances": "{who} rebalances.",
    "consumes": "{who} consumes the next message of queue {queue}.",
    "commits": "{who} commits its offset of queue {queue}.",
    "expires": "The broker's lock of queue {queue}, held by {who}, expires.",
}
CHANGES = ("joins", "leaves", "crashes")
OF_A_QUEUE = ("consumes", "commits", "expires")
FAULTS = {"crashes": "crash", "misses": "lost-notification"}


def _after(strategy: Strategy, queues: int, members: Members, move: Move) -> Changed | None:
    who = move.who
    assert who is not None
    lives = members.lives[who]
    nothing = (None,) * queues
    match move.name:
        case "joins" if not lives:
            return Changed(members.joined(who), nothing)
        case "leaves" | "crashes" if lives:
            left = members.left(who, told=move.name == "leaves")
            return Changed(left, (f"{move.name}{who}",) * queues)
        case "misses" if members.told[who]:
            return Changed(members.missed(who), nothing)
        case "rebalances" if lives:
            seen = members.seen_by(who)
            own = share(strategy, who, seen.view[who], queues)
            return Changed(seen, tuple(f"{'keeps' if queue in own else 'gives'}{who}" for queue in range(queues)))
        case "consumes" | "commits" if lives:
            return Changed(members, only(f"{move.name}{who}", move.queue, queues))
        case "expires" if not lives:
            return Changed(members, only(f"{move.name}{who}", move.queue, queues))
    return None


def _noted(row: Mapping[str, int]) -> str:
    lock = f"lock of c{row['lock'] - 1}" if row["lock"] else "no lock"
    return f"{lock}, offset {row['committed']}"


class _Queue:
    """The columns of one queue's state, from one consumer's viewpoint."""

    def __init__(self, consumers: int, who: int, rows: Rows) -> None:
        self.rows = rows.copy()
        self.me = who + 1
        self.held, self.position = self.rows[:, who], self.rows[:, consumers + who]
        self.lock, self.committed = self.rows[:, -2], self.rows[:, -1]


Seen = Callable[[Rows], _Queue]


def _rebalances(queue: Seen, in_set: bool, rows: Rows) -> tuple[np.ndarray, Rows]:
    one = queue(rows)
    can_lock = (one.lock == NOBODY) | (one.lock == one.me)
    present, position, committed, locks, unlocks = _rebalance()(
        np.int8(in_set), one.held, one.position, can_lock.astype(np.int8), one.committed
    )
    one.held[:], one.position[:], one.committed[:] = present, np.where(present, position, 0), committed
    one.lock[unlocks & (one.lock == one.me)] = NOBODY
    one.lock[locks] = one.me
    return np.ones(len(rows), dtype=bool), one.rows


@cache
def _rebalance() -> Kernel:
    names = ("in_set", "held", "position", "can_lock", "committed")
    in_set, held, position, can_lock, committed = (smt.Int(name) for name in names)
    zero = smt.IntVal(0)
    entry = Entry(
        present=held == 1,
        dropped=NO,
        locked=held == 1,
        pull_age=zero,
        lock_age=zero,
        consume_lock=smt.IntVal(FREE),
        cached=NO,
        tries=zero,
        memory=smt.If(held == 1, position, NO_OFFSET),
    )
    lock = smt.If(can_lock == 1, LOCKS.index(OK), LOCKS.index(DENIED))
    asked = push(in_set == 1, committed, lock=lock, order=smt.BoolVal(True), orderly=smt.BoolVal(True))
    step = encoding(V5_2.rules).step(entry, asked, NOTHING_THROWN)
    after = smt.If(step.entered, step.begin, position)
    sends = happens(step.slots, UPDATE_OFFSET)
    locks, unlocks = happens(step.slots, LOCK, OK), happens(step.slots, UNLOCK)
    return compile_kernel(names, step.after.present, after, smt.If(sends, position, committed), locks, unlocks)


def _leaves(queue: Seen, rows: Rows) -> tuple[np.ndarray, Rows]:
    one = queue(rows)
    held = one.held == 1
    one.committed[held] = one.position[held]
    one.lock[one.lock == one.me] = NOBODY
    one.held[:], one.position[:] = 0, 0
    return np.ones(len(rows), dtype=bool), one.rows


def _crashes(queue: Seen, rows: Rows) -> tuple[np.ndarray, Rows]:
    one = queue(rows)
    one.held[:], one.position[:] = 0, 0
    return np.ones(len(rows), dtype=bool), one.rows


def _consumes(queue: Seen, messages: int, rows: Rows) -> tuple[np.ndarray, Rows]:
    one = queue(rows)
    can = (one.held == 1) & (one.position < messages)
    one.position[can] += 1
    return can, one.rows


def _commits(queue: Seen, rows: Rows) -> tuple[np.ndarray, Rows]:
    one = queue(rows)
    can = one.held == 1
    one.committed[can] = one.position[can]
    return can, one.rows


def _expires(queue: Seen, rows: Rows) -> tuple[np.ndarray, Rows]:
    one = queue(rows)
    can = one.lock == one.me
    one.lock[can] = NOBODY
    return can, one.rows
