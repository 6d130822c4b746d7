"""Read a group's progress and connections from the dashboard's JSON.

Source: rocketmq-dashboard's ConsumerController: queryTopicByConsumer, consumerConnection and groupList. Its JSON can be
pasted in part, and fastjson's can have objects as keys.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rebalance_proofs.report.symptoms.mqadmin.members import Member, NotReadable, Status, running_info, status
from rebalance_proofs.report.symptoms.mqadmin.progress import UNNAMED, QueueProgress, queue_row

KEYS = ('"brokerOffset"', '"connectionSet"', '"mqTable"', '"consumeTps"')
"""Keys of the JSON that is read."""
ROW = re.compile(r'\{[^{}]*"brokerOffset"[^{}]*\}')
TOPIC = re.compile(r'"topic"\s*:\s*"([^"]*)"')
MOST = 200
"""Most places at which JSON is looked for."""


@dataclass
class Json:
    """What a JSON text shows about groups."""

    rows: list[QueueProgress] = field(default_factory=list)
    lists: list[Status] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    groups: list[tuple[str, int]] = field(default_factory=list)
    """(group, lag) of each group in a list of groups."""

    @property
    def something(self) -> bool:
        """True if the text shows anything about a group."""
        return bool(self.rows or self.lists or self.members or self.groups)


def from_json(text: str) -> Json:
    """Return what the JSON in a text shows; empty if the text has no JSON of the dashboard."""
    found = Json()
    if not any(key in text for key in KEYS):
        return found
    if '"mqTable"' in text:
        try:
            found.members.append(running_info(text))
        except NotReadable:
            pass
        else:
            return found
    for value in _values(text):
        _walk(value, "", found)
    if not found.something or any(not row.queue[0] for row in found.rows):
        found.rows.clear()
        _rows_of(text, found)
    return found


def _values(text: str) -> Iterator[Any]:
    decoder, at = json.JSONDecoder(), 0
    for _ in range(MOST):
        begins = re.compile(r"[{\[]").search(text, at)
        if not begins:
            return
        try:
            value, at = decoder.raw_decode(text, begins.start())
        except (ValueError, RecursionError):
            at = begins.end()
        else:
            yield value


def _walk(value: Any, topic: str, found: Json) -> None:
    if isinstance(value, list):
        for one in value:
            _walk(one, topic, found)
    elif isinstance(value, dict):
        topic = value["topic"] if isinstance(value.get("topic"), str) else topic
        name = value.get("group") or value.get("consumerGroup")
        if "brokerOffset" in value and "consumerOffset" in value:
            _row(value, topic, found)
        elif isinstance(value.get("connectionSet"), list):
            _connections(value, found)
        elif isinstance(name, str) and ("consumeTps" in value or "diffTotal" in value):
            found.groups.append((name, int(behind) if isinstance(behind := value.get("diffTotal"), int) else 0))
        else:
            for one in value.values():
                _walk(one, topic, found)


def _row(value: Mapping[str, Any], topic: str, found: Json) -> None:
    cells = {
        "topic": topic,
        "broker": str(value.get("brokerName", "")),
        "qid": str(value.get("queueId", "")),
        "broker_offset": str(value["brokerOffset"]),
        "consumer_offset": str(value["consumerOffset"]),
        "client": str(value.get("clientInfo") or ""),
        "last": str(value.get("lastTimestamp") or ""),
    }
    if all(re.fullmatch(r"-?\d{1,18}", cells[name]) for name in ("qid", "broker_offset", "consumer_offset")):
        if "clientInfo" not in value:
            del cells["client"]
        found.rows.append(queue_row(cells))


def _connections(value: Mapping[str, Any], found: Json) -> None:
    rows = [
        {
            "client_id": str(one.get("clientId", "")),
            "address": str(one.get("clientAddr", "")),
            "language": str(one.get("language", "")),
            "version": str(one.get("versionDesc") or one.get("version") or ""),
        }
        for one in value["connectionSet"]
        if isinstance(one, dict)
    ]
    table = value.get("subscriptionTable")
    subscribed = table.values() if isinstance(table, dict) else table if isinstance(table, list) else ()
    lines = [
        f"001 Topic: {one.get('topic')} SubExpression: {one.get('subString')}"
        for one in subscribed
        if isinstance(one, dict)
    ]
    lines += [
        f"{name}: {value[key]}"
        for name in ("ConsumeType", "MessageModel", "ConsumeFromWhere")
        if (key := name[0].lower() + name[1:]) in value
    ]
    found.lists.append(status(rows, lines))


def _rows_of(text: str, found: Json) -> None:
    """Read rows from JSON that is cut or damaged; a row's topic is the last one before it."""
    for place in ROW.finditer(text):
        try:
            value = json.loads(place[0])
        except ValueError:
            continue
        before = TOPIC.findall(text, 0, place.start())
        topic = value.get("topic") or (before[-1] if before else UNNAMED)
        if isinstance(value, dict) and "consumerOffset" in value:
            _row(value, topic, found)
