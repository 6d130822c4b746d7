"""Log lines of the client in C++, with what each tells: the releases 1 and 2 name the group in few of them, the branch
re_dev logs as Java does."""

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
    "a rebalance changed this client's table; a line for each queue follows",
    "Allocation result for [Consumer Group: {}, Topic: {}, Current Consumer ID: {}] is changed.",
)
CPP_SHARE = client_line(
    "RebalanceImpl (C++, re_dev)",
    "a rebalance changed this client's table; a line for each queue of its share follows",
    "rebalanced result changed. group={}, topic={}, clientId={}, mqAllSize={}, cidAllSize={}, rebalanceResultSize={}, "
    "rebalanceResultSet:{}",
    releases=(),
)

READINGS = (
    Reading(
        Kind.COMMITTED,
        _line(
            "every 5 s: a queue and its offset; it does not say of which client and group",
            "oneway updateConsumeOffsetToBroker of mq:{}, its offset is:{}",
        ),
        ("queue", "offset"),
        committed,
    ),
    Reading(
        Kind.NO_IDS,
        _line(
            "the client had no cidAll: the queues stay as they are",
            "Get empty consumer IDs. Consumer Group: {}, Topic: {}",
        ),
        ("group", ""),
    ),
    Reading(Kind.RESULT, CPP_RESULT, ("group", "topic", "client"), _cpp_result),
    Reading(
        Kind.ADDED,
        _line("a queue was given to this client", "Add mq:{}, request initial offset:{}"),
        ("queue", ""),
    ),
    Reading(
        Kind.ADDED,
        _line("the first pull of a new entry", "Start to pull {}, offset:{}, GroupName {}"),
        ("queue", "", "group"),
        more=FIRST_PULL,
    ),
    Reading(
        Kind.REMOVED,
        _line("an entry has left this client's table", "Drop mq:{},because not responsive"),
        ("queue",),
    ),
    Reading(
        Kind.REMOVED,
        _line("an entry from which nothing was pulled has left the table", "Drop mq:{} according Pull timeout"),
        ("queue",),
        more="not pulled",
    ),
    Reading(
        Kind.NOT_ADDED,
        _line(
            "a queue was not added: it has no start offset",
            "Failed to add pull request for {} due to failure of querying consume offset",
        ),
        ("queue",),
    ),
    Reading(
        Kind.LOCK_FAILED,
        _line(
            "the broker did not give or renew a lock",
            "the message queue locked Failed, mq:{}",
            "lockBatchMQ fails of mq:{}",
        ),
        ("queue",),
    ),
    Reading(
        Kind.NOTIFIED,
        _line(
            "the broker told this client that a group has changed",
            "notifyConsumerIdsChanged, group:{}",
            "notifyConsumerIdsChanged:{}",
        ),
        ("group",),
    ),
)
