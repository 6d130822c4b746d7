"""Parsers for log lines of the Go client.

The lines have values as keys beside the message, as text or JSON.
"""

import re

from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.recorded.logs.fact import Fact, Kind
from rebalance_proofs.recorded.logs.reading import Make, Reading, number_in, queues_in

WHY = re.compile(r'underlayError\\?"?[=:] ?\\?"?([^"\\]+)')


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
        why = WHY.search(text)
        return Fact(kind, 0, None, group, topic=_value(text, "topic"), more=why[1] if why else "") if group else None

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


READINGS = (
    Reading(Kind.RESULT, lines.GO_SHARE_CHANGED, (), _keyed_result),
    Reading(Kind.DENIED, lines.GO_LOCK_DENIED, (), _keyed_queue(Kind.DENIED)),
    Reading(Kind.NOT_ADDED, lines.GO_NO_START, (), _keyed_queue(Kind.NOT_ADDED)),
    Reading(Kind.ADDED, lines.GO_ADDED, (), _keyed_queue(Kind.ADDED)),
    Reading(Kind.REMOVED, lines.GO_REMOVED, (), _keyed_queue(Kind.REMOVED)),
    Reading(Kind.COMMITTED, lines.GO_COMMITS, (), _keyed_commit),
    Reading(Kind.FORGOT, lines.OFFSET_FORGOTTEN, (), _keyed_queue(Kind.FORGOT)),
    Reading(Kind.GAVE_LOCK, lines.GO_UNLOCKS, (), _keyed_queue(Kind.GAVE_LOCK)),
    Reading(Kind.LOCK_FAILED, lines.GO_LOCK_ANSWERED, (), _keyed_lock),
    Reading(Kind.NOTIFIED, lines.GO_NOTIFIED, (), _keyed_group(Kind.NOTIFIED)),
    Reading(Kind.NO_IDS, lines.GO_NO_IDS, (), _keyed_group(Kind.NO_IDS)),
    Reading(Kind.BEGAN, lines.GO_BEGINS, (), _keyed_group(Kind.BEGAN)),
)
"""Parsers in the order in which they are tried.

A wording that contains another one comes first.
"""
