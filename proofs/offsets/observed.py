"""The client's own code in the place of what a consumer does with offsets, on numerals."""

from dataclasses import fields
from typing import Any

import z3

from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.model.offsets.actions import Act, OffsetsEncoding
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.offsets.clients import OffsetsClient
from rebalance_proofs.model.offsets.consumer import QUEUE, Call, Commit, Held, OffsetsConsumer
from rebalance_proofs.model.offsets.state import NONE, Consumer, Queue, Said, State, Turn
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.transition.numbers import NO_OFFSET, WHERES
from rebalance_proofs.proofs.numerals import number, numeral, value
from rebalance_proofs.proofs.offsets.inductive import ACTIONS
from rebalance_proofs.proofs.offsets.run import ABOUT_THE_MESSAGE
from rebalance_proofs.proofs.offsets.schedule import OPEN, told
from rebalance_proofs.proofs.offsets.variables import OWN, SHARED

__all__ = ["After", "act", "observe_offsets"]

DONE_BY = {"passes": "pulls"}
"""Actions that are one in the code: whether the message is among what a pull finds."""
After = tuple[dict[str, int | bool], dict[str, int | bool]]
"""The consumer, and what is shared, by the names of ``model.offsets.state``."""


def observe_offsets(client: OffsetsClient) -> OffsetsEncoding:
    """An encoding whose parts run the client's code; all arguments have to be numerals."""

    def observed(name: str) -> Act:
        return lambda state, said: _turn(client, name, state, said)

    return OffsetsEncoding(step=client.encoding.step, **{name: observed(name) for name in ACTIONS})


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
    consumer = client.consumer(broker, WHERES[where])
    if not _put(consumer, name, me, said, message):
        return None
    try:
        does = getattr(consumer, DONE_BY.get(name, name))
        does(**_given(name, consumer, said, message, WHERES[where].name == "TIMESTAMP"))
    except Impossible:
        return None
    return _seen(consumer, name, me, said, message), {
        "committed": NONE if broker.committed is None else broker.committed,
        "end": broker.end,
        "consumed": broker.consumed[message] > 0,
        "given": message in broker.given,
        "again": bool(shared["again"]) or broker.consumed[message] > 1,
        "back": broker.went_back,
    }


def _given(name: str, consumer: OffsetsConsumer, said: dict[str, int | bool], message: int, by_time: bool) -> Any:
    given: dict[str, Any] = told({one: bool(said[one]) for one in OPEN.get(name, ())})
    offset = int(said["offset"])
    if name in ABOUT_THE_MESSAGE:
        given["message"] = message
    if name == "others":
        given["message"] = _other(message)
    if name in ("pulls", "passes"):
        held = consumer.held
        if held is not None and (held.next <= message < offset) is not (name == "pulls"):
            # The broker has the message, and gives it.
            raise Impossible
        given |= {"offset": offset, "found": (message,) if name == "pulls" else ()}
    if name == "adds" and by_time:
        if not 0 <= offset <= consumer.broker.end:
            raise Impossible
        given["offset"] = offset
    return given


def _other(message: int) -> int:
    """A message that is not in the way: of no offset that is told."""
    return -1 - message


def _put(
    consumer: OffsetsConsumer, name: str, me: dict[str, int | bool], said: dict[str, int | bool], message: int
) -> bool:
    """The state, with as many of a kind as the action is told that there are; False where no messages are such that the
    first offset that is left is the one that is told."""
    several = 2 if said["more"] and name in ("ends_late", "records", "commits") else 1
    if me["memory"] != NO_OFFSET:
        consumer.driver.memory[QUEUE] = int(me["memory"])
    possible = True
    if me["present"]:
        entry = consumer.driver.table[QUEUE] = ProcessQueue(dropped=bool(me["dropped"]))
        held = consumer.held = Held(entry, int(me["began"]), int(me["next"]))
        held.tree = {message} if me["cached"] else set()
        consumer.calls += [Call(held, message)] * int(me["runs"])
        if name in ("ends", "others"):
            possible = _with_others(consumer, held, name, said, message)
    gone = Held(ProcessQueue(dropped=True), 0, 0)
    consumer.calls += [Call(gone, message)] * (several if me["late"] else 0)
    consumer.noted = [int(me["recorded"])] * (several if me["recording"] else 0)
    consumer.answer = int(me["answer"]) if me["asking"] else None
    commit = Commit(int(me["sent"]), int(me["origin"]))
    consumer.commits_under_way = [commit] * (several if me["sending"] else 0)
    consumer.closed = bool(me["closed"])
    return possible


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
        held.tree.add(_other(message))
        consumer.calls.append(Call(held, _other(message)))
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
    }
    if held is not None:
        after |= {"began": held.began, "next": held.next}
    if noted:
        after["recorded"] = noted[0]
    if under_way:
        after |= {"sent": under_way[0].offset, "origin": under_way[0].origin}
    if consumer.answer is not None:
        after["answer"] = consumer.answer
    if name == "asks":
        after["known"] = NONE if consumer.broker.committed is None else consumer.broker.committed
    return after
