"""Parsers for all log lines of the Java client and the broker, for all versions."""

import re

from rebalance_proofs.recorded.logs import lines, reading
from rebalance_proofs.recorded.logs.fact import FIRST_PULL, Fact, Kind
from rebalance_proofs.recorded.logs.named import NONE
from rebalance_proofs.recorded.logs.reading import Reading, committed, fact_of, number_in, queues_in


def _result(told: dict[str, str], text: str) -> Fact | None:
    sizes = tuple(number_in(told[name]) for name in ("mq_all", "cid_all", "size"))
    found = queues_in(told["set"])
    if len(set(found)) < sizes[2]:
        return None
    return fact_of(Kind.RESULT, told, numbers=sizes, queues=found[: sizes[2]])


def _broker_result(told: dict[str, str], text: str) -> Fact:
    return fact_of(Kind.RESULT, told, numbers=(-1, -1, -1), queues=queues_in(told["set"]))


def _created(told: dict[str, str], text: str) -> Fact:
    interval = re.search(r"persistConsumerOffsetInterval=(\d{1,9})", told["config"])
    return fact_of(Kind.CREATED, told, numbers=(int(interval[1]),) if interval else ())


def _route(told: dict[str, str], text: str) -> Fact:
    found = re.findall(r"QueueData ?\[brokerName=(.+?), ?readQueueNums=(\d{1,5})", told["route"])
    every = tuple((told["topic"], broker, number) for broker, many in sorted(found) for number in range(int(many)))
    return fact_of(Kind.ROUTE, {"topic": told["topic"]}, queues=every)


def _lock(told: dict[str, str], text: str) -> Fact:
    return fact_of(Kind.LOCK_FAILED if told["ok"].startswith("Fail") else Kind.LOCKED, told)


def _broke(told: dict[str, str], text: str) -> Fact:
    return Fact(Kind.LOCK_BROKE, 0, None, queues=queues_in(text))


def _not_pulled(told: dict[str, str], text: str) -> Fact:
    """Return the fact of a line about an expired pull.

    Up to 4.9 the queue is then removed; from 5.0 on it is only marked as dropped.
    """
    return fact_of(Kind.NOT_PULLED if "try remove" in text else Kind.REMOVED, told, more="not pulled")


def _ended(told: dict[str, str], text: str) -> Fact:
    """Return the fact of a line about a dropped process queue.

    It contains "not begun" if no listener had run before.
    """
    begun = "run, the message" not in text and "consumeMessage, the message" not in text
    return fact_of(Kind.ENDED, told, more="" if begun else "not begun")


def _back(told: dict[str, str], text: str) -> Fact | None:
    topic, _, group = told["key"].rpartition("@")
    queue = (topic, "", number_in(told["number"]))
    numbers = (number_in(told["asked"]), number_in(told["stored"]))
    return Fact(Kind.WENT_BACK, 0, None, group, told["host"].strip(), queue, topic, numbers=numbers)


def _consumed(told: dict[str, str], text: str) -> Fact | None:
    topic, _, group = told["key"].partition("@")
    many = number_in(told["sum"])
    return Fact(Kind.CONSUMES, 0, None, group.strip(), topic=topic.strip(), numbers=(many,)) if many >= 0 else None


def _channel(told: dict[str, str], text: str) -> Fact:
    """Return the fact of a line about a connection; ``more`` is the client's host, the number its port."""
    client = re.search(r"clientId=(.+?), language=", told["channel"])
    host = re.search(r"R:/?([^\]\s]+?):(\d{1,5})\]|^/?([^\s:]+):(\d{1,5})$", told["channel"].strip())
    told["client"] = client[1] if client else ""
    if not host:
        return fact_of(Kind.CONNECTED, told, more="")
    return fact_of(Kind.CONNECTED, told, more=host[1] or host[3], numbers=(int(host[2] or host[4]),))


def _gone(told: dict[str, str], text: str) -> Fact:
    return _channel(told, text)._replace(kind=Kind.GONE)


def _differ(told: dict[str, str], text: str) -> Fact:
    ids = re.findall(r"clientId=(.+?), language=", text)
    group = re.search(r"(?:GROUP: |group=)([^ ,]+)", text)
    return Fact(Kind.IDS_DIFFER, 0, None, group[1] if group else "", ids[0] if ids else "", more="".join(ids[1:2]))


OFFSETS = re.compile(
    r"nextOffset=(-?\d{1,18})\b.*?(?:nextBeginOffset=(-?\d{1,18})\b.*?minOffset=(-?\d{1,18})\b.*?maxOffset=(-?\d{1,18})\b|$)"
)


def _pull_from(told: dict[str, str], text: str) -> Fact:
    """Return the fact of a first pull; its number is the start offset, which it lacks if that is cut off."""
    whole = re.fullmatch(r"-?\d{1,18}", told["next"].strip())
    return fact_of(Kind.ADDED, told, more=FIRST_PULL, numbers=(int(whole[0]),) if whole else ())


def _illegal(told: dict[str, str], text: str) -> Fact:
    """Return the fact of a line about an offset that the broker does not have.

    Its numbers are the requested offset, the proposed one, and the broker's first and last one.
    """
    found = OFFSETS.search(text)
    numbers = tuple(NONE if one is None else int(one) for one in found.groups()) if found else ()
    return fact_of(Kind.REFUSED, told, more="offset illegal", numbers=numbers)


REASON = re.compile(r"CODE: (\d+)\s+DESC: (.*?)(?: BROKER: |$)")
FAILURE = re.compile(r"\b([A-Z]\w*(?:Exception|Error))\b")
FAILED = "failed: "
"""Prefix of a pull's reason if the pull failed in another way than by a broker's refusal."""


ALONE = re.compile(r"CODE: ?(2[4-8])\s+DESC: (.*?)(?: BROKER: |$)")


def refused_alone(text: str) -> Fact | None:
    """Return the fact of an exception's line with a code that only refused pulls have; None for another line."""
    found = ALONE.search(text)
    return Fact(Kind.REFUSED, 0, None, more=found[2].strip(), numbers=(int(found[1]),)) if found else None


def _refused(told: dict[str, str], text: str) -> Fact | None:
    found, failure = REASON.search(text), FAILURE.search(text)
    reason = found[2].strip() if found else f"{FAILED}{failure[1]}" if failure else ""
    if not reason and lines.PULL_FAILED.wordings[1].text.split(",")[0] in text:
        reason = "subscription not latest"
    return fact_of(Kind.REFUSED, told, more=reason, numbers=(int(found[1]),) if found else ())


EXPRESSION = re.compile(r"\btopic=([^,\]]+), subString=(.*?), tagsSet=")


def _topics(told: dict[str, str], text: str) -> Fact:
    """Return the fact of a topic that a heartbeat added or removed."""
    found = EXPRESSION.search(text)
    told.setdefault("topic", found[1] if found else "")
    return fact_of(Kind.SUBSCRIPTION, told, more="removed" if " remove topic " in text else "added")


def _tags(told: dict[str, str], text: str) -> Fact:
    """Return the fact of a subscription that a heartbeat replaced: the old expression and the new one."""
    found = EXPRESSION.findall(text)
    told["topic"] = found[0][0] if found else ""
    return fact_of(Kind.SUBSCRIPTION, told, more=" -> ".join(one for _, one in found[:2]))


RESULT = ("more", "group", "topic", "client", "mq_all", "cid_all", "size", "set")
GROUP_MQ = ("group", "queue")
READINGS = (
    Reading(Kind.COMMITTED, lines.COMMITS, ("group", "client", "queue", "offset"), committed),
    Reading(Kind.COMMITTED, lines.PERSISTS, ("group", "client", "queue", "offset"), committed),
    Reading(Kind.RESULT, lines.SHARE_CHANGED, RESULT, _result),
    Reading(Kind.RESULT, lines.CPP_RE_DEV_SHARE_CHANGED, RESULT[1:], _result),
    Reading(Kind.RESULT, lines.BROKER_RESULT, ("more", "group", "topic", "client", "set"), _broker_result),
    *reading.GO,
    *reading.CPP,
    *reading.NODE,
    Reading(Kind.NOT_PULLED, lines.NOT_PULLED, GROUP_MQ, _not_pulled),
    Reading(Kind.ILLEGAL, lines.ILLEGAL, GROUP_MQ),
    Reading(Kind.REMOVED, lines.TRUNCATED, GROUP_MQ),
    Reading(Kind.REMOVED, lines.REMOVED, GROUP_MQ),
    Reading(Kind.DENIED, lines.LOCK_DENIED, GROUP_MQ),
    Reading(Kind.NOT_ADDED, lines.NO_START, GROUP_MQ),
    Reading(Kind.ADDED, lines.ADDED, GROUP_MQ),
    Reading(Kind.ADDED, lines.PULL_FROM, ("group", "", "queue", "next"), _pull_from),
    Reading(Kind.LOCK_FAILED, lines.NOT_RENEWED, GROUP_MQ),
    Reading(Kind.LOCK_BROKE, lines.LOCKS_FAILED, (), _broke),
    Reading(Kind.LOCK_FAILED, lines.LOCK_ANSWERED, ("ok", "group", "queue"), _lock),
    Reading(Kind.LOCKED, lines.LOCKS_RENEWED, GROUP_MQ, more="held"),
    Reading(Kind.GAVE_LOCK, lines.UNLOCKS, ("group", "client", "queue")),
    Reading(Kind.NO_IDS, lines.NO_IDS, ("group", "topic")),
    Reading(Kind.THREW, lines.STRATEGY_THROWS, ("more", "")),
    Reading(Kind.BROKE, lines.BROKE_OFF, ("",)),
    Reading(Kind.NOT_LISTED, lines.NOT_LISTED, ("group", "client", "more")),
    Reading(Kind.CREATED, lines.CREATED, ("", "client", "config", "more", ""), _created),
    Reading(Kind.BEGAN, lines.BEGINS, ("group", "more", "")),
    Reading(Kind.SHUT, lines.SHUT_DOWN, ("group",), part="] shutdown OK"),
    Reading(Kind.NOTIFIED, lines.NOTIFIED, ("more", "group")),
    Reading(Kind.ROUTE, lines.ROUTE, ("topic", "route"), _route),
    Reading(Kind.REFUSED, lines.PULL_FAILED, ("group", "queue"), _refused),
    Reading(Kind.REFUSED, lines.OFFSET_ILLEGAL, GROUP_MQ, _illegal),
    Reading(Kind.ENDED, lines.DROPPED, ("queue",), _ended, part="because it's dropped. "),
    Reading(Kind.ENDED, lines.NOT_BEGUN, GROUP_MQ, part="because it's dropped. ", more="not begun"),
    Reading(Kind.UNCOUNTED, lines.NOT_COUNTED, ("queue", "")),
    Reading(Kind.PAUSED, lines.PAUSED, ("", "group")),
    Reading(Kind.CONSUMES, lines.CONSUMED, ("key", "sum", "", ""), _consumed, part="Stats In One Minute, SUM: "),
    Reading(Kind.WENT_BACK, lines.WENT_BACK, ("host", "key", "number", "asked", "stored"), _back),
    Reading(Kind.RESET, lines.RESET, ("topic", "group", "client")),
    Reading(Kind.RESET, lines.RESETS, ("more", "topic", "group", "")),
    Reading(Kind.CONNECTED, lines.CONNECTED, ("group", "", "more", "channel"), _channel),
    Reading(Kind.GONE, lines.UNREGISTERED, ("group", "channel"), _gone),
    Reading(Kind.GONE, lines.CLOSED_CHANNEL, ("channel", "group"), _gone),
    Reading(Kind.GONE, lines.EXPIRED_CHANNEL, ("channel", "group"), _gone),
    Reading(Kind.LOCKED_BY_OTHER, lines.LOCKED_BY_OTHER, ("group", "more", "client", "queue")),
    Reading(Kind.LOCK_RAN_OUT, lines.LOCK_RAN_OUT, ("group", "more", "client", "queue")),
    Reading(Kind.GOT_LOCK, lines.GOT_LOCK, ("group", "client", "queue")),
    Reading(Kind.LOCK_BACK, lines.UNLOCKED, ("group", "queue", "client")),
    Reading(Kind.SUBSCRIPTION, lines.TOPICS_CHANGED, ("group", "topic", ""), _topics),
    Reading(Kind.SUBSCRIPTION, lines.TAGS_CHANGED, ("group", "", ""), _tags),
    Reading(Kind.REFUSES, lines.NOT_SUBSCRIBED, ("group", "topic"), more="subscription not exist"),
    Reading(Kind.REFUSES, lines.NO_GROUP, ("group",), more="group info not exist"),
    Reading(Kind.REFUSES, lines.NOT_LATEST, ("group", ""), more="subscription not latest"),
    Reading(Kind.IDS_DIFFER, lines.CIDS_DIFFER, (), _differ),
)
"""Parsers in the order in which they are tried.

A wording that contains another one comes first.
"""

ORDERS = {
    lines.LOCKS_RENEWED.wordings[1].text: ("queue",),
    lines.LOCKS_RENEWED.wordings[2].text: ("queue",),
    lines.LOCKED_BY_OTHER.wordings[1].text: ("group", "queue", "more", "client"),
    lines.LOCK_RAN_OUT.wordings[1].text: ("group", "queue", "more", "client"),
    lines.UNLOCKED.wordings[1].text: ("group", "client", "queue"),
    lines.TOPICS_CHANGED.wordings[1].text: ("group", ""),
    **{one.text: None for one in lines.OFFSET_FORGOTTEN.wordings if "go" not in one.clients},
    lines.ILLEGAL.wordings[0].text: None,
    lines.ILLEGAL.wordings[1].text: None,
    lines.ILLEGAL.wordings[2].text: ("group", "queue", ""),
}
"""Wording -> names of its values, if their order differs from the parser's.

None marks wordings that are not parsed.
"""
