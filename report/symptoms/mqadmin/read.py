"""Read what users paste of ``mqadmin`` and the dashboard: tables and reports about a group, with prose around them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rebalance_proofs.language import gettext
from rebalance_proofs.recorded.knowledge.pasted_texts import note
from rebalance_proofs.report.given import NotGiven, bytes_of
from rebalance_proofs.report.symptoms.mqadmin.columns import (
    LONGEST,
    Numbered,
    Table,
    cleaned,
    decoded,
    heading,
    is_row,
    rows,
)
from rebalance_proofs.report.symptoms.mqadmin.dashboard import from_json
from rebalance_proofs.report.symptoms.mqadmin.members import (
    PROPERTIES,
    SAID,
    Member,
    NotReadable,
    Status,
    member,
    status,
)
from rebalance_proofs.report.symptoms.mqadmin.progress import (
    NOBODY,
    TOTAL,
    UNNAMED,
    Progress,
    Queue,
    QueueProgress,
    queue_row,
    totals,
)

MOST = 64 * 1024 * 1024
"""Maximum file size in bytes; no group's output is larger."""
COMMAND = re.compile(
    r"mqadmin +(?P<name>consumer\w+|topicStatus|clusterList|brokerStatus|topicRoute|topicList|topicClusterList|"
    r"producerConnection|producer|statsAll)\b(?P<options>.*)",
    re.I,
)
NUMBERED = (
    (re.compile(r"\d{3} +\S+ +\S+:\d+ +[A-Z_]+ +V?\d\S*$"), ("index", "client_id", "address", "language", "version")),
    (re.compile(r"\d{3} +\S+ +V\d\S* +\S+$"), ("index", "client_id", "version", "file")),
)
"""First rows of lists without a heading, as mqadmin up to 4.9.2 prints them."""
DIALOG = re.compile(r"\[(?P<group>[%\w-]+)\] ?(?:Client|终端|消费详情|ConsumeDetail|Consume Detail)?$", re.I)
"""Title of the dashboard's dialog about a group."""
WITHOUT_HEADING = tuple(
    ("topic", "broker", "qid", "broker_offset", "consumer_offset", *rest, "last")
    for rest in (("diff",), ("diff", "inflight"), ("client", "diff"), ("client", "diff", "inflight"))
)
"""Columns of rows of consumerProgress whose heading was not pasted."""
TOPIC = re.compile(r"(?:\btopic\b|主题)[\s:：=\[|*]*([%\w-]{1,255})", re.I)
ABOVE = 5
"""The number of lines above a table of the dashboard that are searched for its topic."""
WITHOUT_GROUP = {
    "topicRoute": re.compile(r'^\W*"(?:brokerDatas|queueDatas)" ?: ?\[|^#ClusterName +#BrokerName +#BrokerAddrs', re.I),
    "clusterList": re.compile(
        r"^\W*#?Cluster ?Name[\s|]+#?Broker ?Name[\s|]+#?(?:BID|InTotalYest)\b"
        r"|\bBroker[\s|]+NO\.?[\s|]+Address[\s|]+Version|Produce ?Message ?TPS|生产消息 ?TPS|分片[\s|]+编号[\s|]+地址",
        re.I,
    ),
    "topicList": re.compile(r"^\W*#?Cluster ?Name[\s|]+#?Topic[\s|]+#?Consumer ?Group", re.I),
    "producerConnection": re.compile(r"^\d{4} +\S+@?\S* +\S+:\d+ +[A-Z_]+ +V?\d\S*$"),
    "brokerStatus": re.compile(
        r"^(?:\S+:\d+ +)?(?:bootTimestamp|brokerVersionDesc|getTotalTps|putTps|msgPutTotal\w+|putMessage\w+|"
        r"brokerActive|commitLogD\w+|pageCacheLock\w+|remainHowMany\w+|getTransfer\w+|dispatchBehindBytes) *[:|] "
    ),
}
"""Command whose output names no group -> pattern of a line of it."""
ADDRESS = re.compile(r"\b(\d{1,3}(?:\.\d{1,3}){3}):\d{4,5}\b")
NAMES = ("clusterList", "brokerStatus", "topicRoute", "topicList", "topicClusterList", "producerConnection", "statsAll")
"""Commands whose output says nothing about a group."""
READ = 4
"""Bit of a permission that allows reading."""
INNER = re.compile(r"127\.|172\.17\.|0\.0\.0\.0")
"""Addresses that only the broker's own host reaches: loopback, and Docker's default network."""
BELOW = re.compile(
    r"Below is subscription|^Consume(?:Type|FromWhere):|^MessageModel:|^(?:\d{3} +)?Topic: +\S+ +SubExpression: "
)


@dataclass(frozen=True)
class Command:
    """The command above a table."""

    name: str = ""
    group: str = ""
    clients: bool | None = None
    """Whether it has ``-s true``; None without a command."""


@dataclass(frozen=True)
class Offsets:
    """One row of ``mqadmin topicStatus``."""

    broker: str
    queue: int
    least: int
    most: int


@dataclass
class Printed:
    """All parsed output, in the order of the files."""

    tables: list[Progress] = field(default_factory=list)
    lists: list[Status] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    topics: list[tuple[Offsets, ...]] = field(default_factory=list)
    groups: list[tuple[str, int]] = field(default_factory=list)
    """(group, lag) of each group in a list of groups."""
    others: list[str] = field(default_factory=list)
    """mqadmin commands whose output shows nothing about one group."""
    addresses: list[str] = field(default_factory=list)
    """Brokers' addresses in that output that clients on other hosts do not reach."""
    fewer: list[tuple[str, str]] = field(default_factory=list)
    """(readQueueNums, writeQueueNums) of a route whose read queues are fewer than its write queues."""
    perms: list[str] = field(default_factory=list)
    """Permissions of a route that do not allow reading."""
    ignored: list[str] = field(default_factory=list)
    """Lines that belong to no table."""

    @property
    def something(self) -> bool:
        """True if the output shows anything about one group."""
        return bool(self.tables or self.lists or self.members or self.topics)

    def add(self, other: "Printed") -> None:
        """Add what another file shows."""
        for name in vars(self):
            getattr(self, name).extend(getattr(other, name))


def read(paths: Sequence[Path]) -> Printed:
    """Parse the output in these files. Raises ``NotReadable``, with the file's name."""
    found = Printed()
    for path in paths:
        try:
            found.add(_file(path))
        except NotReadable as error:
            raise NotReadable(f"{str(path)!r}: {error}") from None
    groups = {one.group for one in found.members if one.group}
    if len(groups) > 1:
        raise NotReadable(
            gettext("the files contain members of {number} groups ({names}); give files of one group").format(
                number=len(groups), names=", ".join(sorted(groups))
            )
        )
    return found


def _file(path: Path) -> Printed:
    try:
        text = decoded(bytes_of(path, MOST))
    except NotGiven as error:
        raise NotReadable(str(error)) from None
    if text is None:
        raise NotReadable(gettext("it is not a text file"))
    found = parsed(text)
    if not found.something:
        raise NotReadable(nothing(found))
    return found


def nothing(found: Printed) -> str:
    """Return why a text shows nothing about one group."""
    if totals(found.ignored):
        return gettext("only the totals of consumerProgress; paste the rows above them, too")
    if found.groups:
        group, behind = max(found.groups, key=lambda one: one[1])
        told = gettext("a list of groups; print one group with `mqadmin consumerProgress -g {group} -s true`").format(
            group=group or "GROUP"
        )
        if not behind:
            return told
        return told + gettext(" (the lag of {group} is the largest: {lag})").format(group=group, lag=f"{behind:,}")
    if found.others:
        told = gettext(
            "it is the output of mqadmin {command}, which says nothing about a group; print one with "
            "`mqadmin consumerProgress -g GROUP -s true`"
        ).format(command=found.others[0])
        inner = note("inner-address", address=found.addresses[0]) if found.addresses else ""
        fewer = note("fewer-read", read=found.fewer[0][0], write=found.fewer[0][1]) if found.fewer else ""
        closed = note("not-readable", perm=found.perms[0]) if found.perms else ""
        return "; ".join(one for one in (told, inner, fewer, closed) if one)
    return gettext("it is not output of `mqadmin consumerProgress -g GROUP` or `mqadmin consumerStatus`")


def parsed(text: str) -> Printed:
    """Parse a text with tables; other lines are listed as ignored. Raises ``NotReadable`` for a damaged report."""
    lines = cleaned(text)
    found = Printed()
    whole = from_json("\n".join(line for _, line in lines))
    if whole.something:
        for table in _tables_of(whole.rows):
            found.tables.append(replace(table, ids=True))
        found.lists += whole.lists
        found.members += whole.members
        found.groups += whole.groups
        return found
    _Reader(lines, found).read()
    if set(found.others) & {"clusterList", "topicRoute"}:
        every = (one for _, line in lines for one in ADDRESS.findall(line) if "namesrv" not in line)
        found.addresses += [one for one in dict.fromkeys(every) if INNER.match(one)]
        text = "\n".join(line for _, line in lines)
        each = zip(
            *(re.findall(rf'"{name}QueueNums" ?: ?(\d{{1,9}})', text) for name in ("read", "write")), strict=False
        )
        found.perms += [one for one in re.findall(r'"perm" ?: ?(\d)\b', text) if not int(one) & READ]
        found.fewer += [(least, most) for least, most in each if int(least) < int(most)]
    found.tables = list(_merged(found.tables))
    return found


def _tables_of(every: Iterable[QueueProgress]) -> Iterator[Progress]:
    held: dict[Queue, QueueProgress] = {}
    for row in every:
        if row.queue in held:
            yield _progress(list(held.values()))
            held = {}
        held[row.queue] = row
    if held:
        yield _progress(list(held.values()))


def _progress(found: Sequence[QueueProgress]) -> Progress:
    return Progress(tuple(found), any(row.client not in (None, NOBODY) for row in found))


def _merged(tables: Iterable[Progress]) -> Iterator[Progress]:
    """Merge neighbouring tables of one group without common queues: the dashboard has one for each topic."""
    held: Progress | None = None
    for one in tables:
        if held and held.group == one.group and not {row.queue for row in held.rows} & {row.queue for row in one.rows}:
            held = replace(
                held,
                rows=held.rows + one.rows,
                with_clients=held.with_clients or one.with_clients,
                cut=held.cut or one.cut,
                whole=held.whole and one.whole,
            )
            continue
        if held:
            yield held
        held = one
    if held:
        yield held


class _Reader:
    """Reads the lines of one text into ``found``, section by section."""

    def __init__(self, lines: Numbered, found: Printed) -> None:
        self.lines, self.found = lines, found
        self.command = Command()
        self.at = 0

    def read(self) -> None:
        """Read all sections."""
        while self.at < len(self.lines):
            line = self.lines[self.at][1]
            if line.strip() == PROPERTIES:
                self._member()
            elif table := _list(line) or _rows_only(line) or heading(self._window()):
                self._table(table)
            elif SAID.search(line.strip()) or BELOW.search(line):
                self._below(None)
            else:
                self._other(line)
                self.at += 1

    def _window(self) -> Numbered:
        return self.lines[self.at : self.at + LONGEST]

    def _other(self, line: str) -> None:
        command = COMMAND.search(line)
        if command:
            options = command["options"]
            group = re.search(r"(?:-g|--groupName)[ =]+(\S+)", options)
            clients = bool(re.search(r"(?:-s|--showClientIP)[ =]+true", options, re.I))
            self.command = Command(command["name"], group[1].strip("\"'") if group else "", clients)
            name = next((one for one in NAMES if one.casefold() == command["name"].casefold()), "")
            if name and name not in self.found.others:
                self.found.others.append(name)
            return
        if dialog := DIALOG.match(line.strip()):
            self.command = Command("dashboard", dialog["group"])
            return
        other = next((name for name, form in WITHOUT_GROUP.items() if form.search(line)), "")
        if not other:
            self.found.ignored.append(line)
        elif other not in self.found.others:
            self.found.others.append(other)

    def _member(self) -> None:
        start = self.at
        self.at += 1
        while self.at < len(self.lines) and not _starts(self.lines[self.at : self.at + LONGEST]):
            self.at += 1
        self.found.members.append(member(self.lines[start : self.at]))

    def _table(self, table: Table) -> None:
        start = self.at
        self.at += table.taken
        cells: list[dict[str, str]] = []
        below = self.lines[self.at :]
        end = 0
        for begin, many, row in rows(table, below, _ends):
            self.found.ignored += [line for _, line in below[end:begin]]
            cells.append(row)
            end = begin + many
        self.at += end
        if table.kind == "progress":
            self._progress(table, start, cells)
        elif table.kind in ("status", "connections"):
            self._below(cells)
        elif table.kind == "subscription" and self.found.lists:
            last = self.found.lists[-1]
            told = tuple(sorted((row["topic"], row["expression"]) for row in cells))
            self.found.lists[-1] = replace(last, subscriptions=(*last.subscriptions, *told))
            self._below(None)
        elif table.kind == "topic" and cells:
            self.found.topics.append(
                tuple(
                    Offsets(row.get("broker", ""), int(row["qid"]), _number(row["min"]), _number(row["max"]))
                    for row in cells
                )
            )
        elif table.kind == "stats":
            self.found.groups += _summed((row["consumer_group"], row["accumulation"]) for row in cells)
        elif table.kind == "groups":
            self.found.groups += [(row["group"], _lag(row.get("diff", ""))) for row in cells] or [("", 0)]
        elif table.kind == "cluster" and "clusterList" not in self.found.others:
            self.found.others.append("clusterList")

    def _progress(self, table: Table, start: int, cells: list[dict[str, str]]) -> None:
        number = self.lines[start][0]
        if not cells:
            raise NotReadable(gettext("line {number}: the table of consumerProgress has no rows").format(number=number))
        groups = {row["group"] for row in cells if "group" in row}  # of brokerConsumeStats
        if len(groups) > 1:
            self.found.groups += _summed((row["group"], row.get("diff", "")) for row in cells)
            return
        end = self.at
        while end < len(self.lines) and TOTAL.match(self.lines[end][1].strip()):
            end += 1
        told = totals(line for _, line in self.lines[self.at : end])
        topic = (
            "" if "topic" in table.columns else _topic([line for _, line in self.lines[max(0, start - ABOVE) : start]])
        )
        made = _progress([queue_row(row, topic) for row in cells])
        diffs = sum(row.diff for row in made.rows)
        total = told.get("diff total")
        cut = ""
        if total is not None and total != diffs:
            cut = gettext("the diffs of its rows add up to {sum}, and mqadmin's total is {total}").format(
                sum=f"{diffs:,}", total=f"{int(total):,}"
            )
        elif total is None and end == self.at and self._cut_row(made):
            cut = gettext("its last line, {number}, ends within a row").format(number=self.lines[self.at][0])
            end += 1
        named = [row.client for row in made.rows if row.client not in (None, NOBODY)]
        self.at = end
        self.found.tables.append(
            replace(
                made,
                cut=cut,
                whole=total == diffs,
                group=next(iter(groups), self.command.group),
                asked_clients=self.command.clients if self.command.name.casefold() == "consumerprogress" else None,
                tps=told.get("tps"),
                ids=bool(named) and all("@" in (one or "") for one in named),
            )
        )

    def _cut_row(self, made: Progress) -> bool:
        """Return True if the next line is the last one, and begins like the rows above."""
        cells = self.lines[self.at][1].split() if self.at == len(self.lines) - 1 else []
        return bool(cells) and any(row.queue[: len(cells[:2])] == tuple(cells[:2]) for row in made.rows)

    def _below(self, cells: list[dict[str, str]] | None) -> None:
        """Read the sentences below a list of members; None continues the last list, or begins one without rows."""
        start = self.at
        while self.at < len(self.lines) and not _starts(self.lines[self.at : self.at + LONGEST]):
            line = self.lines[self.at][1].strip()
            if not (SAID.search(line) or BELOW.search(line) or self._continues(start)):
                break
            self.at += 1
        made = status(cells or (), [line for _, line in self.lines[start : self.at]], self.command.group)
        if cells is None and self.found.lists:
            last = self.found.lists.pop()
            made = replace(
                last,
                different=last.different or made.different,
                blocked=last.blocked + made.blocked,
                not_locked=last.not_locked + made.not_locked,
                unlock_failed=last.unlock_failed + made.unlock_failed,
                subscriptions=last.subscriptions + made.subscriptions,
                properties={**last.properties, **made.properties},
                said=last.said + made.said,
                waits={**last.waits, **made.waits},
            )
        self.found.lists.append(made)
        self.at = max(self.at, start + (cells is None))

    def _continues(self, start: int) -> bool:
        """Return True if the line continues one about a queue that a terminal wrapped."""
        before = self.lines[self.at - 1][1].strip() if self.at > start else ""
        return "MessageQueue [" in before and not re.search(r"\d ?ms$|failed$", before)


def _list(line: str) -> Table | None:
    """Return the table of a list whose first row is this line, without a heading."""
    for form, columns in NUMBERED:
        if form.match(line.strip()):
            return Table("connections" if "address" in columns else "status", columns, 0, "", 0)
    return None


def _rows_only(line: str) -> Table | None:
    """Return the table of rows without a heading, of which this line is one."""
    for columns in WITHOUT_HEADING:
        if is_row(columns, line):
            return Table("progress", columns, 0, "", 0)
    return None


def _starts(lines: Numbered) -> bool:
    """Return True if a section begins at the first of these lines."""
    line = lines[0][1]
    return line.strip() == PROPERTIES or bool(COMMAND.search(line)) or heading(lines) is not None


def _ends(lines: Numbered) -> bool:
    """Return True if a table ends before the first of these lines."""
    line = lines[0][1].strip()
    return _starts(lines) or bool(TOTAL.match(line) or BELOW.search(line))


def _summed(lags: Iterable[tuple[str, str]]) -> list[tuple[str, int]]:
    """Return the sum of the lags of each group."""
    found: dict[str, int] = {}
    for group, lag in lags:
        found[group] = found.get(group, 0) + _lag(lag)
    return list(found.items())


def _lag(text: str) -> int:
    return _number(text) if re.fullmatch(r"-?[\d,]+", text) else 0


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def _topic(above: Sequence[str]) -> str:
    found = [one[1] for line in above if (one := TOPIC.search(line))]
    return found[-1] if found else UNNAMED
