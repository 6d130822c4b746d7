"""Log lines of the Go client and their meanings.

The lines have values as keys beside the message, as text or JSON.
"""

import re
from collections.abc import Callable
from functools import partial

from rebalance_proofs.recorded.logs.fact import Fact, Kind
from rebalance_proofs.recorded.logs.lines import client_line
from rebalance_proofs.recorded.logs.reading import Make, Reading, number_in, queues_in

__all__ = ["READINGS"]

GO = "defaultConsumer (Go)"
_line = partial(client_line, GO, releases=())


def _value(text: str, name: str) -> str:
    """Return the value of the key ``name`` in a line, as logrus or a JSON logger writes it."""
    found = re.search(rf'"?\b{name}"?[=:]\s*"?([^\s",}}\]]+)', text)
    return found[1] if found else ""


def _group(text: str) -> str:
    return _value(text, "[cC]onsumerGroup")


def _keyed_result(told: dict[str, str], text: str) -> Fact | None:
    sizes = tuple(number_in(_value(text, name)) for name in ("mqAllSize", "cidAllSize", "rebalanceResultSize"))
    queues = queues_in(text)
    if len(set(queues)) < sizes[2]:
        return None
    group, client = _group(text), _value(text, "clientID")
    return Fact(Kind.RESULT, 0, None, group, client, topic=_value(text, "topic"), numbers=sizes, queues=queues)


def _keyed_group(kind: Kind) -> Make:
    """Return a function that makes the fact of a line about a group, and perhaps a topic."""

    def make(told: dict[str, str], text: str) -> Fact | None:
        group = _group(text)
        return Fact(kind, 0, None, group, topic=_value(text, "topic")) if group else None

    return make


def _keyed_queue(kind: Kind) -> Make:
    """Return a function that makes the fact of a line about one queue."""

    def make(told: dict[str, str], text: str) -> Fact | None:
        group, queues = _group(text), queues_in(text)
        if not group or len(queues) != 1:
            return None
        reason = "not pulled" if "pull was expired" in text else ""
        return Fact(kind, 0, None, group, queue=queues[0], topic=queues[0][0], more=reason)

    return make


def _keyed_commit(told: dict[str, str], text: str) -> Fact | None:
    made, offset = _keyed_queue(Kind.COMMITTED)(told, text), number_in(_value(text, "offset"))
    return made._replace(numbers=(offset, offset)) if made and offset >= 0 else None


def _keyed_lock(told: dict[str, str], text: str) -> Fact | None:
    answer = {"true": Kind.LOCKED, "false": Kind.LOCK_FAILED}.get(_value(text, "lockOK"))
    return _keyed_queue(answer)(told, text) if answer else None


def _of_go(kind: Kind, make: Callable[[Kind], Make], means: str, *texts: str) -> Reading:
    """Return the parser (``Reading``) of one kind of line of the Go client.

    ``means``: meaning of the line; ``texts``: its wordings.
    """
    return Reading(kind, _line(means, *texts), (), make(kind))


READINGS = (
    Reading(
        Kind.RESULT,
        _line("share changed. A rebalance changed this client's table", "MessageQueue do balance done"),
        (),
        _keyed_result,
    ),
    _of_go(
        Kind.DENIED,
        _keyed_queue,
        "lock denied. The broker did not grant the lock of a queue that the client wants to add",
        "do defaultConsumer, add a new mq failed, because lock failed",
    ),
    _of_go(
        Kind.NOT_ADDED,
        _keyed_queue,
        "no start offset. The client found no offset for a new queue, so it did not add the queue",
        "do defaultConsumer, add a new mq failed",
    ),
    _of_go(
        Kind.ADDED,
        _keyed_queue,
        "queue added. This client got the queue (level debug)",
        "do defaultConsumer, add a new mq",
    ),
    _of_go(
        Kind.REMOVED,
        _keyed_queue,
        "queue removed. An entry has left this client's table (level debug up to 2.1.1)",
        "remove unnecessary mq when updateProcessQueueTable",
        "remove unnecessary mq because pull was expired, prepare to fix it",
        "remove unnecessary mq because unsubscribed",
    ),
    Reading(
        Kind.COMMITTED,
        _line("commit. Sent every 5 s for each queue whose offset is known", "update offset to broker success"),
        (),
        _keyed_commit,
    ),
    _of_go(
        Kind.GAVE_LOCK,
        _keyed_queue,
        "unlock sent. The client asked the broker to release a lock",
        "unlock MessageQueue",
    ),
    Reading(
        Kind.LOCK_FAILED,
        _line("lock requested. The client asked for a lock; lockOK is the answer", "lock MessageQueue"),
        (),
        _keyed_lock,
    ),
    _of_go(
        Kind.NOTIFIED,
        _keyed_group,
        "notification received. The broker notified this client of a change of the group",
        "receive broker's notification to consumer group",
    ),
    _of_go(
        Kind.NO_IDS,
        _keyed_group,
        "no member list. The client got no member list (cidAll), so the queues stay as they are",
        "do balance in group failed, get consumer id list failed",
        "get consumer list of group from broker error",
    ),
    _of_go(Kind.BEGAN, _keyed_group, "consumer starting. start() of a consumer begins", "the consumer start beginning"),
)
"""Parsers in the order in which they are tried.

A wording that contains another one comes first.
"""
