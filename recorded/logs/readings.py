"""What each wording tells, and the search for it in a line: one table for all versions."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from rebalance_proofs.recorded.logs import lines, more_lines
from rebalance_proofs.recorded.logs.fact import Fact, Kind, Queue
from rebalance_proofs.recorded.logs.lines import HOLE, Line

__all__ = ["FAILED", "READINGS", "Reading", "queues_in", "read", "telling"]

MQ = re.compile(
    r"(?:MessageQueue|MQ) ?\[topic=(.+?)[, ]{1,2}brokerName=(.+?)[, ]{1,2}queueId=(\d{1,9})\]"
    r"|\{ ?\"?brokerName\"?:\"?([^\",]+)\"?, ?\"?queueId\"?:(\d{1,9}), ?\"?topic\"?:\"?([^\",}]+)\"? ?\}"
)
"""A queue, as Java, Go and C++ write it, or as JSON."""


@dataclass(frozen=True)
class Reading:
    """How one line is read."""

    kind: Kind
    line: Line
    fields: tuple[str, ...]
    """Name of each hole: a field of the fact, or "" for what is not used."""
    make: Callable[[dict[str, str], str], Fact | None] | None = None
    """Makes the fact of the fields and the whole text; None where the fields are all. None as its result: cut short."""
    part: str = ""
    """The literal part by which lines are chosen; empty for the longest."""


def queues_in(text: str) -> tuple[Queue, ...]:
    """All queues named in the text, in order."""
    found = []
    for one in MQ.finditer(text):
        topic, broker, number = (one[1], one[2], one[3]) if one[1] else (one[6], one[4], one[5])
        found.append((topic, broker, int(number)))
    return tuple(found)


def _number(text: str) -> int:
    found = re.match(r"\s*(-?\d{1,18})", text)
    return int(found[1]) if found else -1


def _fact(
    kind: Kind,
    told: dict[str, str],
    *,
    more: str | None = None,
    numbers: tuple[int, ...] = (),
    queues: tuple[Queue, ...] = (),
) -> Fact:
    found = queues_in(told["queue"]) if "queue" in told else ()
    queue = found[0] if found else None
    group, client, topic, rest = (told.get(name, "").strip() for name in ("group", "client", "topic", "more"))
    if queue and not topic:
        topic = queue[0]
    said = rest if more is None else more
    return Fact(kind, 0, None, group, client, queue, topic, said, numbers=numbers, queues=queues)


def _result(told: dict[str, str], text: str) -> Fact | None:
    sizes = tuple(_number(told[name]) for name in ("mq_all", "cid_all", "size"))
    found = queues_in(told["set"])
    if len(set(found)) < sizes[2]:
        return None
    return _fact(Kind.RESULT, told, numbers=sizes, queues=found[: sizes[2]])


def _broker_result(told: dict[str, str], text: str) -> Fact:
    return _fact(Kind.RESULT, told, numbers=(-1, -1, -1), queues=queues_in(told["set"]))


def _committed(told: dict[str, str], text: str) -> Fact | None:
    offset = re.match(r"\s*(-?\d{1,18})(?![\w.…]|\s*\.\.)", told["offset"])
    if not offset or not queues_in(told["queue"]):
        return None
    more = "given up" if "[persist] " in text else ""
    return _fact(Kind.COMMITTED, told, more=more, numbers=(int(offset[1]), int(offset[1])))


def _created(told: dict[str, str], text: str) -> Fact:
    interval = re.search(r"persistConsumerOffsetInterval=(\d{1,9})", told["config"])
    return _fact(Kind.CREATED, told, numbers=(int(interval[1]),) if interval else ())


def _route(told: dict[str, str], text: str) -> Fact:
    found = re.findall(r"QueueData ?\[brokerName=(.+?), ?readQueueNums=(\d{1,5})", told["route"])
    every = tuple((told["topic"], broker, number) for broker, many in sorted(found) for number in range(int(many)))
    return _fact(Kind.ROUTE, {"topic": told["topic"]}, queues=every)


def _lock(told: dict[str, str], text: str) -> Fact:
    return _fact(Kind.LOCK_FAILED if told["ok"].startswith("Fail") else Kind.LOCKED, told)


def _not_pulled(told: dict[str, str], text: str) -> Fact:
    """Up to 4.9 the line is the removal; from 5.0 on the entry is marked only."""
    return _fact(Kind.NOT_PULLED if "try remove" in text else Kind.REMOVED, told, more="not pulled")


def _ended(told: dict[str, str], text: str) -> Fact:
    """Before the first call of a run, or of the listener, nothing ran."""
    begun = "run, the message" not in text and "consumeMessage, the message" not in text
    return _fact(Kind.ENDED, told, more="" if begun else "not begun")


def _not_begun(told: dict[str, str], text: str) -> Fact:
    return _fact(Kind.ENDED, told, more="not begun")


def _back(told: dict[str, str], text: str) -> Fact | None:
    topic, _, group = told["key"].rpartition("@")
    queue = (topic, "", _number(told["number"]))
    numbers = (_number(told["asked"]), _number(told["stored"]))
    return Fact(Kind.WENT_BACK, 0, None, group, told["host"].strip(), queue, topic, numbers=numbers)


def _channel(told: dict[str, str], text: str) -> Fact:
    client = re.search(r"clientId=(.+?), language=", told["channel"])
    told["client"] = client[1] if client else ""
    return _fact(Kind.CONNECTED, told)


def _gone(told: dict[str, str], text: str) -> Fact:
    return _channel(told, text)._replace(kind=Kind.GONE)


def _differ(told: dict[str, str], text: str) -> Fact:
    ids = re.findall(r"clientId=(.+?), language=", text)
    group = re.search(r"(?:GROUP: |group=)([^ ,]+)", text)
    return Fact(Kind.IDS_DIFFER, 0, None, group[1] if group else "", ids[0] if ids else "", more="".join(ids[1:2]))


REASON = re.compile(r"CODE: (\d+)\s+DESC: (.*?)(?: BROKER: |$)")
FAILURE = re.compile(r"\b([A-Z]\w*(?:Exception|Error))\b")
FAILED = "failed: "
"""Begins the reason of a pull that was not refused, but failed."""


def _refused(told: dict[str, str], text: str) -> Fact | None:
    found, failure = REASON.search(text), FAILURE.search(text)
    reason = found[2].strip() if found else f"{FAILED}{failure[1]}" if failure else ""
    return _fact(Kind.REFUSED, told, more=reason)


def _refuses(reason: str) -> Callable[[dict[str, str], str], Fact | None]:
    """What a broker refused; its line is the reason."""
    return lambda told, text: _fact(Kind.REFUSES, told, more=reason)


def _keyed(told: dict[str, str], text: str) -> Fact | None:
    """Go's result: keys and values beside the message, in any order, as text or JSON."""

    def value(name: str) -> str:
        found = re.search(rf'"?\b{name}"?[=:]\s*"?([^\s",}}]+)', text)
        return found[1] if found else ""

    sizes = tuple(_number(value(name)) for name in ("mqAllSize", "cidAllSize", "rebalanceResultSize"))
    queues = queues_in(text)
    if len(set(queues)) < sizes[2]:
        return None
    group = value("consumerGroup") or value("ConsumerGroup")
    return Fact(Kind.RESULT, 0, None, group, value("clientID"), topic=value("topic"), numbers=sizes, queues=queues)


def _keyed_queue(kind: Kind) -> Callable[[dict[str, str], str], Fact | None]:
    """Go's line of one queue, with keys and values beside the message."""

    def make(told: dict[str, str], text: str) -> Fact | None:
        group = re.search(r'"?\b[cC]onsumerGroup"?[=:]\s*"?([^\s",}]+)', text)
        queues = queues_in(text)
        if not group or len(queues) != 1:
            return None
        reason = "not pulled" if "pull was expired" in text else ""
        return Fact(kind, 0, None, group[1], queue=queues[0], topic=queues[0][0], more=reason)

    return make


CPP_SIZES = re.compile(r"Total Queue #: (\d+), Total Consumer #: (\d+)\s+Allocated Queues are:")


def _cpp(told: dict[str, str], text: str) -> Fact | None:
    sizes = CPP_SIZES.search(text)
    if not sizes:
        return None
    queues = queues_in(text[sizes.end() :])
    return _fact(Kind.RESULT, told, numbers=(int(sizes[1]), int(sizes[2]), len(queues)), queues=queues)


RESULT = ("more", "group", "topic", "client", "mq_all", "cid_all", "size", "set")
GROUP_MQ = ("group", "queue")
READINGS = (
    Reading(Kind.COMMITTED, more_lines.COMMITS, ("group", "client", "queue", "offset"), _committed),
    Reading(Kind.COMMITTED, more_lines.PERSISTS, ("group", "client", "queue", "offset"), _committed),
    Reading(Kind.COMMITTED, more_lines.CPP_COMMITS, ("queue", "offset"), lambda told, text: None),
    Reading(Kind.RESULT, lines.SHARE_CHANGED, RESULT, _result),
    Reading(Kind.RESULT, more_lines.BROKER_RESULT, ("more", "group", "topic", "client", "set"), _broker_result),
    Reading(Kind.RESULT, more_lines.GO_RESULT, (), _keyed),
    Reading(Kind.DENIED, more_lines.GO_DENIED, (), _keyed_queue(Kind.DENIED)),
    Reading(Kind.NOT_ADDED, more_lines.GO_NOT_ADDED, (), _keyed_queue(Kind.NOT_ADDED)),
    Reading(Kind.ADDED, more_lines.GO_ADDED, (), _keyed_queue(Kind.ADDED)),
    Reading(Kind.REMOVED, more_lines.GO_REMOVED, (), _keyed_queue(Kind.REMOVED)),
    Reading(Kind.RESULT, more_lines.CPP_RESULT, ("group", "topic", "client"), _cpp),
    Reading(Kind.NOT_PULLED, lines.NOT_PULLED, GROUP_MQ, _not_pulled),
    Reading(Kind.ILLEGAL, lines.ILLEGAL, GROUP_MQ),
    Reading(Kind.REMOVED, lines.TRUNCATED, GROUP_MQ),
    Reading(Kind.REMOVED, lines.REMOVED, GROUP_MQ),
    Reading(Kind.DENIED, lines.LOCK_DENIED, GROUP_MQ),
    Reading(Kind.NOT_ADDED, lines.NO_START, GROUP_MQ),
    Reading(Kind.ADDED, lines.ADDED, GROUP_MQ),
    Reading(Kind.LOCK_FAILED, lines.NOT_RENEWED, GROUP_MQ),
    Reading(Kind.LOCK_FAILED, more_lines.LOCK_ANSWERED, ("ok", "group", "queue"), _lock),
    Reading(Kind.GAVE_LOCK, lines.UNLOCKS, ("group", "client", "queue")),
    Reading(Kind.NO_IDS, lines.NO_IDS, ("group", "topic")),
    Reading(Kind.NO_IDS, more_lines.CPP_NO_IDS, ("group", "")),
    Reading(Kind.THREW, lines.STRATEGY_THROWS, ("more", "")),
    Reading(Kind.NOT_LISTED, lines.NOT_LISTED, ("group", "client", "more")),
    Reading(Kind.CREATED, more_lines.CREATED, ("", "client", "config", "more", ""), _created),
    Reading(Kind.BEGAN, more_lines.BEGINS, ("group", "more", "")),
    Reading(Kind.SHUT, more_lines.SHUT_DOWN, ("group",), part="] shutdown OK"),
    Reading(Kind.NOTIFIED, lines.NOTIFIED, ("more", "group")),
    Reading(Kind.ROUTE, more_lines.ROUTE, ("topic", "route"), _route),
    Reading(Kind.REFUSED, lines.PULL_FAILED, ("group", "queue"), _refused),
    Reading(Kind.ENDED, lines.DROPPED, ("queue",), _ended, part="because it's dropped. "),
    Reading(Kind.ENDED, lines.NOT_BEGUN, GROUP_MQ, _not_begun, part="because it's dropped. "),
    Reading(Kind.UNCOUNTED, lines.NOT_COUNTED, ("queue", "")),
    Reading(Kind.PAUSED, lines.PAUSED, ("", "group")),
    Reading(Kind.WENT_BACK, lines.WENT_BACK, ("host", "key", "number", "asked", "stored"), _back),
    Reading(Kind.RESET, lines.RESET, ("topic", "group", "client")),
    Reading(Kind.CONNECTED, lines.CONNECTED, ("group", "", "more", "channel"), _channel),
    Reading(Kind.GONE, more_lines.UNREGISTERED, ("group", "channel"), _gone),
    Reading(Kind.GONE, lines.CLOSED_CHANNEL, ("channel", "group"), _gone),
    Reading(Kind.GONE, lines.EXPIRED_CHANNEL, ("channel", "group"), _gone),
    Reading(Kind.LOCKED_BY_OTHER, lines.LOCKED_BY_OTHER, ("group", "more", "client", "queue")),
    Reading(Kind.LOCK_RAN_OUT, lines.LOCK_RAN_OUT, ("group", "more", "client", "queue")),
    Reading(Kind.GOT_LOCK, more_lines.GOT_LOCK, ("group", "client", "queue")),
    Reading(Kind.LOCK_BACK, lines.UNLOCKED, ("group", "queue", "client")),
    Reading(Kind.SUBSCRIPTION, lines.TOPICS_CHANGED, ("group", "topic", "")),
    Reading(Kind.SUBSCRIPTION, lines.TAGS_CHANGED, ("group", "", "")),
    Reading(Kind.REFUSES, lines.NOT_SUBSCRIBED, ("group", "topic"), _refuses("subscription not exist")),
    Reading(Kind.REFUSES, lines.NO_GROUP, ("group",), _refuses("group info not exist")),
    Reading(Kind.REFUSES, lines.NOT_LATEST, ("group", ""), _refuses("subscription not latest")),
    Reading(Kind.IDS_DIFFER, more_lines.CIDS_DIFFER, (), _differ),
)
"""In the order in which they are tried: what has another's words within it comes first."""

ORDERS = {
    lines.LOCKED_BY_OTHER.wordings[1].text: ("group", "queue", "more", "client"),
    lines.LOCK_RAN_OUT.wordings[1].text: ("group", "queue", "more", "client"),
    lines.UNLOCKED.wordings[1].text: ("group", "client", "queue"),
    lines.TOPICS_CHANGED.wordings[1].text: ("group", ""),
    lines.ILLEGAL.wordings[0].text: None,
    lines.ILLEGAL.wordings[1].text: None,
    lines.ILLEGAL.wordings[2].text: ("group", "queue", ""),
}
"""Wordings whose values stand in another order than the reading says; None for those that are not read."""


Candidate = tuple[int, re.Pattern[str], Reading, tuple[str, ...], str]
"""Place in the order, pattern, reading, the names of the pattern's groups, and the text that it begins with."""


def _compiled() -> dict[bytes, list[Candidate]]:
    """Candidates by the longest literal part of their wordings."""
    by_part: dict[bytes, list[Candidate]] = {}
    for place, reading in enumerate(READINGS):
        for wording in reading.line.wordings:
            fields = ORDERS.get(wording.text, reading.fields)
            if fields is None:
                continue
            parts = wording.text.split(HOLE)
            names = fields[: len(parts) - 1]
            holes = [HOLES.get(name, "(.*?)") for name in names]
            if wording.text.endswith(HOLE) and holes[-1] == "(.*?)":
                holes[-1] = "(.*)"
            body = "".join(re.escape(part) + hole for part, hole in zip(parts, (*holes, ""), strict=True))
            part = (reading.part or max(parts, key=len)).encode()
            # What has no free value there, as OK or Failed, is another line and not a cut one.
            begins = next(one for one in parts if one) if "ok" not in names else wording.text
            by_part.setdefault(part, []).append((place, re.compile(body, re.DOTALL), reading, names, begins))
    return by_part


QUEUE = r"((?:MessageQueue|MQ) ?\[[^\]]*\]|\{[^}]*\})"
HOLES = {"queue": QUEUE, "ok": "(OK|Failed)", "group": r"([^\s,\[\]\"]+)"}
"""What can stand in the place of a value, by its name; anything for all others."""
BY_PART = _compiled()
TELLING = re.compile(b"|".join(re.escape(part) for part in sorted(BY_PART, key=len, reverse=True)))
"""Finds lines that can tell something: the longest literal part of each wording."""


def telling(line: bytes) -> bool:
    """Whether the line has a part of a wording. Few lines have: what all parts have is looked for before."""
    return (
        b"ueue" in line
        or b"roup" in line
        or b"ebalance" in line
        or b"ffset" in line
        or b" mq" in line
        or b"lient" in line
        or b"pull" in line
        or b"messageModel" in line
        or b"shutdown OK" in line
        or b"Topic = " in line
        or b"dropped. " in line
    ) and TELLING.search(line) is not None


LONGEST = 1024 * 1024
"""Bytes of a line that are read; what comes after is cut."""


def read(line: bytes) -> tuple[Fact | None, bool]:
    """The fact in the line; without one, whether the line has a part of a wording, and may have been cut."""
    parts = set(TELLING.findall(line[:LONGEST]))
    if not parts:
        return None, False
    text = line[:LONGEST].decode("utf-8", "replace")
    cut = False
    for _, pattern, reading, fields, begins in sorted(
        (one for part in parts for one in BY_PART[part]), key=lambda one: one[0]
    ):
        found = pattern.search(text)
        if not found:
            cut = cut or begins in text
            continue
        told = dict(zip(fields, found.groups(), strict=False))  # a wording can have fewer values than another
        told.pop("", None)
        fact = reading.make(told, text) if reading.make else _fact(reading.kind, told)
        if fact is not None and ("queue" not in told or fact.queue is not None):
            return fact, False
        cut = True
    return None, cut
