"""The client's own code in the place of what its rebalance thread does, on numerals."""

from functools import partial

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.settling.actions import SettlingEncoding
from rebalance_proofs.model.settling.clients import SettlingClient
from rebalance_proofs.model.settling.consumer import SettlingConsumer
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.state import Turn
from rebalance_proofs.proofs.observed_turns import observed
from rebalance_proofs.proofs.settling.inductive import ACTIONS
from rebalance_proofs.proofs.settling.schedule import OPEN, told

__all__ = ["act", "observe_settling"]


def observe_settling(client: SettlingClient) -> SettlingEncoding:
    """An encoding whose parts run the client's code; all arguments have to be numerals."""

    return SettlingEncoding(**{name: observed(Turn, partial(act, client, name)) for name in ACTIONS})


def act(
    client: SettlingClient, name: str, now: int, me: dict[str, int | bool], said: dict[str, bool], limits: Limits
) -> dict[str, int | bool] | None:
    """What the code makes of a thread's state, given by the names of ``model.settling.state``; None when it does not do
    that now."""
    consumer = client.consumer(limits)
    _put(consumer, now, me, several=name == "counts" and said["more"])
    try:
        getattr(consumer, name)(**told({one: said[one] for one in OPEN.get(name, ())}))
    except Impossible:
        return None
    due = int(me["due"])
    longest = client.longest_wait(limits)
    if name == "changes":
        due = now + 2 * limits.loop + longest
    elif name == "fails" and me["fresh"]:
        due += limits.loop + longest
    return _seen(consumer, me) | {"due": due}


def _put(consumer: SettlingConsumer, now: int, me: dict[str, int | bool], *, several: bool) -> None:
    service = consumer.service
    service.at, service.has_notified, service.since = int(me["at"]), bool(me["flag"]), int(me["since"])
    service.wait_point.count = 0 if me["open"] else 1
    service.wakers = int(me["waking"]) * (2 if several else 1)
    service.real_wait_interval, service.last_rebalance_timestamp = int(me["interval"]), int(me["last"])
    consumer.now, consumer.began, consumer.told = now, int(me["began"]), bool(me["told"])
    consumer.changed = int(me["change"]) if me["changed"] else None
    consumer.heard = int(me["heard_at"]) if me["heard"] else None
    consumer.ended = int(me["last"]) if me["ended"] else None
    consumer.fresh, consumer.right = bool(me["fresh"]), bool(me["right"])


def _seen(consumer: SettlingConsumer, me: dict[str, int | bool]) -> dict[str, int | bool]:
    """The state afterwards. A time of what is not there is as before."""
    service = consumer.service
    return {
        "at": service.at,
        "flag": service.has_notified,
        "open": service.wait_point.count == 0,
        "waking": service.wakers > 0,
        "since": service.since,
        "interval": service.real_wait_interval,
        "last": service.last_rebalance_timestamp,
        "ended": consumer.ended is not None,
        "began": consumer.began,
        "changed": consumer.changed is not None,
        "change": me["change"] if consumer.changed is None else consumer.changed,
        "told": consumer.told,
        "heard": consumer.heard is not None,
        "heard_at": me["heard_at"] if consumer.heard is None else consumer.heard,
        "fresh": consumer.fresh,
        "right": consumer.right,
    }
