"""The client's own code in the place of what an ordered consumer can do, on numerals."""

from dataclasses import fields

import z3

from rebalance_proofs.model.client.process_queue import FREE, ProcessQueue
from rebalance_proofs.model.ordered.actions import Act, OrderedEncoding
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.consumer import QUEUE, OrderedConsumer
from rebalance_proofs.model.ordered.limits import DEFAULTS, Limits
from rebalance_proofs.model.ordered.lock_manager import LockEntry, RebalanceLockManager
from rebalance_proofs.model.ordered.state import NOBODY, Consumer, Lock, Said, State, Turn
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.proofs.numerals import number, numeral, truth, value
from rebalance_proofs.proofs.ordered.inductive import ACTIONS
from rebalance_proofs.proofs.ordered.schedule import told

__all__ = ["act", "observe_ordered"]


def observe_ordered(client: OrderedClient) -> OrderedEncoding:
    """An encoding whose parts run the client's code; all arguments have to be numerals."""

    def observed(name: str) -> Act:
        return lambda state, said, limits: _turn(client, name, state, said, limits)

    acts = {name: observed(name) for name in ACTIONS}
    return OrderedEncoding(
        rules=client.rules, step=client.encoding.step, listed=lambda state: _listed(client, state), **acts
    )


def _turn(client: OrderedClient, name: str, state: State, said: Said, limits: Limits) -> Turn:
    me = _numbers(state.me)
    chosen = {field.name: truth(getattr(said, field.name)) for field in fields(Said)}
    given = Limits(**{field: number(value) for field, value in vars(limits).items()})
    lock = (number(state.lock.holder), number(state.lock.updated))
    found = act(client, name, number(state.now), me, lock, chosen, given)
    if found is None:
        return Turn(z3.BoolVal(False), state)
    after, (holder, updated) = found
    terms = {field: numeral(told) for field, told in after.items()}
    return Turn(z3.BoolVal(True), State(state.now, Consumer(**terms), Lock(z3.IntVal(holder), z3.IntVal(updated))))


def _listed(client: OrderedClient, state: State) -> z3.BoolRef:
    no_limits = Limits(**dict.fromkeys(vars(DEFAULTS), 0))
    consumer = client.consumer(number(state.me.client_id), RebalanceLockManager(0), no_limits)
    _put(consumer, _numbers(state.me), "", {})
    return z3.BoolVal(consumer.listed)


def _numbers(me: Consumer) -> dict[str, int | bool]:
    return {field.name: value(getattr(me, field.name)) for field in fields(Consumer)}


def act(
    client: OrderedClient,
    name: str,
    now: int,
    me: dict[str, int | bool],
    lock: tuple[int, int],
    said: dict[str, bool],
    limits: Limits,
) -> tuple[dict[str, int | bool], tuple[int, int]] | None:
    """What the code makes of a consumer's state, given by the names of ``model.ordered.state``; None when it does not
    do that now. ``lock`` is holder and time of update."""
    broker = RebalanceLockManager(limits.broker)
    broker.entry = None if lock[0] == NOBODY else LockEntry(*lock)
    consumer = client.consumer(int(me["client_id"]), broker, limits)
    consumer.now = now
    _put(consumer, me, name, said)
    try:
        getattr(consumer, name)(**told(name, said))
    except Impossible:
        return None
    after = _seen(consumer, me)
    entry = broker.entry
    if name in ("renews", "locks"):
        owned_from = now if me["lost"] else me["owned_from"]
        after |= {"granted_at": now, "released": False, "owned_from": owned_from, "lost": False}
    if name == "starts":
        after |= {"call_from": me["owned_from"], "call_lost": me["lost"], "call_lost_at": me["lost_at"]}
    if name == "returned" and lock[0] == me["client_id"]:
        after["released"] = True
    if name == "locks" or any(state[one] for state in (me, after) for one in ("present", "adding")):
        after["left"] = now
    return after, (NOBODY, lock[1]) if entry is None else (entry.client_id, entry.last_update_timestamp)


def _put(consumer: OrderedConsumer, me: dict[str, int | bool], name: str, said: dict[str, bool]) -> None:
    """The state; of what there may be several, as many as the action is told that there are."""
    entry = None
    if me["present"]:
        entry = ProcessQueue(
            dropped=bool(me["dropped"]),
            locked=bool(me["locked"]),
            last_pull_timestamp=consumer.now,
            last_lock_timestamp=int(me["stamp"]),
            consume_lock=FREE,
            cached=int(me["cached"]),
        )
        consumer.rebalance.process_queue_table[QUEUE] = entry
    if me["runs"]:
        consumer.listener = ProcessQueue() if me["orphan"] or entry is None else entry
        consumer.message_queue_lock.fetch_lock_object(QUEUE).calls = 1 + int(me["twice"])
    consumer.since = int(me["since"])
    consumer.pulls_from = int(me["pulls_from"])
    consumer.stopping, consumer.waits_since = bool(me["stopping"]), int(me["waits_since"])
    consumer.cut, consumer.yielded = bool(me["cut"]), bool(me["yielded"])
    consumer.grants = [int(me["answered_at"])] if me["answered"] else []
    consumer.adding = int(me["adding_at"]) if me["adding"] else None
    consumer.unlocks = int(me["unlocking"]) * (2 if name == "returned" and said["more"] else 1)
    several = 2 if name == "returns" and said["more"] else 1
    consumer.put_off = [int(me["due"])] * several if me["later"] else []
    consumer.closed = bool(me["closed"])


def _seen(consumer: OrderedConsumer, me: dict[str, int | bool]) -> dict[str, int | bool]:
    """The state afterwards. A time of what is not there is as before."""
    entry, listener = consumer.entry, consumer.listener
    return me | {
        "present": entry is not None,
        "dropped": entry is not None and entry.dropped,
        "locked": entry is not None and entry.locked,
        "stamp": entry.last_lock_timestamp if entry else me["stamp"],
        "pulls_from": consumer.pulls_from,
        "cached": entry is not None and entry.cached > 0,
        "runs": listener is not None,
        "since": consumer.since,
        "orphan": listener is not None and listener is not entry,
        "twice": consumer.message_queue_lock.fetch_lock_object(QUEUE).calls > 1,
        "answered": bool(consumer.grants),
        "answered_at": consumer.grants[-1] if consumer.grants else me["answered_at"],
        "adding": consumer.adding is not None,
        "adding_at": me["adding_at"] if consumer.adding is None else consumer.adding,
        "unlocking": consumer.unlocks > 0,
        "later": bool(consumer.put_off),
        "due": consumer.put_off[-1] if consumer.put_off else me["due"],
        "stopping": consumer.stopping,
        "waits_since": consumer.waits_since,
        "cut": consumer.cut,
        "yielded": consumer.yielded,
        "closed": consumer.closed,
    }
