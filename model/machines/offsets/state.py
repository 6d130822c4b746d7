"""State of one queue and one of its messages, "the message"; the clients; and what actions have in common.

A machine describes one consumer of a group. All consumers share the broker's state, and the history of the message. The
code of consumers and broker, and how it stores this state, is in ``model.offsets``.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, partial
from typing import Any, ClassVar

from rebalance_proofs.model.client.effects import UPDATE_OFFSET
from rebalance_proofs.model.client.environment import NOT_FOUND, OK, THROW
from rebalance_proofs.model.client.node import Node
from rebalance_proofs.model.client.process_queue_table import FREE
from rebalance_proofs.model.client.process_queue_table import HELD as LOCK_HELD
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.machine.client import Code, MachineClient, Wrong
from rebalance_proofs.model.machine.copies import ME
from rebalance_proofs.model.machine.fields import Flag, Number, record
from rebalance_proofs.model.machine.machine import Action, Step, Turn, becomes, but, by_terms, step
from rebalance_proofs.model.machine.record import Record, Shown
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or, number, term
from rebalance_proofs.model.offsets.broker import NONE, Broker
from rebalance_proofs.model.offsets.code import Member, does, put, seen
from rebalance_proofs.model.offsets.consumer import OffsetsConsumer
from rebalance_proofs.model.offsets.node_consumer import NodeConsumer
from rebalance_proofs.model.offsets.orderly_consumer import OrderlyConsumer
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import NO, YES
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.model.transition import java, node
from rebalance_proofs.model.transition.drivers import JavaDriver, NodeDriver
from rebalance_proofs.model.transition.generations import Generation, TakenAsOne
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, PERSISTS, THROWN, UNANSWERED, WHERES
from rebalance_proofs.model.transition.step import (
    NOTHING_THROWN,
    PULL_IDLE_LIMIT,
    UNLOCK_DELAY,
    Asked,
    Entry,
    Thrown,
    happens,
    push,
)
from rebalance_proofs.model.transition.step import Step as Rebalanced

# ---- State, choices and limits


class Way(StrEnum):
    """How a consumer processes messages; it decides the offset machine's actions and fields."""

    CONCURRENTLY = "concurrently"
    """``MessageListenerConcurrently``: several messages at once, each recorded at its return."""
    ORDERLY = "orderly"
    """``MessageListenerOrderly``: one batch after the other."""
    BY_LOOP = "by-loop"
    """Node: one loop consumes batches of all queues of a topic, even of removed queues."""


NOWHERE = -1
"""Value of ``next`` if the first pull's offset query failed and the client ignored that."""
UNKNOWN = -1
"""Offset that Node's ``persistAll`` stores and sends if memory has 0 or no offset."""


@record
class Offsets(Record):
    """A consumer's state of the queue and the message, and the shared state.

    Fields from ``committed`` on are shared: the broker's state, and the history of the message.
    """

    present: Bool = Flag(
        "Whether the consumer has a process queue in its table.",
        shown=Shown("process queue", {True: "in table", False: "–"}),
    )
    dropped: Bool = Flag("Whether the process queue is dropped.")
    began: Int = Number("Start offset of the process queue.", when=lambda s: Or(s.present, s.listed))
    next: Int = Number(
        "Next offset that the process queue pulls (`PullRequest.nextOffset`).", when=lambda s: s.present, least=NOWHERE
    )
    cached: Bool = Flag("Whether the process queue contains the message: pulled, and not removed.")
    runs: Bool = Flag(
        "Whether the listener runs with the message, for the process queue in the table.",
        shown=Shown(
            "listener",
            {True: "runs", False: "–"},
            of=lambda s: Or(s.runs, s.late),
            meaning="Whether the consumer's listener runs with messages of the queue.",
        ),
    )
    late: Bool = Flag(
        "Whether the listener runs with the message for a process queue that has left the table; of several calls, any "
        "one."
    )
    memory: Int = Number(
        "The queue's offset in the consumer's `offsetTable`.",
        least=UNKNOWN,
        none=NO_OFFSET,
        shown=Shown(
            "offset in memory",
            none=NONE,
            meaning="Offset of the queue that the consumer would send to the broker (`offsetTable`).",
        ),
    )
    recording: Bool = Flag(
        "Whether an offset has passed its checks and is about to be recorded in memory; of several, any one."
    )
    recorded: Int = Number("Offset that is about to be recorded in memory.", when=lambda s: s.recording)
    asking: Bool = Flag("Whether a rebalance has queried the queue's offset and is about to receive an answer or none.")
    answer: Int = Number(
        "Answer to that query, as a number of `model.transition`.", when=lambda s: s.asking, least=BROKER_ERROR
    )
    known: Int = Number(
        "Committed offset at the time of the rebalance's query. For claims only.",
        when=lambda s: Or(s.present, s.asking),
        least=NONE,
    )
    sending: Bool = Flag("Whether a commit is in flight to the broker; of several, any one.")
    sent: Int = Number("Offset of the commit in flight.", when=lambda s: s.sending, least=UNKNOWN)
    origin: Int = Number(
        "Start offset of the process queue for which that commit was sent. For claims only.", when=lambda s: s.sending
    )
    closed: Bool = Flag("Whether the consumer was shut down, or its process has ended.")
    listed: Bool = Flag(
        "Whether a running `persistAll` has listed the queue: `persistConsumerOffset` copied it from the table. This "
        "field and the next exist only in Java; elsewhere `persistAll` is one step."
    )
    unlisted: Bool = Flag(
        "Whether a running `persistAll` has not listed the queue, whose offset it then removes from memory."
    )
    resetting: Bool = Flag(
        "Whether an offset reset has dropped and cleared the process queue. The fields from here to `ignored` exist "
        "only in Java."
    )
    rewound: Bool = Flag("Whether the reset has written its offset to memory.")
    aim: Int = Number("Offset of the reset.", when=lambda s: Or(s.resetting, s.aimed))
    aimed: Bool = Flag(
        "Whether the reset has sent its offset, and the consumer has not queried the start offset since."
    )
    missed: Bool = Flag("Whether a reset has sent another offset than its own, or none. For claims only.")
    ignored: Bool = Flag(
        "Whether the consumer's query after a reset's commit returned another offset than the reset's. For claims only."
    )
    fixed: Bool = Flag(
        "Whether the first pull has queried the offset again (`PullRequest.previouslyLocked`). The fields from here to "
        "`noted` exist only with an ordered listener."
    )
    stands: Int = Number(
        "Offset after the last batch from which the listener has returned; before any, the start offset.",
        when=lambda s: s.present,
    )
    noting: Bool = Flag(
        "Whether the listener has returned from a batch, and the offset after it is about to replace the offset in "
        "memory. There is at most one such batch, because no other batch begins before."
    )
    noted: Int = Number("Offset after that batch.", when=lambda s: s.noting)
    owed: Bool = Flag(
        "Whether the listener has returned from the message, and its offset is not in memory yet. With an ordered "
        "listener, for claims only; concurrent listeners do not use it."
    )
    lingers: Bool = Flag(
        "Whether the consumer still processes a process queue that has left the table; of several, any one. The fields "
        "from here to `begun_late` exist only for a consumer with one loop."
    )
    left_next: Int = Number("Offset after the last message of that process queue.", when=lambda s: s.lingers)
    left_cached: Bool = Flag("Whether that process queue contains the message.")
    left_owed: Bool = Flag(
        "Whether the listener has returned from the message for that process queue, and its offset is not in memory "
        "yet. `late` says whether the listener runs with it."
    )
    begun_late: Bool = Flag("Whether that listener call began after the process queue had left the table.")
    uncommitted: Bool = Flag(
        "Whether the message was consumed but not committed at the consumer's last offset query. For claims only, "
        "about consumers without an ordered listener.",
        when=lambda s: Or(s.present, s.asking),
    )
    interrupted: Bool = Flag(
        "Whether shutdown() has interrupted the listener threads. This field and the next exist only in Java."
    )
    cut: Bool = Flag("Whether an interrupted listener call has the message.")
    remains: Bool = Flag(
        "Whether an interrupted call has returned with its thread's interrupt status set, so that its batch was not "
        "recorded. The batch stays in `consumingMsgOrderlyTreeMap`, and the next `commit` covers it, too. Only with an "
        "ordered listener."
    )
    committed: Int = Number(
        "The group's committed offset at the broker; -1 for none.",
        shared=True,
        none=NONE,
        shown=Shown(
            "committed offset",
            none=NONE,
            meaning="Offset of the queue that the broker stores for the group; a new owner starts there.",
            party="broker",
        ),
    )
    end: Int = Number("`maxOffset`: the last message's offset plus 1.", shared=True)
    consumed: Bool = Flag(
        "Whether a listener has returned from the message, which is then consumed or sent back for a retry.",
        shared=True,
        shown=Shown(
            "consumed",
            {0: "not yet", 1: "once", 2: "twice"},
            of=lambda s: int(s.consumed) + int(s.again),
            number=True,
            meaning="Number of times that a listener has returned from the message.",
            party="message",
        ),
    )
    given: Bool = Flag("Whether the message was sent back for a retry because its listener took too long.", shared=True)
    again: Bool = Flag("Whether a listener has returned from the message a second time.", shared=True)
    back: Bool = Flag(
        "Whether the last commit, or swap with the replica, has lowered the committed offset.", shared=True
    )
    kept: Bool = Flag(
        "Whether a consumer with an ordered listener and a process queue has recorded an offset after the message in "
        "memory. For claims only.",
        shared=True,
    )
    taken: Bool = Flag(
        "Whether some consumer with an ordered listener is `concerned`, or some other consumer `has_or_asks`. For "
        "claims only.",
        shared=True,
    )
    overtime: Bool = Flag(
        "Whether a listener has returned from the message after its process queue left the table during the call. For "
        "claims only, like the next field.",
        shared=True,
    )
    excess: Bool = Flag(
        "Whether a listener has returned from the message a second time, and it was neither `uncommitted` nor "
        "`overtime`.",
        shared=True,
    )
    finished: Bool = Flag(
        "Whether a listener has returned from the message with its work done, or it was sent back for a retry. For "
        "claims only, about Java.",
        shared=True,
    )
    copied: Int = Number(
        "The group's offset at a replica of the broker; -1 for none. Only in Java without ordered listeners.",
        none=NONE,
        shared=True,
    )
    owned: Bool = Flag(
        "Whether some consumer has ever had a process queue. For claims only, like the next fields.", shared=True
    )
    awaited: Bool = Flag(
        "Whether the message arrived while a consumer queried the offset or had a process queue.", shared=True
    )
    had: Bool = Flag("Whether the message arrived while a consumer had a live process queue.", shared=True)
    begun: Bool = Flag(
        "Whether the message arrived while a consumer with an ordered listener had a live process queue whose first "
        "pull was answered.",
        shared=True,
    )


@record
class Choices(Record):
    """Choices of an action that the model leaves open, such as the broker's answer."""

    in_set: Bool = Flag(
        "Whether the queue is still in mqSet, so that its process queue is removed only because no message was pulled "
        "for too long."
    )
    silent: Bool = Flag("Whether the broker does not answer: a timeout, or no connection.")
    error: Bool = Flag('Whether the broker answers with an error other than "no offset is stored".')
    zero: Bool = Flag(
        "Whether the broker answers 0 if no offset is stored, which becomes the start offset and the offset in memory. "
        "For a reset: whether it goes to offset 0."
    )
    none: Bool = Flag("Whether the process queue has no messages when the listener returns.")
    more: Bool = Flag(
        "Whether the action concerns another of several such requests, calls or offsets, so that the one in this state "
        "stays."
    )
    older: Bool = Flag("Whether the broker's answer is `offset`, which was committed some time ago.")
    held: Bool = Flag(
        "Whether the listener runs with other messages of the process queue; for Node, whether its loop has other "
        "messages."
    )
    stale: Bool = Flag("Whether the broker's lock was not renewed for a long time.")
    half: Bool = Flag("Whether the interrupted listener returns success although its work is not done.")
    replica: Bool = Flag("Whether a replica, instead of the broker, answers the query or gets the commit.")
    offset: Int = Number("An offset; its meaning depends on the action.")


@record
class Limits(Record):
    """Parameters that stay constant: the observed message's offset and ``ConsumeFromWhere``."""

    message: Int = Number("The message's offset: any number from 0 on.")
    from_where: Int = Number("The group's `ConsumeFromWhere`, as an index of `WHERES`.", most=len(WHERES) - 1)


def has_or_asks(s: Offsets) -> Bool:
    """Check whether the consumer has a process queue or queries its start offset."""
    return Or(s.present, s.asking)


def concerned(s: Offsets) -> Bool:
    """Check whether the consumer has any activity on the queue.

    That is a process queue, a query, a listener call, a commit in flight, or a running ``persistAll``.
    """
    return Or(s.present, s.asking, s.late, s.recording, s.noting, s.sending, s.listed)


def done(s: Offsets) -> Bool:
    """Check whether the message was consumed or sent back for a retry."""
    return Or(s.consumed, s.given)


def first(blank: Offsets, lim: Limits, client: "OffsetsClient") -> Offsets:
    """Return the first state: a consumer without any activity on the queue or offset in memory.

    The caller sets the shared fields.
    """
    return blank.but(memory=NO_OFFSET)


# ---- Parts of actions


def given_or_not(s: Offsets, lim: Limits) -> Bool:
    """Check that a running ``persistAll`` does not both include and omit the queue."""
    return Not(And(s.listed, s.unlisted))


def pulled(s: Offsets, c: Choices, lim: Limits, next_: Int) -> Bool:
    """Check whether a pull from ``next_`` to before ``c.offset`` can find the message."""
    return And(next_ <= lim.message, lim.message < c.offset, c.offset <= s.end)


def passed(s: Offsets, c: Choices, lim: Limits, next_: Int) -> Bool:
    """Check whether a pull from ``next_`` to before ``c.offset`` can leave out the message."""
    return And(And(next_ < c.offset, c.offset <= s.end), Or(c.offset <= lim.message, next_ > lim.message))


def consumed(s: Offsets) -> dict[str, Bool]:
    """Return the changed fields when a listener returns from the message, once or again."""
    return {"consumed": True, "again": Or(s.again, s.consumed)}


def under_way(s: Offsets, sends: Bool, c: Choices) -> Offsets:
    """Return the state after the offset in memory was sent to the broker, if ``sends`` holds.

    The state has one commit in flight. If another commit was in flight before, ``c.more`` selects that one.
    """
    looked_at = And(sends, Not(And(s.sending, c.more)))
    return s.but(
        sending=Or(s.sending, sends),
        sent=If(looked_at, s.memory, s.sent),
        origin=If(looked_at, s.began, s.origin),
    )


def noted(s: Offsets, offset: Int, c: Choices) -> dict[str, Bool | Int]:
    """Return the changed fields after an offset has passed its checks and is to be recorded.

    The state has one such offset. If another one is pending, ``c.more`` selects that one.
    """
    return {"recording": True, "recorded": If(And(s.recording, c.more), s.recorded, offset)}


def noticed(done: Step, s: Offsets, lim: Limits, offset: Int) -> Step:
    """Return the step ``done`` with the ghost field ``kept`` updated.

    The field is set if ``offset``, recorded in memory, is after the message.
    """
    kept = And(s.present, offset > lim.message)
    return but(done, owed=And(s.owed, Not(kept)), kept=Or(s.kept, kept))


def left_table(s: Offsets, goes: Bool) -> Offsets:
    """Return the state after the process queue has left the table, if ``goes`` holds.

    A running listener call continues.
    """
    stays = Not(goes)
    of_entry = ("present", "dropped", "cached", "runs", "fixed", "owed", "remains", "resetting", "rewound")
    return s.but(**{one: And(getattr(s, one), stays) for one in of_entry}, late=Or(s.late, And(goes, s.runs)))


# ---- Differences between clients

Rebalance = Callable[[Entry, Asked, Thrown], Rebalanced]


class OffsetsClient(MachineClient, ABC):
    """A client in claims about offsets, with its default offset store.

    Its machine depends on its way of processing messages (``actions.MACHINES``).
    """

    name: str
    """Name used in claim ids: ``java_v5``."""
    rocketmq_name: str
    """Name for people: ``Java 4.9``."""
    way: ClassVar[Way]
    heeds: bool = True
    """Whether an ordered consumer queries its start offset again after a failed first query."""

    @property
    @abstractmethod
    def step(self) -> Rebalance:
        """The client's rebalance of one queue, as an SMT encoding."""

    @abstractmethod
    def consumer(self, broker: Broker, where: ConsumeFromWhere) -> OffsetsConsumer:
        """Return a new consumer that runs the Python code modelled on the client."""

    @cached_property
    def code(self) -> Code[Offsets, Choices, Limits, Member]:
        """How the client's Python code implements the machine (refinement map)."""
        calls = {name: partial(does, action) for name, action in self.machine.actions.items()}
        return Code(lambda lim: self._members(lim, (ME,))[0], put, seen, calls, several=self._members)

    def _members(self, lim: Limits, numbers: Sequence[int]) -> Sequence[Member]:
        """Return new consumers without any state of the queue, which share one broker."""
        where, broker = WHERES[number(lim.from_where)], Broker(None, 0)
        return [Member(self.consumer(broker, where), number(lim.message), where) for _ in numbers]


Act = Action[Offsets, Choices, Limits, OffsetsClient]
Mistake = Wrong[Offsets, Choices, Limits, OffsetsClient]


@dataclass(frozen=True)
class JavaClient(OffsetsClient, TakenAsOne):
    """Generations of the Java client whose concurrent consumers behave the same."""

    way = Way.CONCURRENTLY

    @property
    def step(self) -> Rebalance:
        return java.encoding(self.generations[-1].rules).step

    def encoding_of(self, generation: Generation) -> Any:
        """Return the offset machine of one of the generations, as SMT terms."""
        return replace(self, generations=(generation,)).encoding

    def consumer(self, broker: Broker, where: ConsumeFromWhere) -> OffsetsConsumer:
        return OffsetsConsumer(self._driver(where), broker)

    def _driver(self, where: ConsumeFromWhere) -> JavaDriver:
        in_order = self.way is Way.ORDERLY
        settings = Settings(consume_from_where=where, orderly=in_order)
        return JavaDriver(self.made, settings, order=in_order, own_store=False)


@dataclass(frozen=True)
class OrderlyClient(JavaClient):
    """Generations of the Java client whose ordered consumers behave the same."""

    way = Way.ORDERLY
    heeds: bool = True
    """Whether the client checks that the offset query of its first pull was answered."""

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """The wrong encodings that claims must reject.

        If ``heeds`` holds, one of them omits the check of the first pull's answer.
        """
        fixes = partial(self.machine.turn, "fixes", replace(self, heeds=False))
        careless = Mistake(
            "careless",
            "If the first pull gets no answer, it pulls from offset -1.",
            lambda s, c, lim, turn: fixes(s, c, lim),
            "fixes",
            "from-an-offset",
        )
        return (*super().mutants, *((careless.mutant(self.encoding),) if self.heeds else ()))

    def consumer(self, broker: Broker, where: ConsumeFromWhere) -> OrderlyConsumer:
        return OrderlyConsumer(self._driver(where), broker)


@dataclass(frozen=True)
class NodeClient(OffsetsClient):
    """The Node client in claims about offsets."""

    name: str
    rocketmq_name: str
    releases: tuple[str, ...]
    made: type[Node] = Node
    """Class with the Python code of the client's rebalance."""
    way = Way.BY_LOOP

    @property
    def step(self) -> Rebalance:
        return node.ENCODING.step

    def consumer(self, broker: Broker, where: ConsumeFromWhere) -> NodeConsumer:
        settings = Settings(consume_from_where=where)
        return NodeConsumer(NodeDriver(self.made, settings, order=False, own_store=False), broker)


# ---- Ghost fields, which only claims use: owners of the queue, second consumptions, and finished work of listeners

RETURNS = ("ends", "ends_late", "returns_interrupted")
"""Actions where a listener returns from the message, which is consumed or sent back."""


def interruptible(action: Act) -> Act:
    """Return the action with the ghost field ``finished``: a listener finished the message."""
    effect = action.effect

    def does(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
        guard, changes = effect(s, c, lim, client)
        finished = Or(s.finished, Not(c.half))
        return but((And(guard, Implies(c.half, s.cut)), changes), finished=finished)

    return replace(action, effect=does) if action.name in RETURNS else action


def counted(action: Act) -> Act:
    """Return the action with the ghost field ``taken``: a consumer is active on the queue.

    For consumers with an ordered listener.
    """

    def does(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
        done = action.effect(s, c, lim, client)
        others = And(s.taken, Not(concerned(s)))
        return but(done, taken=Or(others, concerned(s.but(**done[1]))))

    return replace(action, effect=does)


def watched(action: Act) -> Act:
    """Return the action with ghost fields for queue owners and second returns from the message.

    For consumers without an ordered listener.
    """

    def does(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
        done = action.effect(s, c, lim, client)
        others = And(s.taken, Not(has_or_asks(s)))
        return but(done, taken=Or(others, has_or_asks(s.but(**done[1]))), **_of(action.name, s, lim))

    return replace(action, effect=does)


def _of(name: str, s: Offsets, lim: Limits) -> dict[str, Bool]:
    twice = And(s.consumed, Not(s.overtime))
    if name == "asks":
        return {"uncommitted": And(s.consumed, s.committed <= lim.message)}
    if name in ("ends", "returns_interrupted"):
        return {"excess": Or(s.excess, And(twice, Not(s.uncommitted)))}
    if name == "ends_late":
        return {
            "overtime": Or(s.overtime, Not(s.begun_late)),
            "excess": Or(s.excess, And(twice, s.begun_late)),
        }
    return {}


# ---- The rebalance of one queue (``model.transition``), as far as it concerns offsets


def _entry(s: Offsets, c: Choices, present: Bool, orderly: bool) -> Entry:
    """Return the process queue as input of the rebalance's encoding.

    ``present``: whether the table has the process queue. Locks are used only if the queue is ``orderly``.
    """
    zero = smt.IntVal(0)
    held = smt.And(present, smt.Or(s.runs, c.held)) if orderly else NO
    return Entry(
        present=term(present),
        dropped=term(s.dropped),
        locked=NO,
        pull_age=smt.If(c.in_set, PULL_IDLE_LIMIT + 1, zero),
        lock_age=smt.If(c.stale, UNLOCK_DELAY + 1, zero) if orderly else zero,
        consume_lock=smt.If(held, LOCK_HELD, FREE),
        cached=term(s.cached),
        tries=zero,
        memory=smt.integer(s.memory),
    )


def added(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient, answer: Int) -> tuple[Bool, Rebalanced]:
    """Return whether a rebalance can add a process queue after its offset query, and its step.

    ``answer``: the answer to the query. The client may then query ``maxOffset``, or ``searchOffset`` for a time
    stamp. The first part of the result is whether this further query can have the answer ``c.offset``.
    """
    by_time, orderly = lim.from_where == WHERES.index(ConsumeFromWhere.TIMESTAMP), client.way is Way.ORDERLY
    order = smt.BoolVal(orderly)
    asked = push(
        YES, smt.integer(answer), queried=If(by_time, c.offset, s.end), where=lim.from_where, order=order, orderly=order
    )
    in_range = And(c.offset >= 0, c.offset <= s.end)
    return Implies(by_time, in_range), client.step(_entry(s, c, NO, orderly), asked, NOTHING_THROWN)


def removed(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Rebalanced:
    """Return the first half of a rebalance, which removes process queues.

    The second half queries the start offset of an added process queue.
    """
    unanswered, orderly = smt.IntVal(UNANSWERED), client.way is Way.ORDERLY
    order = smt.BoolVal(orderly)
    asked = push(term(c.in_set), unanswered, queried=unanswered, where=lim.from_where, order=order, orderly=order)
    if client.way is Way.BY_LOOP:
        persist = smt.If(c.silent, PERSISTS.index(THROW), PERSISTS.index(OK))
        asked = push(NO, smt.IntVal(THROWN), persist=persist, where=lim.from_where)
    return client.step(_entry(s, c, s.present, orderly), asked, NOTHING_THROWN)


def sent(step: Rebalanced, s: Offsets) -> Bool:
    """Check whether the rebalance sends the offset in memory."""
    return happens(step.slots, UPDATE_OFFSET, s.memory)


def answered(s: Offsets, c: Choices, stored: Int) -> Int:
    """Return the answer to a query for the committed offset.

    ``stored``: the broker's offset.
    """
    none = If(c.zero, 0, NOT_FOUND)
    return If(c.silent, UNANSWERED, If(c.error, BROKER_ERROR, If(stored == NONE, none, stored)))


def found(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient, answer: Int) -> tuple[Bool, Bool, Int, Int]:
    """Return whether and where a new process queue starts to pull, given its query's answer.

    The parts are: whether a further query can have the answer ``c.offset``; whether the process queue is added; its
    start offset; and the queue's offset in memory afterwards.
    """
    possible, done = added(s, c, lim, client, answer)
    return possible, done.after.present, done.begin, done.after.memory


# ---- Actions that are the same for every kind of consumer

Told = Callable[[Offsets, Offsets, Choices, OffsetsClient], str]


def offset_in_words(offset: int) -> str:
    """Return an offset in words: ``offset 1``; below 0 ``-2, which means none``."""
    return f"offset {offset}" if offset >= 0 else f"{offset}, which means none"


def heard(words: str) -> Told:
    """Return a function that describes an offset query and its answer, for printed traces.

    ``words``: description of the query without its answer.
    """

    def told(before: Offsets, after: Offsets, c: Choices, client: OffsetsClient) -> str:
        stored = after.copied if c.replica else after.committed
        answer = f"{'a replica' if c.replica else 'the broker'} returns "
        answer += f"offset {stored}" if stored >= 0 else "0" if c.zero else "none"
        if c.silent or c.error:
            answer = "the broker does not answer" if c.silent else "the broker returns an error"
        return f"{words}: {answer}"

    return told


HALF = "The interrupted listener of {who} returns success with its work half done"


def returned(words: str) -> Told:
    """Return a function that describes a listener's return, for printed traces.

    It gives ``words``, or that the listener returned with half its work done.
    """
    return lambda before, after, c, client: HALF if c.half else words


def _told_adds(before: Offsets, after: Offsets, c: Choices, client: OffsetsClient) -> str:
    adds = f"{{who}} adds the queue and starts at offset {after.began}"
    return adds if after.present else "{who} does not add the queue"


def _told_commits(before: Offsets, after: Offsets, c: Choices, client: OffsetsClient) -> str:
    return f"The commit of {{who}} reaches {'a replica' if c.replica else 'the broker'}"


def _told_revokes(before: Offsets, after: Offsets, c: Choices, client: OffsetsClient) -> str:
    words = "A rebalance removes the process queue of {who}, which "
    # If Node's memory has no offset, Node sends -1.
    remembers = before.memory != NO_OFFSET or client.way is Way.BY_LOOP
    words += "commits its offset and forgets it" if remembers else "has no offset in memory to commit"
    if after.present:
        words = "A rebalance drops the process queue of {who}, which commits its offset while its listener runs"
    if c.stale:
        words += " (its lock was not renewed for too long)"
    if c.silent:
        words = "A rebalance removes the process queue of {who}, which cannot send its offset and keeps it in memory"
    if c.in_set:
        words += ", because it has pulled nothing for two minutes"
    # Only Node's loop can be busy when there is no other message.
    return f"{words} (its loop still has other messages of the queue)" if c.held else words


ASKS = ("A rebalance queries the queue's committed offset.", heard("A rebalance of {who} queries the committed offset"))
ADDS = ("The rebalance adds the queue, if the answer gives an offset to start at.", _told_adds)
COMMITS = ("A commit of the consumer reaches the broker.", _told_commits)
REVOKES = ("A rebalance drops the consumer's process queue.", _told_revokes)


def asks(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """A rebalance finds a new queue and queries its committed offset.

    The broker answers or does not answer, or a replica answers instead.
    """
    stored = If(c.replica, s.copied, s.committed) if client.way is Way.CONCURRENTLY else s.committed
    answer = answered(s, c, stored)
    ignored = Or(s.ignored, And(s.aimed, answer != UNANSWERED, answer != s.aim))
    idle = Not(Or(s.present, s.asking, s.closed))
    return step(idle, asking=True, answer=answer, known=s.committed, aimed=False, ignored=ignored)


@by_terms
def adds(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The rebalance receives the answer and adds the queue, unless it finds no start offset.

    Without an offset, Node's ``readOffset`` returns -1 and leaves the memory unchanged.
    """
    answer = If(s.answer < 0, THROWN, s.answer) if client.way is Way.BY_LOOP else s.answer
    possible, entered, begin, memory = found(s, c, lim, client, answer)
    after = s.but(
        asking=False,
        present=entered,
        dropped=False,
        cached=False,
        runs=False,
        began=If(entered, begin, s.began),
        next=If(entered, begin, s.next),
        memory=memory,
        owned=Or(s.owned, entered),
    )
    if client.way is Way.ORDERLY:
        after = after.but(fixed=False, stands=If(after.present, after.next, after.stands), remains=False)
    return becomes(And(s.asking, possible), after)


def commits(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """A commit arrives, and the broker stores its offset, even a smaller one.

    Mirror of ``ConsumerOffsetManager.commitOffset``.
    """
    after = s.but(sending=c.more, committed=s.sent, back=s.sent < s.committed)
    if client.way is Way.CONCURRENTLY:
        after = after.but(
            committed=If(c.replica, s.committed, after.committed),
            back=And(after.back, Not(c.replica)),
            copied=If(c.replica, s.sent, s.copied),
        )
    return becomes(s.sending, after)


# ---- Mutants of actions, by name: those in ``WRONG`` break the named claims; those in ``SLIPS`` break some proof


def _only(*ways: Way) -> Callable[[OffsetsClient], bool]:
    return lambda client: client.way in ways


def _fixes_before(s: Offsets, c: Choices, lim: Limits, turn: Turn[Offsets]) -> Turn[Offsets]:
    after = turn.after
    less = {name: getattr(after, name) - 1 for name in ("began", "stands", "next")}
    return replace(turn, after=after.where(And(after.fixed, after.next > 0), **less))


WRONG = (
    Mistake(
        "records-the-pull",
        "When a pull finds no message, its offset is recorded although the process queue has messages.",
        lambda s, c, lim, turn: replace(turn, guard=s.present),
        "empty",
        "not-skipped",
    ),
    Mistake(
        "drops-failures",
        "A message is removed although it was not consumed.",
        lambda s, c, lim, turn: turn.but(cached=False),
        "fails",
        "not-skipped",
    ),
    Mistake(
        "commits-more",
        "The broker stores an offset that is one too large.",
        lambda s, c, lim, turn: turn.but(committed=turn.after.committed + 1),
        "commits",
        "not-skipped",
    ),
    Mistake(
        "remembers-less",
        "A consumer stores the queue's first offset in memory, whatever its start offset is.",
        lambda s, c, lim, turn: turn.but(memory=If(turn.after.memory > 0, 0, turn.after.memory)),
        "adds",
        "back-at-most",
    ),
    Mistake(
        "takes-the-next",
        "A consumer starts one message too late.",
        lambda s, c, lim, turn: turn.but(next=If(turn.after.present, turn.after.next + 1, turn.after.next)),
        "adds",
        "not-skipped",
        of=_only(Way.CONCURRENTLY, Way.BY_LOOP),
    ),
    Mistake(
        "begins-before",
        "The broker answers an offset that is one too small.",
        lambda s, c, lim, turn: turn.but(answer=If(turn.after.answer > 0, turn.after.answer - 1, turn.after.answer)),
        "asks",
        "only-uncommitted",
        of=_only(Way.CONCURRENTLY, Way.BY_LOOP),
    ),
    Mistake(
        "consumes-again",
        "A consumed message stays in its process queue and is consumed again.",
        lambda s, c, lim, turn: turn.but(cached=s.cached),
        "ends",
        "hand-over",
        of=_only(Way.CONCURRENTLY),
    ),
    Mistake(
        "taken-out",
        "A message is removed although its listener's thread was interrupted.",
        lambda s, c, lim, turn: turn.but(cached=False),
        "returns_interrupted",
        "finished.heeded",
        of=_only(Way.CONCURRENTLY),
    ),
    Mistake(
        "fixes-the-next",
        "The first pull starts one message too late.",
        lambda s, c, lim, turn: turn.but(next=If(turn.after.fixed, turn.after.next + 1, turn.after.next)),
        "fixes",
        "not-skipped",
        of=_only(Way.ORDERLY),
    ),
    Mistake(
        "fixes-before",
        "The first pull starts one message before the committed offset.",
        _fixes_before,
        "fixes",
        "only-uncommitted",
        of=_only(Way.ORDERLY),
    ),
    Mistake(
        "forgets-first",
        "The offset of a removed queue is forgotten before it is sent.",
        lambda s, c, lim, turn: turn,
        "revokes",
        "one-batch",
        of=_only(Way.ORDERLY),
        takes_for=lambda s: s.but(memory=NO_OFFSET),
    ),
    Mistake(
        "lets-go",
        "After the listener has returned, no offset is recorded, and the next batch begins.",
        lambda s, c, lim, turn: turn.but(noting=False),
        "ends",
        "one-batch",
        of=_only(Way.ORDERLY),
    ),
)


SLIPS = (
    Mistake(
        "remembers-more",
        "After any action, the offset in memory is larger.",
        lambda s, c, lim, turn: turn.but(memory=turn.after.memory + 99),
    ),
    Mistake(
        "sends-less",
        "After any action, an offset below the start offset is sent.",
        lambda s, c, lim, turn: turn.but(sending=True, sent=turn.after.origin - 1),
    ),
    Mistake(
        "is-given",
        "After any action, an absent process queue has messages.",
        lambda s, c, lim, turn: turn.but(present=False, cached=True),
    ),
    Mistake(
        "undoes",
        "After any action, no message is consumed.",
        lambda s, c, lim, turn: turn.but(consumed=False, given=False),
    ),
)
"""Mutants where every action also makes one wrong change (see ``proofs.mutation.slips``)."""
