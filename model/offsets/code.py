"""How the Python code of consumers and broker stores the state of the offset machines, and performs their actions.

It gives the object's attribute for each field of the state, and the method for each action.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.offsets.broker import NONE, Broker
from rebalance_proofs.model.offsets.consumer import QUEUE, Call, Commit, Held, OffsetsConsumer
from rebalance_proofs.model.offsets.node_consumer import NodeConsumer, NodeHeld
from rebalance_proofs.model.offsets.orderly_consumer import HeldInOrder, OrderlyConsumer
from rebalance_proofs.model.possible import need
from rebalance_proofs.model.transition.numbers import NO_OFFSET

if TYPE_CHECKING:
    from rebalance_proofs.model.machines.offsets.state import Act, Choices, Offsets

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


def does(action: "Act", member: Member, s: "Offsets", c: "Choices") -> None:
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


def _given(action: "Act", member: Member, s: "Offsets", c: "Choices") -> dict[str, Any]:
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


def _others(consumer: OffsetsConsumer, held: Held, name: str, c: "Choices", message: int) -> bool:
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


def put(member: Member, s: "Offsets", c: "Choices") -> None:
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


def _put_shared(member: Member, s: "Offsets") -> None:
    broker, message = member.broker, member.message
    broker.committed = None if s.committed == NONE else number(s.committed)
    broker.copied = None if s.copied == NONE else number(s.copied)
    broker.end = number(s.end)
    broker.consumed[message] = int(bool(s.consumed)) + int(bool(s.again))
    broker.went_back, broker.owned, broker.taken = bool(s.back), bool(s.owned), bool(s.taken)
    broker.kept = message + 1 if s.kept else 0
    for name in OF_MESSAGES:
        setattr(broker, name, {message} if getattr(s, name) else set())


def _put_in_order(held: HeldInOrder, s: "Offsets", message: int) -> None:
    held.fixed, held.stands = bool(s.fixed), number(s.stands)
    held.owed = {message} if s.owed else set()
    held.remaining = {message} if s.remains else set()
    held.consuming = {message} if s.runs and not held.reset else held.remaining.copy()
    held.tree -= held.consuming


def seen(member: Member) -> dict[str, int]:
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
