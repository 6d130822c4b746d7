"""Parse ``mqadmin consumerStatus``: the list of members, and one member's own report with ``-i``.

Sources: ConsumerStatusSubCommand and ConsumerRunningInfo.formatString, 4.9.8, 5.3.3 and 5.5.0. Without ``-i`` the
command writes a file for each member, in the form that ``-i`` prints; such files can be concatenated.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from rebalance_proofs.language import gettext
from rebalance_proofs.report.symptoms.mqadmin.progress import Queue

# Errors in files with output of ``mqadmin``.


class NotReadable(ValueError):
    """The file is not output of mqadmin, or is damaged. The message names the place."""


DIFFERENT = "WARN: Different subscription in the same group of consumer!!!"
PROPERTIES, SUBSCRIPTION, DETAIL = "#Consumer Properties#", "#Consumer Subscription#", "#Consumer MQ Detail#"
SECTION = re.compile(r"^#(Consumer|User) [\w&]+( [\w&]+)*#$")
BLOCKED, NOT_LOCKED = "can't consume for a while, maybe blocked", "can't lock for a while"
UNLOCK_FAILED = r"unlock \d+ times, still failed"
SAID = re.compile(
    r"^(?:WARN: )?(?:Same|Different) subscription in the same group|^Rebalance (?:OK|Failed)$|^\S+@\S+ +MessageQueue \["
    r"|can't (?:consume|lock) for a while|unlock \d+ times, still failed"
)
ENDED = re.compile(r"\d ?ms$|still failed$")
KNOWN = re.compile(rf"{BLOCKED}, \d+ ?ms$|{NOT_LOCKED}, \d+ ?ms$|{UNLOCK_FAILED}$")
SUBSCRIBED = re.compile(r"\d+\s+Topic: (\S+)\s+ClassFilter: \S+\s+SubExpression: ?(.*)$")
GROUP_SUBSCRIBED = re.compile(r"(?:\d+\s+)?Topic: (\S+)\s+SubExpression: ?(.*)$")
PROPERTY = re.compile(r"(\S+)\s*:(?: (.*))?$")
GROUP_PROPERTY = re.compile(r"(ConsumeType|MessageModel|ConsumeFromWhere): *(\w+)$")
OLD_VERSIONS = (*((87 + 18 * (minor - 3), minor, 1) for minor in range(9, 2, -1)), (67, 2, 0), (47, 1, 0), (0, 0, 0))
"""First number, minor version and first patch of each 3.x line in MQVersion; the numbers of 4.x and 5.x are regular."""
MQ = re.compile(r"MessageQueue \[topic=(?P<topic>.+?), brokerName=(?P<broker>.+?), queueId=(?P<number>\d+)\]")


@dataclass(frozen=True)
class Connection:
    """One connection of a member to a broker."""

    client_id: str
    address: str
    language: str
    version: str


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
    connections: tuple[Connection, ...] = ()
    """Members with their addresses, if the output is that of ``consumerConnection``."""
    subscriptions: tuple[tuple[str, str], ...] = ()
    """(topic, tag expression) of the group, as one broker stores it."""
    properties: Mapping[str, str] = field(default_factory=dict)
    """ConsumeType, MessageModel and ConsumeFromWhere of the group."""
    said: tuple[str, ...] = ()
    """mqadmin's sentences about the group, and about queues."""
    waits: Mapping[Queue, int] = field(default_factory=dict)
    """Queue -> time in ms that mqadmin's sentence about the queue names."""
    group: str = ""


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
    commit: int | None = None
    """The committed offset; None if missing, or if nothing was committed yet."""


@dataclass(frozen=True)
class Member:
    """One consumer's report about itself (ConsumerRunningInfo)."""

    properties: dict[str, str]
    subscriptions: tuple[tuple[str, str], ...]
    """(topic, tag expression) of each subscription, sorted."""
    entries: tuple[Entry, ...]
    parts: frozenset[str] = frozenset((SUBSCRIPTION, DETAIL))
    """Sections that the report has; a pasted one is often incomplete."""

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


def status(members: Iterable[Mapping[str, str]], lines: Sequence[str], group: str = "") -> Status:
    """Return a list of members from its rows, and from the lines below them."""
    rows = list(members)
    text = _statements(lines)
    queues = {
        kind: _queues(line for line in text if re.search(kind, line)) for kind in (BLOCKED, NOT_LOCKED, UNLOCK_FAILED)
    }
    connected = tuple(
        Connection(row["client_id"], row["address"], row.get("language") or "", version_of(row.get("version") or ""))
        for row in rows
        if row.get("address")
    )
    waits = {queue: int(ms[1]) for line in text if (ms := re.search(r"(\d+) ?ms$", line)) for queue in _queues([line])}
    return Status(
        tuple((row["client_id"], version_of(row.get("version") or "")) for row in rows),
        any(DIFFERENT in line for line in text),
        queues[BLOCKED],
        queues[NOT_LOCKED],
        queues[UNLOCK_FAILED],
        connected,
        tuple(sorted((one[1], one[2].strip()) for line in lines if (one := GROUP_SUBSCRIBED.match(line.strip())))),
        {one[1]: one[2] for line in lines if (one := GROUP_PROPERTY.match(line.strip()))},
        tuple(line for line in text if SAID.search(line)),
        waits,
        group,
    )


def _statements(lines: Sequence[str]) -> list[str]:
    """Return the lines, with those about one queue that a terminal wrapped joined again."""
    found: list[str] = []
    for line in map(str.strip, lines):
        before = found[-1] if found else ""
        if "MessageQueue [" in before and not ENDED.search(before):
            whole = next((text for text in (f"{before} {line}", before + line) if KNOWN.search(text)), "")
            found[-1] = whole or f"{before} {line}"
        else:
            found.append(line)
    return found


def version_of(text: str) -> str:
    """Return a version as mqadmin prints it, ``V4_9_8``; older dashboards show MQVersion's number, such as 79."""
    if not text.isdigit():
        return text
    place = int(text) - 213
    if place >= 0:
        return f"V{4 + place // 200}_{place // 20 % 10}_{place % 20 // 2}"
    begins, minor, first = next(one for one in OLD_VERSIONS if int(text) >= one[0])
    return f"V3_{minor}_{first + (int(text) - begins) // 2}"


def _queues(lines: Iterable[str]) -> tuple[Queue, ...]:
    found = [MQ.search(line) for line in lines]
    return tuple((one["topic"], one["broker"], int(one["number"])) for one in found if one)


def member(lines: Sequence[tuple[int, str]]) -> Member:
    """Parse one member's report from (line number, line) pairs; sections can be missing. Raises ``NotReadable``.

    The first line is the heading of the member's properties.
    """
    sections: dict[str, list[tuple[int, str]]] = {}
    for number, line in lines:
        if SECTION.match(line.strip()):
            current = sections.setdefault(line.strip(), [])
        elif line.strip():
            current.append((number, line))
    properties = {one[1]: (one[2] or "").strip() for _, line in sections[PROPERTIES] if (one := PROPERTY.match(line))}
    if not properties:
        raise NotReadable(
            gettext("line {number}: a member of consumerStatus without properties").format(number=lines[0][0])
        )
    subscribed = (SUBSCRIBED.match(line.strip()) for _, line in sections.get(SUBSCRIPTION, ()))
    subscriptions = sorted((one[1], one[2].strip()) for one in subscribed if one)
    entries = tuple(_entry(*one) for one in _whole(sections.get(DETAIL, ())))
    return Member(properties, tuple(subscriptions), entries, frozenset(sections))


def _whole(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the lines about queues, each whole although a terminal wrapped it; a cut last line is left out."""
    held: tuple[int, str] | None = None
    for number, line in lines:
        if line.lstrip().startswith("#"):
            continue
        held = (held[0], held[1] + line) if held else (number, line)
        if held[1].rstrip().endswith("]"):
            yield held
            held = None


def _entry(number: int, line: str) -> Entry:
    queue, opened, info = line.partition("ProcessQueueInfo [")
    cells = queue.split()
    told = dict(part.split("=", 1) for part in info.rstrip().rstrip("]").split(", ") if "=" in part)
    needed = {"cachedMsgCount", "locked", "tryUnlockTimes", "droped", "lastPullTimestamp", "lastConsumeTimestamp"}
    if not opened or len(cells) != 3 or not cells[2].isdigit() or needed - set(told):
        raise NotReadable(
            gettext("line {number}: not a queue of consumerStatus: {line}").format(number=number, line=line.strip())
        )
    try:
        return Entry(
            (cells[0], cells[1], int(cells[2])),
            int(told["cachedMsgCount"]),
            told["locked"] == "true",
            int(told["tryUnlockTimes"]),
            told["droped"] == "true",
            _time(told["lastPullTimestamp"]),
            _time(told["lastConsumeTimestamp"]),
            commit_of(told),
        )
    except ValueError:
        raise NotReadable(
            gettext("line {number}: not a queue of consumerStatus: {line}").format(number=number, line=line.strip())
        ) from None


def commit_of(told: Mapping[str, str]) -> int | None:
    """Return the committed offset in the values of a process queue."""
    text = told.get("commitOffset", "")
    return int(text) if text.isdigit() else None


def _time(digits: str) -> datetime | None:
    """Parse a time from digits: ``20240131235959999``; None for 1970, which means never."""
    found = datetime.strptime(digits[:14], "%Y%m%d%H%M%S")
    return found if found.year > 1970 else None


# Parse one member's ConsumerRunningInfo from JSON.
# Dashboards and tools print it, with fastjson's object keys.

KEYED = re.compile(r"\{\s*(\{[^{}]*\})\s*:\s*\{([^{}]*)\}|,\s*(\{[^{}]*\})\s*:\s*\{([^{}]*)\}")
TABLE = re.compile(r'"mqTable"\s*:\s*')
RUNNING_INFO_SUBSCRIPTION = re.compile(r'\{[^{}]*"subString"[^{}]*\}')
RUNNING_INFO_PROPERTIES = re.compile(r'"properties"\s*:\s*\{([^{}]*)\}')
VALUE = re.compile(r'"([^"]+)"\s*:\s*("(?:[^"\\]|\\.)*"|[^,{}\[\]]+|\[[^\]]*\])')


def running_info(text: str) -> Member:
    """Parse the member's report. Raises ``NotReadable`` if the text is no ConsumerRunningInfo."""
    found = TABLE.search(text)
    properties = RUNNING_INFO_PROPERTIES.search(text)
    if not found or not properties:
        raise NotReadable(gettext("it is not a consumer's running info: mqTable or properties is missing"))
    pairs = [(one[1] or one[3], one[2] or one[4] or "") for one in KEYED.finditer(text, found.end() - 1)]
    entries = tuple(_running_info_entry(_values(queue), _values(info)) for queue, info in pairs if '"queueId"' in queue)
    subscriptions = [_values(one[0]) for one in RUNNING_INFO_SUBSCRIPTION.finditer(text)]
    return Member(
        _values(properties[1]),
        tuple(sorted((one.get("topic", ""), one.get("subString", "")) for one in subscriptions)),
        entries,
        frozenset([DETAIL, *[SUBSCRIPTION] * ('"subscriptionSet"' in text or bool(subscriptions))]),
    )


def _values(text: str) -> dict[str, str]:
    return {name: value.strip().strip('"') for name, value in VALUE.findall(text)}


def _running_info_entry(queue: dict[str, str], info: dict[str, str]) -> Entry:
    try:
        return Entry(
            (queue["topic"], queue["brokerName"], int(queue["queueId"])),
            int(info.get("cachedMsgCount", "0")),
            info.get("locked") == "true",
            int(info.get("tryUnlockTimes", "0")),
            info.get("droped") == "true",
            _running_info_time(info.get("lastPullTimestamp", "0")),
            _running_info_time(info.get("lastConsumeTimestamp", "0")),
            commit_of(info),
        )
    except (KeyError, ValueError, OverflowError, OSError):
        raise NotReadable(gettext("a queue in mqTable cannot be parsed")) from None


def _running_info_time(ms: str) -> datetime | None:
    at = int(ms)
    return datetime.fromtimestamp(at / 1000, UTC).replace(tzinfo=None) if at > 0 else None
