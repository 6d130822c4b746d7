"""Log lines of the clients in Go, C++ and JavaScript, with what each tells.

Go's (rlog) has values as keys beside the message, as text or JSON, in any order. C++'s has two families: the releases 1
and 2 name the group in few lines, the branch re_dev logs as Java does. JavaScript's is ali-ons.
"""

import re
from collections.abc import Callable

from rebalance_proofs.recorded.logs.fact import FIRST_PULL, REMOVES_SILENTLY, Fact, Kind
from rebalance_proofs.recorded.logs.lines import Line, Logs, Wording
from rebalance_proofs.recorded.logs.reading import Make, Reading, committed, fact_of, number_in, queues_in

__all__ = ["CPP_RESULT", "CPP_SHARE", "READINGS"]


def _line(where: str, means: str, *texts: str) -> Line:
    return Line(Logs.CLIENT, means, tuple(Wording(text, where, ()) for text in texts))


def _value(text: str, name: str) -> str:
    """The value of a key, as logrus and JSON write it."""
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
    """A line on a group, and perhaps a topic of it."""

    def make(told: dict[str, str], text: str) -> Fact | None:
        group = _group(text)
        return Fact(kind, 0, None, group, topic=_value(text, "topic")) if group else None

    return make


def _keyed_queue(kind: Kind) -> Make:
    """A line on one queue."""

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


CPP_SIZES = re.compile(r"Total Queue ?(?:#:|:#) ?(\d+), Total Consumer ?(?:#:|:#) ?(\d+),?\s+Allocated Queues are:")


def _cpp_result(told: dict[str, str], text: str) -> Fact | None:
    sizes = CPP_SIZES.search(text)
    if not sizes:
        return None
    queues = queues_in(text[sizes.end() :])
    return fact_of(Kind.RESULT, told, numbers=(int(sizes[1]), int(sizes[2]), len(queues)), queues=queues)


def _more(kind: Kind, more: str) -> Make:
    return lambda told, text: fact_of(kind, told, more=more)


def _node_result(told: dict[str, str], text: str) -> Fact:
    """Logged at each rebalance, with what was allocated alone."""
    queues = queues_in(told["set"])
    told["topic"] = queues[0][0] if queues else ""
    return fact_of(Kind.RESULT, told, numbers=(-1, -1, len(queues)), queues=queues)


GO, CPP, NODE = "defaultConsumer (Go)", "Rebalance (C++)", "MQPushConsumer (JavaScript)"
CPP_RESULT = _line(
    CPP,
    "a rebalance changed this client's table; a line for each queue follows",
    "Allocation result for [Consumer Group: {}, Topic: {}, Current Consumer ID: {}] is changed.",
)
CPP_SHARE = _line(
    "RebalanceImpl (C++, re_dev)",
    "a rebalance changed this client's table; a line for each queue of its share follows",
    "rebalanced result changed. group={}, topic={}, clientId={}, mqAllSize={}, cidAllSize={}, rebalanceResultSize={}, "
    "rebalanceResultSet:{}",
)


def _of_go(kind: Kind, make: Callable[[Kind], Make], means: str, *texts: str) -> Reading:
    """A line of Go's, whose values are keys beside it."""
    return Reading(kind, _line(GO, means, *texts), (), make(kind))


READINGS = (
    Reading(
        Kind.RESULT,
        _line(GO, "a rebalance changed this client's table", "MessageQueue do balance done"),
        (),
        _keyed_result,
    ),
    _of_go(
        Kind.DENIED,
        _keyed_queue,
        "the broker did not grant the lock of a queue that is to be added",
        "do defaultConsumer, add a new mq failed, because lock failed",
    ),
    _of_go(
        Kind.NOT_ADDED,
        _keyed_queue,
        "a queue was not added: it has no start offset",
        "do defaultConsumer, add a new mq failed",
    ),
    _of_go(
        Kind.ADDED,
        _keyed_queue,
        "a queue was given to this client; logged at level debug",
        "do defaultConsumer, add a new mq",
    ),
    _of_go(
        Kind.REMOVED,
        _keyed_queue,
        "an entry has left this client's table; logged at level debug up to 2.1.1",
        "remove unnecessary mq when updateProcessQueueTable",
        "remove unnecessary mq because pull was expired, prepare to fix it",
        "remove unnecessary mq because unsubscribed",
    ),
    Reading(
        Kind.COMMITTED,
        _line(GO, "every 5 s, of each queue whose offset is known: it was sent", "update offset to broker success"),
        (),
        _keyed_commit,
    ),
    _of_go(Kind.GAVE_LOCK, _keyed_queue, "this client asked the broker to take a lock back", "unlock MessageQueue"),
    Reading(
        Kind.LOCK_FAILED,
        _line(GO, "this client asked for a lock; lockOK is the answer", "lock MessageQueue"),
        (),
        _keyed_lock,
    ),
    _of_go(
        Kind.NOTIFIED,
        _keyed_group,
        "the broker told this client that a group has changed",
        "receive broker's notification to consumer group",
    ),
    _of_go(
        Kind.NO_IDS,
        _keyed_group,
        "the client had no cidAll: the queues stay as they are",
        "do balance in group failed, get consumer id list failed",
        "get consumer list of group from broker error",
    ),
    _of_go(Kind.BEGAN, _keyed_group, "start() of a consumer begins", "the consumer start beginning"),
    Reading(
        Kind.COMMITTED,
        _line(
            CPP,
            "every 5 s: a queue and its offset; it does not say of which client and group",
            "oneway updateConsumeOffsetToBroker of mq:{}, its offset is:{}",
        ),
        ("queue", "offset"),
        committed,
    ),
    Reading(
        Kind.NO_IDS,
        _line(
            CPP,
            "the client had no cidAll: the queues stay as they are",
            "Get empty consumer IDs. Consumer Group: {}, Topic: {}",
        ),
        ("group", ""),
    ),
    Reading(Kind.RESULT, CPP_RESULT, ("group", "topic", "client"), _cpp_result),
    Reading(
        Kind.ADDED,
        _line(CPP, "a queue was given to this client", "Add mq:{}, request initial offset:{}"),
        ("queue", ""),
    ),
    Reading(
        Kind.ADDED,
        _line(CPP, "the first pull of a new entry", "Start to pull {}, offset:{}, GroupName {}"),
        ("queue", "", "group"),
        _more(Kind.ADDED, FIRST_PULL),
    ),
    Reading(
        Kind.REMOVED,
        _line(CPP, "an entry has left this client's table", "Drop mq:{},because not responsive"),
        ("queue",),
    ),
    Reading(
        Kind.REMOVED,
        _line(CPP, "an entry from which nothing was pulled has left the table", "Drop mq:{} according Pull timeout"),
        ("queue",),
        _more(Kind.REMOVED, "not pulled"),
    ),
    Reading(
        Kind.NOT_ADDED,
        _line(
            CPP,
            "a queue was not added: it has no start offset",
            "Failed to add pull request for {} due to failure of querying consume offset",
        ),
        ("queue",),
    ),
    Reading(
        Kind.LOCK_FAILED,
        _line(
            CPP,
            "the broker did not give or renew a lock",
            "the message queue locked Failed, mq:{}",
            "lockBatchMQ fails of mq:{}",
        ),
        ("queue",),
    ),
    Reading(
        Kind.NOTIFIED,
        _line(
            CPP,
            "the broker told this client that a group has changed",
            "notifyConsumerIdsChanged, group:{}",
            "notifyConsumerIdsChanged:{}",
        ),
        ("group",),
    ),
    Reading(
        Kind.RESULT,
        _line(
            NODE,
            "a rebalance, whether it changed something or not",
            "[mq:consumer] allocate queue for group: {}, clientId: {}, result: {}",
        ),
        ("group", "client", "set"),
        _node_result,
    ),
    Reading(
        Kind.ADDED,
        _line(
            NODE, "a queue was given to this client", "doRebalance, {}, add a new messageQueue, {}, its nextOffset: {}"
        ),
        ("group", "queue", ""),
        _more(Kind.ADDED, REMOVES_SILENTLY),
    ),
    Reading(
        Kind.REMOVED,
        _line(
            NODE,
            "an entry from which nothing was pulled has left the table",
            "BUG doRebalance, {}, remove unnecessary mq={}, because pull is pause",
        ),
        ("group", "queue"),
        _more(Kind.REMOVED, "not pulled"),
    ),
)
"""Go's, C++'s, and JavaScript's; what has another's words within it comes first."""
