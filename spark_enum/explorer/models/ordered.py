"""Model of a group with ordered listeners: lock owners, running listeners, time in ticks.

A tick is ten seconds. A rebalance is one move, and so is a renewal of all locks: requests and answers arrive at once,
unless a fault prevents it. Both are due two ticks after the last one; a rebalance is also due after a notification. The
changes of a queue are compiled from the formulas of the proofs ``ordered.*``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.machine.values import truth
from rebalance_proofs.model.machines.ordered.actions import OLDER, OrderedClient
from rebalance_proofs.model.machines.ordered.assumptions import ANYHOW, IN_TIME, RENEWED, Circumstances, condition
from rebalance_proofs.model.machines.ordered.claims import UNSEEN
from rebalance_proofs.model.machines.ordered.state import TICKS, Limits
from rebalance_proofs.model.ordered.versions import of_version
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.machine.compiled import kernel
from rebalance_proofs.proofs.machine.together import Together
from rebalance_proofs.proofs.ordered.two import CONFIGURATION
from rebalance_proofs.spark_enum.explorer.acts import action, anew, if_it_can, in_turn
from rebalance_proofs.spark_enum.explorer.members import (
    COMING,
    Ids,
    Members,
    agreed_owner,
    agreement_claims,
    only,
    share,
)
from rebalance_proofs.spark_enum.explorer.model import DEADLOCK, HAS, RUNS, Act, Changed, Model, Move, Rows, Watch
from rebalance_proofs.spark_enum.explorer.subject import Settings, Subject, read, strategy_of

CRASH, LOST_NOTIFICATION, LOST_RENEWAL = "crash", "lost-notification", "lost-renewal"
LATE_RETURN, RESTART, SHUTDOWN = "late-return", "broker-restart", "hard-shutdown"
FAULTS = {
    CRASH: "a consumer's process ends at once",
    LOST_NOTIFICATION: "a consumer is not notified of a change",
    LOST_RENEWAL: "the answers to a consumer's renewal of its locks are lost",
    LATE_RETURN: "an unlock request reaches the broker after the sender's next action",
    RESTART: "the broker restarts and loses all locks",
    SHUTDOWN: "a consumer is shut down without waiting for its listener, which is the default",
}
PERIOD = 2
"""Longest time in ticks between two rebalances of a consumer, and between two renewals (20 s)."""
OVERDUE = 13
"""Ticks after which a dropped process queue, which is not pulled, expires (over two minutes)."""


@dataclass(frozen=True)
class _Timed:
    """The members' state, with each consumer's ticks since its last rebalance and last renewal."""

    members: Members
    rebalanced: tuple[int, ...]
    renewed: tuple[int, ...]

    @property
    def waits(self) -> bool:
        """True if no notification, rebalance or renewal is due, so that time may pass."""
        ages = zip(self.rebalanced, self.renewed, strict=True)
        return not any(self.members.told) and all(
            rebalanced < PERIOD and renewed < PERIOD
            for lives, (rebalanced, renewed) in zip(self.members.lives, ages, strict=True)
            if lives
        )

    def later(self) -> "_Timed":
        """Return the state one tick later."""
        return replace(self, rebalanced=self._aged(self.rebalanced), renewed=self._aged(self.renewed))

    def _aged(self, ages: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(age + lives for age, lives in zip(ages, self.members.lives, strict=True))

    def anew(self, who: int, members: Members | None = None, *names: str) -> "_Timed":
        """Return the state in which the named ages of a consumer are 0 ticks.

        ``members`` replaces the members' state if given.
        """
        told = {name: tuple(0 if one == who else age for one, age in enumerate(getattr(self, name))) for name in names}
        return replace(self, members=members or self.members, **told)


def ordered(
    client: OrderedClient,
    strategy: Strategy,
    consumers: int,
    queues: int,
    faults: frozenset[str] = frozenset(),
    limits: Limits = TICKS,
) -> Model:
    """Return the model of a group with ordered listeners.

    ``faults``: names of the faults that can happen, from ``FAULTS``. ``limits`` are in ticks. A client version without
    an option to wait for its listener at shutdown does not wait. Raises ``ValueError`` for limits beyond the largest
    age that states distinguish.
    """
    if not client.rules.waits_for_listener:
        faults |= {SHUTDOWN}
    everyone, each = range(consumers), range(queues)
    queue = _Queue(client, consumers, limits, faults)
    acts: dict[str, Act] = {"tick": queue.tick}
    for who in everyone:
        acts |= {f"{name}{who}": act for name, act in queue.acts(who).items()}
    members = [Move(name, who, change=True) for name in ("joins", "leaves") for who in everyone]
    members += [Move(name, who) for name in ("rebalances", "renews") for who in everyone]
    members += [Move("tick")]
    of_faults = {CRASH: "crashes", LOST_NOTIFICATION: "misses", LOST_RENEWAL: "renews unheard"}
    members += [
        Move(name, who, fault=fault, change=fault == CRASH)
        for fault, name in of_faults.items()
        if fault in faults
        for who in everyone
    ]
    if RESTART in faults:
        members += [Move("broker restarts", fault=RESTART)]
        acts["forgets"] = queue.forgets
    alone = [Move(name, who, at) for name in queue.alone for who in everyone for at in each]
    none = (0,) * consumers
    return Model(
        name="ordered",
        sentence=f"Consumers of {client.rocketmq_name} with ordered listeners{'' if SHUTDOWN in faults else WAITING}.",
        queues=queues,
        columns=queue.columns,
        begin=queue.begin,
        acts=acts,
        members=_Timed(Members.none(consumers), none, none),
        moves=(*members, *alone),
        after=partial(_after, strategy, queues),
        says=SAYS,
        seen=_seen,
        noted=_noted,
        flags=queue.flags(),
        watches=(
            Watch(
                "two-listeners",
                "The listeners of two consumers run on the same queue at the same time.",
                lambda timed, queue: "two",
                _claims(client, faults, limits),
            ),
            DEADLOCK,
        ),
        right=Watch(
            "agreed",
            "Each queue has a locked, live process queue in the table of the consumer to which the strategy gives "
            "it, and in no other.",
            partial(_right, strategy, queues),
            agreement_claims(strategy, client.generations),
        ),
        ids=_ids,
        views=lambda timed: timed.members.view,
        tick="tick",
    )


WAITING = ", each shut down only while none of its listeners runs"
"""Part of the model's sentence for shutdowns that wait, because no client waits by default."""


def client_of(settings: Settings) -> OrderedClient:
    """Return the client that the settings name.

    Raises ``UsageError`` if this model does not support the client.
    """
    return read(settings.client, of_version)


def limits_of(settings: Settings) -> Limits:
    """Return the time limits of the settings, in ticks."""
    return replace(TICKS, listener=settings.listener, client=settings.lock, unlock=settings.unlock)


def _build(settings: Settings) -> Model:
    client, limits = client_of(settings), limits_of(settings)
    if "client" in client.rules.constants and settings.lock != Settings.lock:
        raise UsageError(f"--lock has no effect on {client.rocketmq_name}, which uses a constant; leave out --lock")
    if not client.generations[-1].rules.gives_back and settings.unlock != Settings.unlock:
        raise UsageError(
            f"--unlock has no effect on {client.rocketmq_name}, which does not delay unlocks; leave out --unlock"
        )
    try:
        faults = frozenset(settings.faults)
        return ordered(client, strategy_of(settings), settings.consumers, settings.queues, faults, limits)
    except ValueError as error:
        raise UsageError(str(error)) from error


SUBJECT = Subject(
    name="ordered",
    sentence="Consumers with ordered listeners: the broker's locks, and running listeners, in ticks of ten seconds.",
    takes=("client", "strategy", "faults", "listener", "lock", "unlock"),
    faults=FAULTS,
    build=_build,
)


PREMISES = {LATE_RETURN: "overtaken", RESTART: "restart", SHUTDOWN: "shutdown"}
"""Fault -> the assumption of ``ordered.*.exclusive`` that the fault violates."""


def _claims(client: OrderedClient, faults: frozenset[str], limits: Limits) -> tuple[str, ...]:
    """Return ids of the claims that apply to a group with these faults and limits.

    All assumptions of such a claim hold, except one that the claim itself drops.
    """
    without = [PREMISES[fault] for fault in PREMISES if fault in faults]
    if client.puts_off:
        without.append("return")
    renewed = RENEWED if LOST_RENEWAL not in faults else IN_TIME
    if not _fit(client, renewed, limits):
        without.append("time")
    if len(without) > 1 or client in OLDER:
        return ()
    of = f"ordered.{client.name}.exclusive"
    if not without:
        return (f"{of}.renewed" if renewed is RENEWED and not _fit(client, IN_TIME, limits) else of,)
    return (f"{of}.without-{without[0]}",)


def _fit(client: OrderedClient, world: Circumstances, limits: Limits) -> bool:
    """Return True if the time limits meet the condition under which the client's claims hold."""
    trusted = world.trusted(limits)
    return all(truth(part.holds(trusted)) for part in condition(client, world))


SAYS = COMING | {
    "crashes": "The process of {who} ends at once, and the broker notifies the other members.",
    "misses": "The notification of {who} about the changed group is lost.",
    "rebalances": "{who} rebalances.",
    "renews": "{who} renews its locks.",
    "renews unheard": "{who} renews its locks, and the broker's answers are lost.",
    "tick": "Ten seconds pass.",
    "broker restarts": "The broker restarts and loses all locks.",
    "pulls": "{who} pulls messages of queue {queue}.",
    "starts": "{who} checks that its lock of queue {queue} is recent, and calls its listener.",
    "ends": "The listener of {who} returns from messages of queue {queue}.",
    "sends_unlock": "{who} sends its delayed unlock request of queue {queue}.",
    "unlocked": "The unlock request of {who} for queue {queue} reaches the broker.",
}


def _seen(row: Mapping[str, int], who: int) -> str:
    if row[f"runs{who}"]:
        return RUNS
    return HAS if row[f"present{who}"] else ""


def _noted(row: Mapping[str, int]) -> str:
    return f"lock of c{row['holder'] - 1}" if row["holder"] else "no lock"


def _ids(timed: _Timed) -> Ids:
    return timed.members.ids


def _right(strategy: Strategy, queues: int, timed: _Timed, queue: int) -> str | None:
    own = agreed_owner(strategy, queues, timed.members, queue)
    return None if own is None else f"not{own}"


def _after(strategy: Strategy, queues: int, timed: _Timed, move: Move) -> Changed | None:
    who, members = move.who, timed.members
    if who is None:
        if move.name == "tick":
            return Changed(timed.later(), ("tick",) * queues) if timed.waits else None
        return Changed(timed, ("forgets",) * queues)
    lives = members.lives[who]
    every = (f"{move.name}{who}",) * queues
    match move.name:
        case "joins":
            begun = timed.anew(who, members.joined(who), "rebalanced", "renewed")
            return None if lives else Changed(begun, (f"begins{who}",) * queues)
        case "leaves" | "crashes":
            left = timed.anew(who, members.left(who, told=True), "rebalanced", "renewed")
            return Changed(left, every) if lives else None
        case "misses":
            return Changed(replace(timed, members=members.missed(who)), (None,) * queues) if members.told[who] else None
        case "renews" | "renews unheard":
            return Changed(timed.anew(who, None, "renewed"), every) if lives else None
        case "rebalances":
            if not lives:
                return None
            seen = members.seen_by(who)
            own = share(strategy, who, seen.view[who], queues)
            letters = tuple(f"{'keeps' if queue in own else 'gives'}{who}" for queue in range(queues))
            return Changed(timed.anew(who, seen, "rebalanced"), letters)
    return Changed(timed, only(f"{move.name}{who}", move.queue, queues))


class _Queue:
    """The possible changes of one queue, compiled from the formulas of the proofs.

    A state has the columns of these formulas. After them, it has for each consumer the ticks since the consumer dropped
    its process queue.
    """

    def __init__(self, client: OrderedClient, consumers: int, limits: Limits, faults: frozenset[str]) -> None:
        self._together = Together(CONFIGURATION, client.encoding, client, ANYHOW, limits, consumers, UNSEEN)
        self._place = self._together.place
        self._asked = kernel(CONFIGURATION, lambda s, lim: client.encoding.listed(s))
        self._consumers, self._faults = consumers, faults
        none = np.zeros((1, consumers), dtype=np.int8)
        self.begin = np.concatenate([self._together.start(), none], axis=1)
        self._width = self.begin.shape[1] - consumers
        self.columns = (*self._together.columns, *(f"marked_for{who}" for who in range(consumers)))
        puts_off = ("sends_unlock",) if client.puts_off else ()
        self.alone = ("pulls", "starts", "ends", *puts_off, *(("unlocked",) if LATE_RETURN in faults else ()))

    def _does(self, who: int, name: str, **said: bool) -> Act:
        return self._counting(action(self._together, who, name, **said))

    def _counting(self, act: Act) -> Act:
        def does(rows: Rows) -> tuple[np.ndarray, Rows]:
            can, after = act(rows)
            return can, self._counted(after)

        return does

    def _counted(self, rows: Rows) -> Rows:
        for who in range(self._consumers):
            marked = (rows[:, self._place(who, "present")] == 1) & (rows[:, self._place(who, "dropped")] == 1)
            rows[~marked, self._width + who] = 0
        return rows

    def acts(self, who: int) -> Mapping[str, Act]:
        """Return a consumer's actions on the queue by name; each includes its requests and answers."""
        does, begins = partial(self._does, who), self._counting(anew(self._together, who, ("runs", "unlocking")))
        unlocked = does("unlocked", more=False)
        back = () if LATE_RETURN in self._faults else (unlocked,)
        adds = in_turn(does("locks", heard=True), does("adds", found=True))
        overdue = self._where(self._overdue(who), in_turn(does("revokes", in_set=True), *back))
        interrupts = if_it_can(does("interrupts", more=False))
        shuts = in_turn(does("shuts"), interrupts, does("gives_back"), *back, does("clears"))
        waits = self._where(self._no_listener(who), shuts)
        listed = partial(self._listed, who)
        return {
            "begins": begins,
            "keeps": if_it_can(in_turn(if_it_can(overdue), adds)),
            "gives": if_it_can(in_turn(does("revokes", in_set=False), *back)),
            "leaves": shuts if SHUTDOWN in self._faults else waits,
            "crashes": in_turn(does("crashes"), begins),
            "renews": if_it_can(
                self._where(
                    listed, self._or_else(in_turn(does("renews", heard=True), does("renewed")), does("refused"))
                )
            ),
            "renews unheard": if_it_can(self._where(listed, does("renews", heard=False))),
            "pulls": does("pulls"),
            "starts": does("starts", more=False),
            "ends": does("ends", more=False),
            "sends_unlock": in_turn(does("sends_unlock", more=False), *back),
            "unlocked": unlocked,
        }

    @staticmethod
    def _where(so: Callable[[Rows], np.ndarray], act: Act) -> Act:
        def does(rows: Rows) -> tuple[np.ndarray, Rows]:
            can, after = act(rows)
            return can & so(rows), after

        return does

    @staticmethod
    def _or_else(act: Act, other: Act) -> Act:
        def does(rows: Rows) -> tuple[np.ndarray, Rows]:
            can, after = act(rows)
            could, then = other(rows)
            return can | could, np.where(can[:, None], after, then)

        return does

    def _listed(self, who: int, rows: Rows) -> np.ndarray:
        return self._together.so(self._asked, rows[:, : self._width], who)

    def _overdue(self, who: int) -> Callable[[Rows], np.ndarray]:
        return lambda rows: rows[:, self._width + who] >= OVERDUE

    def _no_listener(self, who: int) -> Callable[[Rows], np.ndarray]:
        place = self._place
        return lambda rows: rows[:, place(who, "runs")] == 0

    def tick(self, rows: Rows) -> tuple[np.ndarray, Rows]:
        """The act of a passing tick: ten seconds pass."""
        terms = rows[:, : self._width]
        after = rows.copy()
        after[:, : self._width] = self._together.later(terms)
        after[:, self._width :] = np.minimum(after[:, self._width :] + 1, OVERDUE)
        return self._together.waits(terms), self._counted(after)

    def forgets(self, rows: Rows) -> tuple[np.ndarray, Rows]:
        """The act of a broker restart: the broker loses all locks."""
        after = rows.copy()
        after[:, self._width - 2 : self._width] = 0
        return np.ones(len(rows), dtype=bool), after

    def flags(self) -> Mapping[str, Callable[[Rows], np.ndarray]]:
        """Return properties of a queue's state: name -> function from states to an array of booleans."""

        def of(name: str, rows: Rows) -> np.ndarray:
            return rows[:, [self._place(who, name) for who in range(self._consumers)]]

        def not_of(who: int, rows: Rows) -> np.ndarray:
            has, locked, marked = (of(name, rows) for name in ("present", "locked", "dropped"))
            others: np.ndarray = (has[:, who] & locked[:, who] & (1 - marked[:, who]) != 1) | (has.sum(axis=1) != 1)
            return others

        return {
            "two": lambda rows: of("runs", rows).sum(axis=1) > 1,
            **{f"not{who}": partial(not_of, who) for who in range(self._consumers)},
        }
