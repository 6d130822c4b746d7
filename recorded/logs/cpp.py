"""Parsers for log lines of the C++ client.

In releases 1 and 2, few lines name the group. The branch re_dev logs the same lines as Java.
"""

import re

from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.recorded.logs.fact import FIRST_PULL, Fact, Kind
from rebalance_proofs.recorded.logs.reading import Reading, committed, fact_of, queues_in

CPP_SIZES = re.compile(r"Total Queue ?(?:#:|:#) ?(\d+), Total Consumer ?(?:#:|:#) ?(\d+),?\s+Allocated Queues are:")


def _cpp_result(told: dict[str, str], text: str) -> Fact | None:
    sizes = CPP_SIZES.search(text)
    if not sizes:
        return None
    queues = queues_in(text[sizes.end() :])
    return fact_of(Kind.RESULT, told, numbers=(int(sizes[1]), int(sizes[2]), len(queues)), queues=queues)


READINGS = (
    Reading(Kind.COMMITTED, lines.CPP_COMMITS, ("queue", "offset"), committed),
    Reading(Kind.NO_IDS, lines.CPP_NO_IDS, ("group", "")),
    Reading(Kind.RESULT, lines.CPP_SHARE_CHANGED, ("group", "topic", "client"), _cpp_result),
    Reading(Kind.ADDED, lines.CPP_ADDED, ("queue", "")),
    Reading(Kind.ADDED, lines.CPP_PULL_FROM, ("queue", "", "group"), more=FIRST_PULL),
    Reading(Kind.REMOVED, lines.CPP_REMOVED, ("queue",)),
    Reading(Kind.REMOVED, lines.CPP_NOT_PULLED, ("queue",), more="not pulled"),
    Reading(Kind.NOT_ADDED, lines.CPP_NO_START, ("queue",)),
    Reading(Kind.LOCK_FAILED, lines.CPP_LOCK_DENIED, ("queue",)),
    Reading(Kind.NOTIFIED, lines.CPP_NOTIFIED, ("group",)),
)
