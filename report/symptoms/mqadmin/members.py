"""Parse ``mqadmin consumerStatus``: the list of members, and one member's own report with ``-i``.

Sources: ConsumerStatusSubCommand and ConsumerRunningInfo.formatString, 4.9.8, 5.3.3 and 5.5.0. Without ``-i`` the
command writes a file for each member, in the form that ``-i`` prints; such files can be concatenated.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from rebalance_proofs.report.symptoms.mqadmin.errors import NotReadable
from rebalance_proofs.report.symptoms.mqadmin.progress import Queue

__all__ = [
    "CONNECTIONS",
    "DETAIL",
    "LIST",
    "LISTED",
    "NUMBERED",
    "PROPERTIES",
    "SUBSCRIPTION",
    "Entry",
    "Member",
    "Status",
    "connections",
    "member",
    "status",
]

NUMBERED = re.compile(r"001 +\S+ +\S+:\d+ +[A-Z_]+ +V\d")
"""The start of a ``consumerConnection`` list without a heading."""
LISTED = re.compile(r"001 +\S+ +V\d\S* +\S+\s*$")
"""The start of a ``consumerStatus`` list without a heading, as 3.2 prints it."""
LIST = ("#Index", "#ClientId", "#Version", "#ConsumerRunningInfoFile")
CONNECTIONS = ("#ClientId", "#ClientAddr", "#Language", "#Version")
DIFFERENT = "WARN: Different subscription in the same group of consumer!!!"
PROPERTIES, SUBSCRIPTION, DETAIL = "#Consumer Properties#", "#Consumer Subscription#", "#Consumer MQ Detail#"
SECTION = re.compile(r"^#(Consumer|User) [\w&]+( [\w&]+)*#$")
BLOCKED, NOT_LOCKED = "can't consume for a while, maybe blocked", "can't lock for a while"
UNLOCK_FAILED = re.compile(r"unlock (\d+) times, still failed")
MQ = re.compile(r"MessageQueue \[topic=(?P<topic>.+?), brokerName=(?P<broker>.+?), queueId=(?P<number>\d+)\]")


@dataclass(frozen=True)
class Status:
    """The list of members, and the command's own warnings."""

    members: tuple[tuple[str, str], ...]
    """(client id, version) of each member; versions as ``V5_3_3``."""
    different: bool
    """True if the command warns that subscriptions differ."""
    blocked: tuple[Queue, ...]
    not_locked: tuple[Queue, ...]
    unlock_failed: tuple[Queue, ...]


@dataclass(frozen=True)
class Entry:
    """One queue of a member's table (ProcessQueueInfo)."""

    queue: Queue
    cached: int
    locked: bool
    unlock_tries: int
    dropped: bool
    pulled: datetime | None
    """Time of the last pull; None for never."""
    consumed: datetime | None


@dataclass(frozen=True)
class Member:
    """One consumer's report about itself (ConsumerRunningInfo)."""

    properties: dict[str, str]
    subscriptions: tuple[tuple[str, str], ...]
    """(topic, tag expression) of each subscription, sorted."""
    entries: tuple[Entry, ...]

    @property
    def client_id(self) -> str:
        """The client id, composed like ClientConfig.buildMQClientId; "" if its parts are missing."""
        parts = [self.properties.get(key, "") for key in ("clientIP", "instanceName", "unitName")]
        return "@".join(part for part in parts if part) if all(parts[:2]) else ""

    @property
    def orderly(self) -> bool:
        """True if the listener is an ordered one."""
        return self.properties.get("PROP_CONSUMEORDERLY") == "true"

    @property
    def version(self) -> str:
        """The client version: ``V5_3_3``; "" if missing."""
        return self.properties.get("PROP_CLIENT_VERSION", "")

    @property
    def strategy(self) -> str:
        """The class name of the strategy, without package and object hash."""
        return self.properties.get("allocateMessageQueueStrategy", "").partition("@")[0].rpartition(".")[2]

    @property
    def mode(self) -> str:
        """The mode of use as in ``report.symptoms.asked``; "" if several are possible."""
        if self.properties.get("PROP_CONSUME_TYPE") != "CONSUME_PASSIVELY":
            return ""
        parts = ("push", *["orderly"] * self.orderly, *["broadcasting"] * self.broadcasting)
        return " ".join(parts)

    @property
    def broadcasting(self) -> bool:
        """True in broadcasting mode, where every consumer has every queue."""
        return self.properties.get("messageModel") == "BROADCASTING"

    @property
    def group(self) -> str:
        """The consumer group."""
        return self.properties.get("consumerGroup", "")


def status(lines: Sequence[tuple[int, str]]) -> Status:
    """Parse the list of members from (line number, line) pairs. Raises ``NotReadable``.

    The first line is the list's heading, which mqadmin 3.2 does not print.
    """
    members = []
    for number, line in lines[0 if LISTED.match(lines[0][1]) else 1 :]:
        if not line.strip():
            break
        cells = line.split()
        if len(cells) != len(LIST) or not cells[0].isdigit():
            raise NotReadable(f"line {number}: not a row of consumerStatus: {line.strip()}")
        members.append((cells[1], cells[2]))
    if not members:
        raise NotReadable(f"line {lines[0][0]}: the list of consumerStatus has no members")
    text = [line for _, line in lines]
    return Status(
        tuple(members),
        any(DIFFERENT in line for line in text),
        _queues(text, BLOCKED),
        _queues(text, NOT_LOCKED),
        _queues([line for line in text if UNLOCK_FAILED.search(line)], ""),
    )


def connections(lines: Sequence[tuple[int, str]]) -> Status:
    """Parse the member list of ``mqadmin consumerConnection`` from (line number, line) pairs. Raises ``NotReadable``.

    The first line is the heading. Up to 4.9.2 the list has no heading, and a number before each row.
    """
    members = []
    numbered = NUMBERED.match(lines[0][1]) is not None
    for number, line in lines[0 if numbered else 1 :]:
        cells = line.split()[1 if numbered else 0 :]
        if not cells:
            break
        if len(cells) != len(CONNECTIONS):
            raise NotReadable(f"line {number}: not a row of consumerConnection: {line.strip()}")
        members.append((cells[0], cells[3]))
    if not members:
        raise NotReadable(f"line {lines[0][0]}: the list of consumerConnection has no members")
    return Status(tuple(members), False, (), (), ())


def _queues(lines: Sequence[str], said: str) -> tuple[Queue, ...]:
    found = [MQ.search(line) for line in lines if said in line]
    return tuple((one["topic"], one["broker"], int(one["number"])) for one in found if one)


def member(lines: Sequence[tuple[int, str]]) -> Member:
    """Parse one member's report from (line number, line) pairs. Raises ``NotReadable``.

    The first line is the heading of the member's properties.
    """
    sections: dict[str, list[tuple[int, str]]] = {}
    for number, line in lines:
        if SECTION.match(line.strip()):
            current = sections.setdefault(line.strip(), [])
        elif line.strip():
            current.append((number, line))
    for needed in (PROPERTIES, SUBSCRIPTION, DETAIL):
        if needed not in sections:
            raise NotReadable(f"line {lines[0][0]}: a member of consumerStatus without the section {needed}")
    properties = dict(_property(*one) for one in sections[PROPERTIES])
    subscriptions = sorted(_subscription(*one) for one in sections[SUBSCRIPTION])
    entries = tuple(_entry(*one) for one in sections[DETAIL] if not one[1].startswith("#Topic"))
    return Member(properties, tuple(subscriptions), entries)


def _property(number: int, line: str) -> tuple[str, str]:
    found = re.match(r"(\S+)\s*:(?: (.*))?$", line.rstrip())
    if not found:
        raise NotReadable(f"line {number}: not a property of consumerStatus: {line.strip()}")
    return found[1], (found[2] or "").strip()


def _subscription(number: int, line: str) -> tuple[str, str]:
    found = re.match(r"\d+\s+Topic: (\S+)\s+ClassFilter: \S+\s+SubExpression: ?(.*)$", line)
    if not found:
        raise NotReadable(f"line {number}: not a subscription of consumerStatus: {line.strip()}")
    return found[1], found[2].strip()


def _entry(number: int, line: str) -> Entry:
    queue, opened, info = line.partition("ProcessQueueInfo [")
    cells = queue.split()
    told = dict(part.split("=", 1) for part in info.rstrip().rstrip("]").split(", ") if "=" in part)
    needed = {"cachedMsgCount", "locked", "tryUnlockTimes", "droped", "lastPullTimestamp", "lastConsumeTimestamp"}
    if not opened or len(cells) != 3 or not cells[2].isdigit() or needed - set(told):
        raise NotReadable(f"line {number}: not a queue of consumerStatus: {line.strip()}")
    try:
        return Entry(
            (cells[0], cells[1], int(cells[2])),
            int(told["cachedMsgCount"]),
            told["locked"] == "true",
            int(told["tryUnlockTimes"]),
            told["droped"] == "true",
            _time(told["lastPullTimestamp"]),
            _time(told["lastConsumeTimestamp"]),
        )
    except ValueError:
        raise NotReadable(f"line {number}: not a queue of consumerStatus: {line.strip()}") from None


def _time(digits: str) -> datetime | None:
    """Parse a time from digits: ``20240131235959999``; None for 1970, which means never."""
    found = datetime.strptime(digits[:14], "%Y%m%d%H%M%S")
    return found if found.year > 1970 else None
