"""State of one queue and one of its messages, "the message"; the clients, and how their code stores the state.

A machine describes one consumer of a group. All consumers share the broker's state, and the history of the message.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, partial
from typing import Any, ClassVar

from rebalance_proofs.model.client.node import Node
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.machine.client import Code, MachineClient, Wrong
from rebalance_proofs.model.machine.copies import ME
from rebalance_proofs.model.machine.fields import Flag, Number, record
from rebalance_proofs.model.machine.machine import Action, Step
from rebalance_proofs.model.machine.record import Record, Shown
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or, number
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.offsets.consumer import QUEUE, Call, Commit, Held, OffsetsConsumer
from rebalance_proofs.model.offsets.node_consumer import NodeConsumer, NodeHeld
from rebalance_proofs.model.offsets.orderly_consumer import HeldInOrder, OrderlyConsumer
from rebalance_proofs.model.possible import need
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.transition import java, node
from rebalance_proofs.model.transition.drivers import JavaDriver, NodeDriver
from rebalance_proofs.model.transition.generations import Generation, TakenAsOne
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, WHERES
from rebalance_proofs.model.transition.step import Asked, Entry, Thrown
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


NONE = -1
"""Number that represents "no offset is committed" in ``committed``."""
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


def but(done: Step, **changes: Bool | Int) -> Step:
    """Return an action's step with further changed fields; they replace fields of the same name."""
    return done[0], {**done[1], **changes}


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
    def code(self) -> "Code[Offsets, Choices, Limits, Member]":
        """How the client's Python code implements the machine (refinement map)."""
        calls = {name: partial(_does, action) for name, action in self.machine.actions.items()}
        return Code(lambda lim: self._members(lim, (ME,))[0], _put, _seen, calls, several=self._members)

    def _members(self, lim: Limits, numbers: Sequence[int]) -> Sequence["Member"]:
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


# ---- How the Python code of consumers and broker stores the state, and performs actions

ABOUT_THE_MESSAGE = (
    *("arrives", "starts", "ends", "ends_late", "cleans", "fails"),
    *("starts_late", "fails_late", "skips", "skips_late", "returns_interrupted", "others_fail"),
)
"""Actions whose method takes the observed message as an argument."""
PULLING = {"pulls": True, "passes": False, "pulls_late": True, "passes_late": False}
"""For each action of a pull, whether the pull finds the observed message.

The code has one method for all these actions.
"""
SEVERAL = ("ends_late", "records", "commits")
"""Actions on one of several pending objects, such as one of two commits in flight.

If ``c.more`` is true, a second object is added to the code's consumer before the action.
"""
UNTOLD = ("more", "none", "older", "offset")
"""Names of choices that are never passed to the code's methods as they are.

``offset`` is passed separately, and only to methods that cannot compute it.
"""
FLAGS = ("rewound", "aimed", "missed", "ignored")
OF_MESSAGES = ("given", "overtime", "excess", "finished", "awaited", "had", "begun")


@dataclass
class Member:
    """One consumer's Python object, with the observed message and its history.

    All members of a group share one broker object.
    """

    consumer: OffsetsConsumer
    message: int
    where: ConsumeFromWhere
    known: int = 0
    """Committed offset at the consumer's last offset query. For claims only."""
    which: int = 0
    """Index of the object that the state describes, among equal ones such as commits in flight.

    It is the first, or the last after the choice ``more``.
    """

    @property
    def broker(self) -> Broker:
        """The broker that all members share."""
        return self.consumer.broker

    @property
    def committed(self) -> int:
        """The broker's offset in the form of the state: ``NONE`` if none is committed."""
        return NONE if self.broker.committed is None else self.broker.committed


def other(message: int) -> int:
    """Return a message other than ``message``, with an offset that no message has."""
    return -1 - message


def _does(action: Act, member: Member, s: Offsets, c: Choices) -> None:
    """Perform an action of the machine by calling the code's method.

    If the action chooses an offset, messages are added first, so that the code computes the same offset.
    """
    consumer, name = member.consumer, action.name
    member.which = -1 if c.more else 0
    before, asked = consumer.concerned, member.committed
    given = _given(action, member, s, c)
    getattr(consumer, name if name not in PULLING else name.replace("passes", "pulls"))(**given)
    member.broker.taken = consumer.concerned or (member.broker.taken and not before)
    if name == "asks":
        member.known = asked
    if name == "fixes" and isinstance(consumer.held, HeldInOrder) and consumer.held.fixed and consumer.held.next >= 0:
        member.known = number(c.offset) if c.older else asked


def _given(action: Act, member: Member, s: Offsets, c: Choices) -> dict[str, Any]:
    consumer, name, offset, message = member.consumer, action.name, number(c.offset), member.message
    given: dict[str, Any] = {one: bool(getattr(c, one)) for one in action.choices if one not in UNTOLD}
    if name in ABOUT_THE_MESSAGE:
        given["message"] = message
    if name in ("adds", "fixes") and member.where is ConsumeFromWhere.TIMESTAMP:
        need(0 <= offset <= member.broker.end)
        given["offset"] = offset
    if name == "overtaken" or (name == "fixes" and c.older):
        need(offset >= 0)
        given["offset" if name == "overtaken" else "older"] = offset
    if name == "suspends":
        return {"offset": 0 if c.zero else offset}
    if c.more and name in SEVERAL:
        consumer.calls += [call for call in consumer.calls if call.held is not consumer.held]
        consumer.noted, consumer.commits_under_way = consumer.noted * 2, consumer.commits_under_way * 2
    held: Held | None = consumer.held
    if isinstance(consumer, NodeConsumer):
        need(bool(s.lingers or not s.late))
        held = (consumer.left[0] if consumer.left else None) if name.endswith("_late") else held
    if name in ("others", "others_late"):
        given["message"] = offset - 1 if isinstance(consumer, OrderlyConsumer) else other(message)
    if name in PULLING:
        # The broker has the message: a pull finds it exactly if it lies within the pull's range.
        need(held is None or (held.next <= message < offset) is PULLING[name])
        given |= {"offset": offset, "found": (message,) if PULLING[name] else ()}
    if isinstance(held, HeldInOrder):
        _batch(held, name, offset, message)
    elif isinstance(held, NodeHeld):
        _others_of_a_loop(held, name, offset, message)
    elif held is not None and name in ("ends", "others"):
        need(_others(consumer, held, name, c, message))
    return given


def _batch(held: HeldInOrder, name: str, offset: int, message: int) -> None:
    """Add messages so that the listener's batch ends at the offset that the action chooses."""
    last = offset - 1
    if name == "ends" and not held.reset:
        held.consuming.add(last)
        need(message <= last < held.next)
    if name == "others":
        held.tree.add(last)
        # Messages are taken in order: this batch follows the messages of an interrupted call.
        need(last != message and not (message in held.remaining and last < message))
    if name == "others_fail" and message + 1 < held.next:
        held.tree.add(message + 1)


def _others(consumer: OffsetsConsumer, held: Held, name: str, c: Choices, message: int) -> bool:
    """Add messages so that ``c.offset`` is the first offset left after the listener's return.

    Return False if that is impossible.
    """
    offset, has = number(c.offset), message in held.tree
    if name == "ends":
        if c.none or held.entry.dropped:
            return not (c.none and has)
        # Either a message at that offset is left, or none is and the last pulled message lies just before it.
        left, possible = not has or offset < message, offset != message and (has or offset < held.next)
    else:
        held.tree.add(other(message))
        consumer.calls.append(Call(held, other(message)))
        left, possible = has, not has or offset <= message
    held.tree |= {offset} if left else set()
    held.last = offset - 1
    return possible and held.began <= offset <= held.next


def _others_of_a_loop(held: NodeHeld, name: str, offset: int, message: int) -> None:
    """Add messages so that a batch of Node's loop ends at ``offset``.

    Raises ``Impossible`` if no messages lead to that offset.
    """
    does, has = name.removesuffix("_late"), message in held.tree
    if does not in ("notes", "skips", "others"):
        return
    held.last = offset - 1
    if does == "others":
        held.tree.add(other(message))
        if has and offset < message:
            held.tree.add(offset)
        need(0 < offset <= held.next and (not has or offset <= message))
    else:
        if offset < held.next:
            held.tree.add(offset)
        need(message < offset <= held.next)


def _put(member: Member, s: Offsets, c: Choices) -> None:
    """Set a new consumer's attributes so that they represent the state ``s``.

    If the state has a commit or a listener call in flight, the consumer gets exactly one.
    """
    consumer, message, one = member.consumer, member.message, number
    _put_shared(member, s)
    member.known = one(s.known)
    consumer.uncommitted = {message} if s.uncommitted else set()
    if s.memory != NO_OFFSET:
        consumer.driver.memory[QUEUE] = one(s.memory)
    if s.present:
        entry = consumer.driver.table[QUEUE] = consumer.entry(dropped=bool(s.dropped))
        held = consumer.held = consumer.holds(entry, one(s.began), one(s.next))
        held.tree, held.reset = {message} if s.cached else set(), bool(s.resetting)
        consumer.calls += [Call(held, message)] * int(bool(s.runs))
        if isinstance(held, HeldInOrder):
            _put_in_order(held, s, message)
        if isinstance(held, NodeHeld):
            held.returned = {message} if s.owed else set()
    gone = consumer.holds(consumer.entry(dropped=True), 0, 0)
    if isinstance(consumer, NodeConsumer) and isinstance(gone, NodeHeld) and s.lingers:
        consumer.left, gone.next = [gone], one(s.left_next)
        gone.tree = {message} if s.left_cached else set()
        gone.returned = {message} if s.left_owed else set()
    if isinstance(consumer, OrderlyConsumer) and isinstance(gone, HeldInOrder):
        consumer.noting = one(s.noted) if s.noting else None
        gone.consuming = {message}
    consumer.calls += [Call(gone, message, bool(s.begun_late))] if s.late else []
    consumer.noted = [one(s.recorded)] if s.recording else []
    consumer.answer = one(s.answer) if s.asking else None
    consumer.commits_under_way = [Commit(one(s.sent), one(s.origin))] if s.sending else []
    consumer.closed, consumer.interrupted = bool(s.closed), bool(s.interrupted)
    consumer.cut = {message} if s.cut else set()
    consumer.last_began = one(s.began)
    consumer.aim = one(s.aim) if s.resetting or s.aimed else None
    for name in FLAGS:
        setattr(consumer, name, bool(getattr(s, name)))
    if s.listed or s.unlisted:
        consumer.persisting = frozenset([QUEUE] if s.listed else [])


def _put_shared(member: Member, s: Offsets) -> None:
    broker, message = member.broker, member.message
    broker.committed = None if s.committed == NONE else number(s.committed)
    broker.copied = None if s.copied == NONE else number(s.copied)
    broker.end = number(s.end)
    broker.consumed[message] = int(bool(s.consumed)) + int(bool(s.again))
    broker.went_back, broker.owned, broker.taken = bool(s.back), bool(s.owned), bool(s.taken)
    broker.kept = message + 1 if s.kept else 0
    for name in OF_MESSAGES:
        setattr(broker, name, {message} if getattr(s, name) else set())


def _put_in_order(held: HeldInOrder, s: Offsets, message: int) -> None:
    held.fixed, held.stands = bool(s.fixed), number(s.stands)
    held.owed = {message} if s.owed else set()
    held.remaining = {message} if s.remains else set()
    held.consuming = {message} if s.runs and not held.reset else held.remaining.copy()
    held.tree -= held.consuming


def _seen(member: Member) -> dict[str, int]:
    """Return the consumer's state, as a number for each field of the machine.

    A field is left out if it describes something that does not exist, such as a commit that is not in flight.
    """
    consumer, message, which = member.consumer, member.message, member.which
    held, memory = consumer.held, consumer.memory
    # If one more was added, the last of the list may be the observed one.
    noted, under_way = consumer.noted[which:][:1], consumer.commits_under_way[which:][:1]
    calls = [call for call in consumer.calls if call.offset == message]
    after: dict[str, int] = {
        "present": held is not None,
        "dropped": held is not None and held.entry.dropped,
        "cached": held is not None and message in held.tree,
        "runs": any(call.held is held for call in calls),
        "late": any(call.held is not held for call in calls),
        "memory": NO_OFFSET if memory is None else memory,
        "recording": bool(noted),
        "asking": consumer.answer is not None,
        "known": member.known,
        "sending": bool(under_way),
        "closed": consumer.closed,
        "interrupted": consumer.interrupted,
        "cut": message in consumer.cut,
        **{one: getattr(consumer, one) for one in ("resetting", *FLAGS)},
        "listed": consumer.listed,
        "unlisted": consumer.persisting is not None and not consumer.listed,
    }
    if not isinstance(consumer, OrderlyConsumer):
        after["uncommitted"] = message in consumer.uncommitted
    if held is not None:
        after |= {"began": held.began, "next": held.next}
    if noted:
        after["recorded"] = noted[0]
    if under_way:
        after |= {"sent": under_way[0].offset, "origin": under_way[0].origin}
    if consumer.answer is not None:
        after["answer"] = consumer.answer
    if consumer.aim is not None:
        after["aim"] = consumer.aim
    if isinstance(consumer, NodeConsumer):
        after |= _seen_by_loop(consumer, which, message)
    if isinstance(consumer, OrderlyConsumer):
        after |= _seen_in_order(consumer, message)
    return after | _seen_shared(member)


def _seen_in_order(consumer: OrderlyConsumer, message: int) -> dict[str, int]:
    held = consumer.held
    after: dict[str, int] = {"fixed": False, "owed": False, "remains": False, "noting": consumer.noting is not None}
    if consumer.noting is not None:
        after["noted"] = consumer.noting
    if isinstance(held, HeldInOrder):
        after |= {"fixed": held.fixed, "stands": held.stands, "owed": message in held.owed}
        after |= {"remains": message in held.remaining, "cached": message in held.tree | held.consuming}
    return after


def _seen_by_loop(consumer: NodeConsumer, which: int, message: int) -> dict[str, int]:
    """Return the values of the fields that only Node's machine has.

    ``which``: index of the observed process queue among those that have left the table.
    """
    held, left = consumer.held, consumer.left[which] if consumer.left else None
    late = [call for call in consumer.calls if call.offset == message and call.held is left]
    after: dict[str, int] = {
        "owed": isinstance(held, NodeHeld) and message in held.returned,
        "lingers": left is not None,
        "late": bool(late),
        "begun_late": any(call.begun_late for call in late),
        "left_cached": left is not None and message in left.tree,
        "left_owed": left is not None and message in left.returned,
    }
    return after if left is None else after | {"left_next": left.next}


def _seen_shared(member: Member) -> dict[str, int]:
    broker, message = member.broker, member.message
    return {
        "committed": member.committed,
        "end": broker.end,
        "consumed": broker.consumed[message] > 0,
        "again": broker.consumed[message] > 1,
        "back": broker.went_back,
        "kept": broker.kept > message,
        "taken": broker.taken,
        "copied": NONE if broker.copied is None else broker.copied,
        "owned": broker.owned,
        **{one: message in getattr(broker, one) for one in OF_MESSAGES},
    }
