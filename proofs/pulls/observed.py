"""The client's own code in the place of what a consumer does with pull requests, on numerals."""

from collections import Counter
from dataclasses import fields
from typing import Any

import z3

from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.pulls.actions import Act, PullsEncoding
from rebalance_proofs.model.pulls.clients import PullsClient
from rebalance_proofs.model.pulls.consumer import QUEUE, PullsConsumer
from rebalance_proofs.model.pulls.state import Consumer, Said, State, Turn
from rebalance_proofs.model.transition.drivers import NOW
from rebalance_proofs.proofs.numerals import number, numeral, value
from rebalance_proofs.proofs.pulls.inductive import ACTIONS
from rebalance_proofs.proofs.pulls.schedule import OPEN
from rebalance_proofs.proofs.pulls.variables import OWN

__all__ = ["act", "observe_pulls"]

Numbers = dict[str, int | bool]
"""By the names of ``model.pulls.state``."""
GHOSTS = ("late", "hit", "wrote", "cut", "kept", "begun", "stale")


def observe_pulls(client: PullsClient) -> PullsEncoding:
    """An encoding whose parts run the client's code; all arguments have to be numerals."""

    def observed(name: str) -> Act:
        return lambda state, said: _turn(client, name, state, said)

    parts: dict[str, Any] = {name: observed(name) for name in ACTIONS}
    return PullsEncoding(step=client.encoding.step, rules=client.rules, **parts)


def _turn(client: PullsClient, name: str, state: State, said: Said) -> Turn:
    chosen = {field.name: value(getattr(said, field.name)) for field in fields(Said)}
    found = act(client, name, {one: value(getattr(state.me, one)) for one in OWN}, chosen, number(state.limit))
    if found is None:
        return Turn(z3.BoolVal(False), state)
    me: dict[str, Any] = {one: numeral(told) for one, told in found.items()}
    return Turn(z3.BoolVal(True), State(Consumer(**me), state.limit))


def act(client: PullsClient, name: str, me: Numbers, said: Numbers, limit: int) -> Numbers | None:
    """What the code makes of a consumer's state; None when it does not do that now."""
    consumer = client.consumer(limit)
    _put(consumer, me)
    told: dict[str, Any] = {one: bool(said[one]) for one in OPEN.get(name, ())}
    if name == "waits":
        told["span"] = int(said["span"])
    try:
        getattr(consumer, name)(**told)
    except Impossible:
        return None
    return _seen(consumer)


def _put(consumer: PullsConsumer, me: Numbers) -> None:
    """Of entries that have left the table there is one."""
    service, gone = consumer.service, ProcessQueue(dropped=not me["unmarked"])
    of = {gone: "old_"}
    consumer.left = [gone]
    if me["present"]:
        entry = ProcessQueue(
            dropped=bool(me["dropped"]), last_pull_timestamp=NOW - int(me["age"]), last_lock_timestamp=NOW
        )
        entry.pull_max_idle_time = consumer.limit
        consumer.driver.table[QUEUE] = entry
        of[entry] = ""
    service.waiting, consumer.pulling, service.tasks = (
        Counter({one: int(me[f"{when}{name}"]) for one, when in of.items()})
        for name in ("waiting", "pulling", "repairing")
    )
    service.ended = bool(me["ended"])
    consumer.suspended = bool(me["suspended"])
    asked = "" if me["asking"] else "old_" if me["old_asking"] else None
    consumer.asking = next((one for one, when in of.items() if when == asked), None)
    consumer.fixed = {one for one, when in of.items() if not when and me["fixed"]}
    for name in GHOSTS:
        setattr(consumer, name, me[name])


def _seen(consumer: PullsConsumer) -> Numbers:
    entry, service = consumer.entry, consumer.service
    counted = {"waiting": service.waiting, "pulling": consumer.pulling, "repairing": service.tasks}
    return {
        "present": entry is not None,
        "dropped": entry is not None and entry.dropped,
        "age": 0 if entry is None else NOW - entry.last_pull_timestamp,
        **{name: 0 if entry is None else of[entry] for name, of in counted.items()},
        **{f"old_{name}": sum(of[one] for one in consumer.left) for name, of in counted.items()},
        "asking": int(entry is not None and consumer.asking is entry),
        "fixed": entry in consumer.fixed,
        "old_asking": int(consumer.asking is not None and consumer.asking is not entry),
        "unmarked": any(not one.dropped for one in consumer.left),
        "ended": service.ended,
        "suspended": consumer.suspended,
        **{name: getattr(consumer, name) for name in GHOSTS},
    }
