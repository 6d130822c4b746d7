"""The client's own code in the place of what a consumer does with offsets, on numerals."""

from dataclasses import fields, replace
from typing import Any

import z3

from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.offsets.clients import OffsetsClient
from rebalance_proofs.model.offsets.consumer import QUEUE, Call, Commit, Held, OffsetsConsumer
from rebalance_proofs.model.offsets.encoding import Act, OffsetsEncoding, acts
from rebalance_proofs.model.offsets.node_consumer import NodeConsumer, NodeHeld
from rebalance_proofs.model.offsets.orderly_consumer import HeldInOrder, OrderlyConsumer
from rebalance_proofs.model.offsets.state import NONE, Consumer, Queue, Said, State, Turn
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.transition.numbers import NO_OFFSET, WHERES
from rebalance_proofs.proofs.numerals import number, numeral, value
from rebalance_proofs.proofs.offsets.observed_by_loop import other, put_by_loop, put_left, seen_by_loop
from rebalance_proofs.proofs.offsets.run import ABOUT_THE_MESSAGE
from rebalance_proofs.proofs.offsets.schedule import opens, told
from rebalance_proofs.proofs.offsets.variables import OWN, SHARED

__all__ = ["After", "act", "observe_offsets"]

DONE_BY = {"passes": "pulls", "passes_late": "pulls_late"}
"""Actions that are one in the code: whether the message is among what a pull finds."""
PULLING = ("pulls", "passes", "pulls_late", "passes_late")
After = tuple[dict[str, int | bool], dict[str, int | bool]]
"""The consumer, and what is shared, by the names of ``model.offsets.state``."""


def observe_offsets(client: OffsetsClient) -> OffsetsEncoding:
    """An encoding whose parts run the client's code; all arguments have to be numerals."""

    def observed(name: str) -> Act:
        return lambda state, said: _turn(client, name, state, said)

    parts: dict[str, Any] = {name: observed(name) for name in acts(client.encoding)}
    return replace(client.encoding, **parts)


def _turn(client: OffsetsClient, name: str, state: State, said: Said) -> Turn:
    chosen = {field.name: value(getattr(said, field.name)) for field in fields(Said)}
    numbers = {one: value(getattr(state.me, one)) for one in OWN}
    shared = {one: value(getattr(state.queue, one)) for one in SHARED}
    message, where = number(state.message), number(state.where)
    found = act(client, name, numbers, shared, chosen, message, where)
    if found is None:
        return Turn(z3.BoolVal(False), state)
    me, queue = ({one: numeral(told) for one, told in part.items()} for part in found)
    return Turn(z3.BoolVal(True), State(Consumer(**me), Queue(**queue), state.message, state.where))


def act(
    client: OffsetsClient,
    name: str,
    me: dict[str, int | bool],
    shared: dict[str, int | bool],
    said: dict[str, int | bool],
    message: int,
    where: int,
) -> After | None:
    """What the code makes of a consumer's state; None when it does not do that now."""
    broker = Broker(None if shared["committed"] == NONE else int(shared["committed"]), int(shared["end"]))
    broker.consumed[message] = int(shared["consumed"]) + int(shared["again"])
    broker.given = {message} if shared["given"] else set()
    broker.went_back = bool(shared["back"])
    broker.kept = message + 1 if shared["kept"] else 0
    broker.overtime = {message} if shared["overtime"] else set()
    broker.excess = {message} if shared["excess"] else set()
    broker.finished = {message} if shared["finished"] else set()
    broker.copied = None if shared["copied"] == NONE else int(shared["copied"])
    broker.owned = bool(shared["owned"])
    for one in ("awaited", "had", "begun"):
        setattr(broker, one, {message} if shared[one] else set())
    consumer = client.consumer(broker, WHERES[where])
    if not _put(consumer, name, me, said, message):
        return None
    concerned = consumer.concerned
    try:
        does = getattr(consumer, DONE_BY.get(name, name))
        does(**_given(client, name, consumer, said, message, WHERES[where].name == "TIMESTAMP"))
    except Impossible:
        return None
    return _seen(consumer, name, me, said, message), {
        "committed": NONE if broker.committed is None else broker.committed,
        "end": broker.end,
        "consumed": broker.consumed[message] > 0,
        "given": message in broker.given,
        "again": bool(shared["again"]) or broker.consumed[message] > 1,
        "back": broker.went_back,
        "kept": broker.kept > message,
        "taken": consumer.concerned or (bool(shared["taken"]) and not concerned),
        "overtime": message in broker.overtime,
        "excess": message in broker.excess,
        "finished": message in broker.finished,
        "copied": NONE if broker.copied is None else broker.copied,
        "owned": broker.owned,
        "awaited": message in broker.awaited,
        "had": message in broker.had,
        "begun": message in broker.begun,
    }


def _entry(consumer: OffsetsConsumer, name: str) -> Held | None:
    """That which is pulled for."""
    if name.endswith("_late"):
        assert isinstance(consumer, NodeConsumer)
        return consumer.left[0] if consumer.left else None
    return consumer.held


def _given(
    client: OffsetsClient,
    name: str,
    consumer: OffsetsConsumer,
    said: dict[str, int | bool],
    message: int,
    by_time: bool,
) -> Any:
    orderly = isinstance(consumer, OrderlyConsumer)
    given: dict[str, Any] = told({one: bool(said[one]) for one in opens(name, client.way)})
    offset = int(said["offset"])
    if name in ABOUT_THE_MESSAGE:
        given["message"] = message
    if name in ("others", "others_late"):
        given["message"] = offset - 1 if orderly else other(message)
    if name == "overtaken" or (name == "fixes" and said["older"]):
        given["offset" if name == "overtaken" else "older"] = offset
        if offset < 0:
            raise Impossible
    if name == "suspends":
        given = {"offset": 0 if said["zero"] else offset}
    if name in PULLING:
        held = _entry(consumer, name)
        found = name in ("pulls", "pulls_late")
        if held is not None and (held.next <= message < offset) is not found:
            # The broker has the message, and gives it.
            raise Impossible
        given |= {"offset": offset, "found": (message,) if found else ()}
    if name in ("adds", "fixes") and by_time:
        if not 0 <= offset <= consumer.broker.end:
            raise Impossible
        given["offset"] = offset
    return given


def _put(
    consumer: OffsetsConsumer, name: str, me: dict[str, int | bool], said: dict[str, int | bool], message: int
) -> bool:
    """The state, with as many of a kind as the action is told that there are; False where no messages are such that the
    first offset that is left is the one that is told."""
    several = 2 if said["more"] and name in ("ends_late", "records", "commits") else 1
    consumer.uncommitted = {message} if me["uncommitted"] else set()
    if me["memory"] != NO_OFFSET:
        consumer.driver.memory[QUEUE] = int(me["memory"])
    possible = True
    if me["present"]:
        entry = consumer.driver.table[QUEUE] = consumer.entry(dropped=bool(me["dropped"]))
        held = consumer.held = consumer.holds(entry, int(me["began"]), int(me["next"]))
        held.tree = {message} if me["cached"] else set()
        held.reset = bool(me["resetting"])
        consumer.calls += [Call(held, message)] * int(me["runs"])
        if isinstance(held, HeldInOrder):
            possible = _put_in_order(held, name, me, said, message)
        elif isinstance(held, NodeHeld):
            possible = put_by_loop(held, name, me, said, message)
        elif name in ("ends", "others"):
            possible = _with_others(consumer, held, name, said, message)
    gone = consumer.holds(consumer.entry(dropped=True), 0, 0)
    if isinstance(consumer, NodeConsumer) and isinstance(gone, NodeHeld):
        possible &= put_left(consumer, gone, name, me, said, message)
    if isinstance(consumer, OrderlyConsumer) and isinstance(gone, HeldInOrder):
        consumer.noting = int(me["noted"]) if me["noting"] else None
        gone.consuming = {message}
    consumer.calls += [Call(gone, message, bool(me["begun_late"]))] * (several if me["late"] else 0)
    consumer.noted = [int(me["recorded"])] * (several if me["recording"] else 0)
    consumer.answer = int(me["answer"]) if me["asking"] else None
    commit = Commit(int(me["sent"]), int(me["origin"]))
    consumer.commits_under_way = [commit] * (several if me["sending"] else 0)
    consumer.closed = bool(me["closed"])
    consumer.interrupted = bool(me["interrupted"])
    consumer.cut = {message} if me["cut"] else set()
    consumer.last_began = int(me["began"])
    consumer.aim = int(me["aim"]) if me["resetting"] or me["aimed"] else None
    for one in ("rewound", "aimed", "missed", "ignored"):
        setattr(consumer, one, bool(me[one]))
    if me["listed"] or me["unlisted"]:
        consumer.persisting = frozenset([QUEUE] if me["listed"] else [])
    return possible


def _put_in_order(
    held: HeldInOrder, name: str, me: dict[str, int | bool], said: dict[str, int | bool], message: int
) -> bool:
    """The rest of an ordered queue's entry, and the last message of the batch that is told; False where there cannot be
    such a batch."""
    held.fixed, held.stands = bool(me["fixed"]), int(me["stands"])
    held.owed = {message} if me["owed"] else set()
    held.remaining = {message} if me["remains"] else set()
    held.consuming = {message} if me["runs"] and not held.reset else held.remaining.copy()
    held.tree -= held.consuming
    last = int(said["offset"]) - 1
    if name == "ends" and not held.reset:
        held.consuming.add(last)
        return message <= last < held.next
    if name == "others":
        held.tree.add(last)
        # Messages are taken in order: those that are left come behind what was taken.
        return last != message and not (me["remains"] and last < message)
    if name == "others_fail" and message + 1 < held.next:
        held.tree.add(message + 1)
    return True


def _with_others(consumer: OffsetsConsumer, held: Held, name: str, said: dict[str, int | bool], message: int) -> bool:
    """Other messages, so that what is told is the first offset that is left when the listener has returned; False where
    that cannot be."""
    offset, has = int(said["offset"]), message in held.tree
    if name == "ends":
        if said["none"] or held.entry.dropped:
            return not (said["none"] and has)
        # A message that is left, or none, and the last one that was pulled was before it.
        left, possible = not has or offset < message, offset != message and (has or offset < held.next)
    else:
        held.tree.add(other(message))
        consumer.calls.append(Call(held, other(message)))
        left, possible = has, not has or offset <= message
    held.tree |= {offset} if left else set()
    held.last = offset - 1
    return possible and held.began <= offset <= held.next


def _seen(
    consumer: OffsetsConsumer, name: str, me: dict[str, int | bool], said: dict[str, int | bool], message: int
) -> dict[str, int | bool]:
    """The state afterwards. A number of what is not there is as before."""
    held, memory = consumer.held, consumer.memory
    # Where one more has come, the other one may be looked at.
    which = -1 if said["more"] else 0
    noted, under_way = consumer.noted[which:][:1], consumer.commits_under_way[which:][:1]
    calls = [call for call in consumer.calls if call.offset == message]
    after = me | {
        "present": held is not None,
        "dropped": held is not None and held.entry.dropped,
        "cached": held is not None and message in held.tree,
        "runs": any(call.held is held for call in calls),
        "late": any(call.held is not held for call in calls),
        "memory": NO_OFFSET if memory is None else memory,
        "recording": bool(noted),
        "asking": consumer.answer is not None,
        "sending": bool(under_way),
        "closed": consumer.closed,
        "interrupted": consumer.interrupted,
        "cut": message in consumer.cut,
        **{one: getattr(consumer, one) for one in ("resetting", "rewound", "aimed", "missed", "ignored")},
        "aim": me["aim"] if consumer.aim is None else consumer.aim,
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
    if isinstance(consumer, NodeConsumer):
        after |= seen_by_loop(consumer, which, message)
    if isinstance(consumer, OrderlyConsumer):
        after |= _seen_in_order(consumer, name, said, message)
    if name == "asks":
        after["known"] = NONE if consumer.broker.committed is None else consumer.broker.committed
    return after


def _seen_in_order(
    consumer: OrderlyConsumer, name: str, said: dict[str, int | bool], message: int
) -> dict[str, int | bool]:
    held, committed = consumer.held, consumer.broker.committed
    after: dict[str, int | bool] = {
        "fixed": False,
        "owed": False,
        "remains": False,
        "noting": consumer.noting is not None,
    }
    if consumer.noting is not None:
        after["noted"] = consumer.noting
    if isinstance(held, HeldInOrder):
        after |= {"fixed": held.fixed, "stands": held.stands, "owed": message in held.owed}
        after["remains"] = message in held.remaining
        after["cached"] = message in held.tree | held.consuming
        if name == "fixes" and held.fixed and held.next >= 0:
            after["known"] = int(said["offset"]) if said["older"] else NONE if committed is None else committed
    return after
