"""Model of a group with concurrent listeners: the owners of queues, and one message per queue.

A rebalance is one move: the consumer queries the members, drops queues outside its share, and starts with new queues at
the committed offset. Requests and answers are part of the move, unless a fault prevents it. The changes of a queue are
compiled from the formulas of the proofs ``offsets.*``.
"""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.machines.offsets.actions import CONCURRENT
from rebalance_proofs.model.machines.offsets.assumptions import COMMITTED
from rebalance_proofs.model.machines.offsets.state import JavaClient
from rebalance_proofs.model.offsets.space import unseen
from rebalance_proofs.model.releases import resolved
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.machine.declared import of_client
from rebalance_proofs.proofs.machine.together import Together
from rebalance_proofs.spark_enum.explorer.acts import action, anew, either, if_it_can, in_turn
from rebalance_proofs.spark_enum.explorer.members import COMING, Members, agreed_owner, agreement_claims, only, share
from rebalance_proofs.spark_enum.explorer.model import DEADLOCK, HAS, RUNS, Act, Changed, Model, Move, Rows, Watch
from rebalance_proofs.spark_enum.explorer.subject import Settings, Subject, read, strategy_of

CRASH, LOST_NOTIFICATION, LATE_COMMIT = "crash", "lost-notification", "late-commit"
FAULTS = {
    CRASH: "a consumer's process ends at once",
    LOST_NOTIFICATION: "a consumer is not notified of a change",
    LATE_COMMIT: "a commit reaches the broker after the sender's next action",
}
PROOF = ("known", "origin", "back")
"""State fields that only the claims need; the explored states leave them out."""
QUIET = ("late", "recording", "sending")
"""State fields that describe the remaining activities of a process that has shut down."""


def concurrent(
    client: JavaClient, strategy: Strategy, consumers: int, queues: int, faults: frozenset[str] = frozenset()
) -> Model:
    """Return the model of a group with concurrent listeners and one message per queue.

    ``faults``: names of the faults that can happen, from ``FAULTS``.
    """
    everyone, each = range(consumers), range(queues)
    queue = _Queue(client, consumers, late=LATE_COMMIT in faults)
    acts: dict[str, Act] = {}
    for who in everyone:
        acts |= {f"{name}{who}": act for name, act in queue.acts(who).items()}
    members = [Move("joins", who, change=True) for who in everyone] + [
        Move("leaves", who, change=True) for who in everyone
    ]
    members += [Move("rebalances", who) for who in everyone]
    if CRASH in faults:
        members += [Move("crashes", who, fault=CRASH, change=True) for who in everyone]
    if LOST_NOTIFICATION in faults:
        members += [Move("misses", who, fault=LOST_NOTIFICATION) for who in everyone]
    alone = [Move(name, who, at) for name in queue.alone for who in everyone for at in each]
    return Model(
        name="concurrent",
        sentence=f"Consumers of {client.rocketmq_name} with concurrent listeners.",
        queues=queues,
        columns=queue.columns,
        begin=queue.begin,
        acts=acts,
        members=Members.none(consumers),
        moves=(*members, *alone),
        after=partial(_after, strategy, queues),
        says=SAYS,
        seen=_seen,
        noted=_noted,
        ids=lambda members: members.ids,
        views=lambda members: members.view,
        flags=queue.flags(),
        watches=_watches(client, strategy),
        right=Watch(
            "agreed",
            "Each queue has a process queue in the table of the consumer to which the strategy gives it, and in no "
            "other.",
            partial(_right, strategy, queues),
            agreement_claims(strategy, client.generations),
        ),
    )


def _build(settings: Settings) -> Model:
    client, faults = client_of(settings), frozenset(settings.faults)
    return concurrent(client, strategy_of(settings), settings.consumers, settings.queues, faults)


def client_of(settings: Settings) -> JavaClient:
    """Return the client that the settings name.

    Raises ``UsageError`` if this model does not support the client.
    """
    release = read(settings.client, resolved).release
    for client in CONCURRENT:
        if any(release in generation.releases for generation in client.generations):
            return client
    raise UsageError(
        f"concurrent listeners of {settings.client} are not modelled; name a Java client version such as 5.2"
    )


SUBJECT = Subject(
    name="concurrent",
    sentence="Consumers with concurrent listeners: owners of queues, offsets, and one message in each queue.",
    takes=("client", "strategy", "faults"),
    faults=FAULTS,
    build=_build,
)


SAYS = COMING | {
    "crashes": "The process of {who} ends at once, and the broker notifies the other members.",
    "misses": "The notification of {who} about the changed group is lost.",
    "rebalances": "{who} rebalances.",
    "pulls": "{who} pulls the message of queue {queue}.",
    "starts": "{who} calls its listener with the message of queue {queue}.",
    "ends": "The listener of {who} returns from the message of queue {queue}.",
    "sends": "{who} commits its offset of queue {queue}.",
    "arrives": "A commit of {who} for queue {queue} reaches the broker.",
}


def _seen(row: Mapping[str, int], who: int) -> str:
    if row[f"runs{who}"] or row[f"late{who}"]:
        return RUNS
    return HAS if row[f"present{who}"] else ""


def _noted(row: Mapping[str, int]) -> str:
    return f"offset {row['committed']}"


def _watches(client: JavaClient, strategy: Strategy) -> tuple[Watch, ...]:
    return (
        Watch(
            "two",
            "Two consumers have a process queue of the same queue and read it.",
            lambda members, queue: "two",
            (f"allocation.{strategy.name}.disjoint.without-same-cid-all",),
        ),
        Watch(
            "twice", "A message is consumed twice.", lambda members, queue: "again", (f"offsets.{client.name}.once",)
        ),
        Watch(
            "skipped",
            "The committed offset is beyond a message that no consumer has consumed.",
            lambda members, queue: "skipped",
            (f"offsets.{client.name}.not-skipped",),
        ),
        DEADLOCK,
    )


def _right(strategy: Strategy, queues: int, members: Members, queue: int) -> str | None:
    own = agreed_owner(strategy, queues, members, queue)
    return None if own is None else f"not{own}"


def _after(strategy: Strategy, queues: int, members: Members, move: Move) -> Changed | None:
    who = move.who
    assert who is not None
    lives = members.lives[who]
    match move.name:
        case "joins":
            return None if lives else Changed(members.joined(who), (f"begins{who}",) * queues)
        case "leaves" | "crashes":
            left = members.left(who, told=True)
            return Changed(left, (f"{move.name}{who}",) * queues) if lives else None
        case "misses":
            return Changed(members.missed(who), (None,) * queues) if members.told[who] else None
        case "rebalances":
            if not lives:
                return None
            seen = members.seen_by(who)
            own = share(strategy, who, seen.view[who], queues)
            return Changed(seen, tuple(f"{'keeps' if queue in own else 'gives'}{who}" for queue in range(queues)))
    return Changed(members, only(f"{move.name}{who}", move.queue, queues))


class _Queue:
    """The possible changes of one queue, compiled from the formulas of the proofs."""

    def __init__(self, client: JavaClient, consumers: int, late: bool) -> None:
        of = of_client("offsets", client)
        dull = {*unseen(COMMITTED), *PROOF}
        self._together = Together(of, client.encoding, client, COMMITTED, of.ticks, consumers, dull)
        self._consumers, self._late = consumers, late
        self._place = self._together.place
        self.begin, self.columns = self._together.start(), self._together.columns
        self.alone = ("pulls", "starts", "ends", "sends", *(("arrives",) if late else ()))

    def acts(self, who: int) -> Mapping[str, Act]:
        """Return a consumer's actions on the queue by name; each includes its requests and answers."""
        does, begins = partial(action, self._together, who), anew(self._together, who, QUIET)
        arrives = does("commits")
        sent = () if self._late else (arrives,)
        return {
            "begins": begins,
            "keeps": if_it_can(in_turn(does("asks"), does("adds"))),
            "gives": if_it_can(in_turn(does("revokes"), *sent)),
            "leaves": in_turn(does("shuts"), *sent),
            "crashes": in_turn(does("crashes"), begins),
            "pulls": does("pulls"),
            "starts": does("starts"),
            "ends": either(
                in_turn(does("ends", none=True), does("records")),
                in_turn(does("ends", none=False), does("records")),
                does("ends_late"),
            ),
            "sends": in_turn(does("sends"), *sent),
            "arrives": arrives,
        }

    def flags(self) -> Mapping[str, Callable[[Rows], np.ndarray]]:
        """Return properties of a queue's state: name -> function from states to an array of booleans."""
        shared = {name: self._place(0, name) for name in ("consumed", "given", "committed", "again")}

        def entries(rows: Rows) -> np.ndarray:
            return rows[:, [self._place(who, "present") for who in range(self._consumers)]]

        def of(who: int, rows: Rows) -> np.ndarray:
            others: np.ndarray = (entries(rows)[:, who] != 1) | (entries(rows).sum(axis=1) != 1)
            return others

        def skipped(rows: Rows) -> np.ndarray:
            done = (rows[:, shared["consumed"]] == 1) | (rows[:, shared["given"]] == 1)
            passed: np.ndarray = (rows[:, shared["committed"]] > 0) & ~done
            return passed

        return {
            "two": lambda rows: entries(rows).sum(axis=1) > 1,
            "again": lambda rows: rows[:, shared["again"]] == 1,
            "skipped": skipped,
            **{f"not{who}": partial(of, who) for who in range(self._consumers)},
        }
