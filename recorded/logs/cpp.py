"""Log lines of the C++ client and their meanings.

In releases 1 and 2, few lines name the group. The branch re_dev logs the same lines as Java.
"""

import re
from functools import partial

from rebalance_proofs.recorded.logs.fact import FIRST_PULL, Fact, Kind
from rebalance_proofs.recorded.logs.lines import client_line
from rebalance_proofs.recorded.logs.reading import Reading, committed, fact_of, queues_in

__all__ = ["CPP_RESULT", "CPP_SHARE", "READINGS"]

CPP = "Rebalance (C++)"
_line = partial(client_line, CPP, releases=())


CPP_SIZES = re.compile(r"Total Queue ?(?:#:|:#) ?(\d+), Total Consumer ?(?:#:|:#) ?(\d+),?\s+Allocated Queues are:")


def _cpp_result(told: dict[str, str], text: str) -> Fact | None:
    sizes = CPP_SIZES.search(text)
    if not sizes:
        return None
    queues = queues_in(text[sizes.end() :])
    return fact_of(Kind.RESULT, told, numbers=(int(sizes[1]), int(sizes[2]), len(queues)), queues=queues)


CPP_RESULT = _line(
    "share changed. A rebalance changed this client's table. A line for each queue follows",
    "Allocation result for [Consumer Group: {}, Topic: {}, Current Consumer ID: {}] is changed.",
)
CPP_SHARE = client_line(
    "RebalanceImpl (C++, re_dev)",
    "share changed. A rebalance changed this client's table. A line for each queue of its share follows",
    "rebalanced result changed. group={}, topic={}, clientId={}, mqAllSize={}, cidAllSize={}, rebalanceResultSize={}, "
    "rebalanceResultSet:{}",
    releases=(),
)

READINGS = (
    Reading(
        Kind.COMMITTED,
        _line(
            "commit. Every 5 s, a queue and its offset. The line names neither client nor group",
            "oneway updateConsumeOffsetToBroker of mq:{}, its offset is:{}",
        ),
        ("queue", "offset"),
        committed,
    ),
    Reading(
        Kind.NO_IDS,
        _line(
            "no member list. The client got no member list (cidAll), so the queues stay as they are",
            "Get empty consumer IDs. Consumer Group: {}, Topic: {}",
        ),
        ("group", ""),
    ),
    Reading(Kind.RESULT, CPP_RESULT, ("group", "topic", "client"), _cpp_result),
    Reading(
        Kind.ADDED,
        _line("queue added. This client got the queue", "Add mq:{}, request initial offset:{}"),
        ("queue", ""),
    ),
    Reading(
        Kind.ADDED,
        _line(
            "first pull. The client sends the first pull of a new entry", "Start to pull {}, offset:{}, GroupName {}"
        ),
        ("queue", "", "group"),
        more=FIRST_PULL,
    ),
    Reading(
        Kind.REMOVED,
        _line("queue removed. An entry has left this client's table", "Drop mq:{},because not responsive"),
        ("queue",),
    ),
    Reading(
        Kind.REMOVED,
        _line(
            "no pull. An entry that was not pulled has left this client's table", "Drop mq:{} according Pull timeout"
        ),
        ("queue",),
        more="not pulled",
    ),
    Reading(
        Kind.NOT_ADDED,
        _line(
            "no start offset. The client found no offset for a new queue, so it did not add the queue",
            "Failed to add pull request for {} due to failure of querying consume offset",
        ),
        ("queue",),
    ),
    Reading(
        Kind.LOCK_FAILED,
        _line(
            "lock denied. The broker did not grant or renew a lock",
            "the message queue locked Failed, mq:{}",
            "lockBatchMQ fails of mq:{}",
        ),
        ("queue",),
    ),
    Reading(
        Kind.NOTIFIED,
        _line(
            "notification received. The broker notified this client of a change of the group",
            "notifyConsumerIdsChanged, group:{}",
            "notifyConsumerIdsChanged:{}",
        ),
        ("group",),
    ),
)
