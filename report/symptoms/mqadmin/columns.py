"""Recognise the headings of mqadmin's and the dashboard's tables, in English and Chinese, and split their rows."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from rebalance_proofs.recorded.logs.lines import plain

# Clean pasted text: decode it, and remove quotes, fences, markup and colours around its lines.

Numbered = Sequence[tuple[int, str]]
"""Lines of a text, each with its number in the original."""
WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
QUOTE = re.compile(r"(?:\s?(?:>|&gt;))+ ?")
FENCE = re.compile(r"\s*(?:`{3,}|~{3,})[\w-]*\s*$")
BOXES = str.maketrans({"│": "|", "┃": "|", "║": "|", "｜": "|"})
RULE = re.compile(r"\s*[|+:=\-─━═┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬ ]{3,}\s*$")


def decoded(content: bytes) -> str | None:
    """Return the text of these bytes; None if they are not text.

    Encodings: UTF-8 and UTF-16 with or without a mark, and GBK.
    """
    if content[:2] in WIDE:
        text = content[2:].decode(WIDE[content[:2]], "replace")
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("gb18030", "replace")
    return None if "\0" in text or text.count("\ufffd") * 10 > len(text) else text


def cleaned(text: str) -> list[tuple[int, str]]:
    """Return the lines without markup around them; blank lines, fences and rules of tables are left out."""
    lines = []
    for number, raw in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        line = plain(raw.encode("utf-8", "replace")).decode("utf-8", "replace").translate(BOXES)
        quote = QUOTE.match(line)
        line = line[quote.end() :] if quote else line
        if line.strip() and not FENCE.match(line) and not RULE.match(line):
            lines.append((number, line.rstrip()))
    return lines


LABELS = {
    "topic": ("topic", "主题", "主题名"),
    "broker": ("brokername", "broker", "代理者", "代理者名称"),
    "qid": ("qid", "queueid", "queue", "队列", "队列id"),
    "broker_offset": ("brokeroffset", "代理者位点", "broker位点", "broker偏移量", "最大位点"),
    "consumer_offset": ("consumeroffset", "消费者位点", "消费位点", "consumer偏移量", "消费者偏移量"),
    "client": ("clientip", "consumerclient", "clientinfo", "消费者终端", "消费者客户端", "终端"),
    "diff": ("difftotal", "diff", "差值", "堆积", "堆积量", "延迟"),
    "inflight": ("inflight",),
    "last": ("lasttime", "lasttimestamp", "lastconsumetime", "上次时间", "最后消费时间"),
    "client_id": ("clientid", "客户端id", "客户端编号"),
    "address": ("clientaddr", "clientaddress", "客户端地址", "地址"),
    "language": ("language", "语言"),
    "version": ("version", "版本"),
    "index": ("index",),
    "file": ("consumerrunninginfofile",),
    "min": ("minoffset", "最小位点"),
    "max": ("maxoffset", "最大位点"),
    "updated": ("lastupdated", "lastupdatetimestamp", "lastupdatetime", "上次更新时间"),
    "group": ("group", "subscriptiongroup", "订阅组"),
    "consumer_group": ("consumergroup",),
    "accumulation": ("accumulation",),
    "count": ("count", "quantity", "数量"),
    "type": ("type", "类型"),
    "model": ("model", "mode", "模式"),
    "tps": ("tps",),
    "operation": ("operation", "操作"),
    "cluster": ("clustername",),
    "bid": ("bid",),
    "addr": ("addr",),
    "rest": (
        *("intps(load)", "outtps(load)", "timer(progress)", "timerprogress", "pcwait(ms)", "hour", "space"),
        *("activated", "pcall", "intps", "outtps", "intotalyest", "outtotalyest", "intotaltoday", "outtotaltoday"),
        *("inmsg24hour", "outmsg24hour"),
    ),
    "expression": ("subexpression",),
    "info": ("processqueueinfo",),
}
"""Column -> its names in lower case, without # and blanks."""
BY_LABEL = {label: column for column, labels in LABELS.items() for label in labels}
LABEL = re.compile("|".join(re.escape(label) for label in sorted(BY_LABEL, key=lambda one: -len(one))))
BEGINNINGS = frozenset(label[:end] for label in BY_LABEL for end in range(1, len(label))) - set(BY_LABEL)
"""Beginnings of columns' names, as at the end of a wrapped line."""
LONGEST_HEADING = 2_000
"""Most characters of a heading."""
KINDS = {
    "progress": (
        {"qid", "broker_offset", "consumer_offset"},
        {"topic", "group", "broker", "client", "diff", "inflight", "last"},
    ),
    "status": ({"index", "client_id", "version", "file"}, set()),
    "connections": ({"client_id", "address"}, {"language", "version", "index"}),
    "topic": ({"qid", "min", "max"}, {"broker", "updated", "topic"}),
    "groups": ({"group", "count"}, {"version", "type", "model", "tps", "diff", "operation"}),
    "stats": ({"topic", "consumer_group", "accumulation"}, {"rest"}),
    "cluster": ({"bid", "addr"}, {"cluster", "broker", "version", "rest"}),
    "subscription": ({"topic", "expression"}, set()),
}
"""Kind of table -> (columns that it must have, columns that it may have)."""
NUMBERS = ("broker_offset", "consumer_offset", "diff", "inflight", "min", "max")
NUMBER = r"-?\d[\d,]*"
SKIPPED = 3
"""A table ends at this many lines in a row that begin no row."""
LONGEST = 9
"""Most lines over which a terminal wraps one row."""


@dataclass(frozen=True)
class Table:
    """A table's heading: its kind and columns, and how its rows are separated."""

    kind: str
    columns: tuple[str, ...]
    taken: int
    """Number of lines of the heading."""
    separator: str
    """``|``, a tab, or "" for blanks."""
    width: int
    """Width at which a terminal wrapped the heading; 0 if it is one line."""


def heading(lines: Numbered) -> Table | None:
    """Return the table whose heading begins at the first of these lines; None if none does."""
    best = None
    for many in range(1, min(LONGEST, len(lines)) + 1):
        names = _names("".join(line for _, line in lines[:many]))
        if names is None:
            break
        kind = next((kind for kind, (must, may) in KINDS.items() if _fits(names, must, may)), "")
        if kind and (best is None or names != best.columns):
            first = lines[0][1]
            separator = "|" if first.count("|") > 1 else "\t" if first.count("\t") > 1 else ""
            best = Table(kind, names, many, separator, max(len(line) for _, line in lines[:many]) if many > 1 else 0)
    return best


def _fits(names: tuple[str, ...], must: set[str], may: set[str]) -> bool:
    once = [name for name in names if name != "rest"]
    return must <= set(names) <= must | may and len(set(once)) == len(once)


def _names(text: str) -> tuple[str, ...] | None:
    """Return the columns of a heading, or of its beginning; None if the text has anything else."""
    if len(text) > LONGEST_HEADING:
        return None
    squeezed = re.sub(r"[\s|#*`]+", "", text).casefold()
    found, at = [], 0
    while at < len(squeezed) and squeezed[at:] not in BEGINNINGS:
        label = LABEL.match(squeezed, at)
        if not label:
            return None
        found.append(BY_LABEL[label[0]])
        at = label.end()
    return tuple(found) if squeezed else None


def rows(table: Table, lines: Numbered, ends: Callable[[Numbered], bool]) -> Iterator[tuple[int, int, dict[str, str]]]:
    """Yield (index of the first line, number of lines, cells by column) for each row.

    Ends before a line for which ``ends`` is true, and at three lines in a row that begin no row.
    """
    at = missed = 0
    while at < len(lines) and missed < SKIPPED and not ends(lines[at : at + LONGEST]):
        many, cells = _row(table, lines[at : at + LONGEST])
        if cells:
            yield at, many, cells
        missed = 0 if cells else missed + 1
        at += many


def _row(table: Table, lines: Numbered) -> tuple[int, dict[str, str]]:
    """Return the row that begins at the first line: its number of lines, and its cells; no cells if none begins."""
    texts = [line for _, line in lines]
    if table.separator and table.separator in texts[0] and (cells := _separated(table, texts[0])):
        return 1, cells
    pattern = _pattern(table.columns)
    best: tuple[int, dict[str, str]] = (1, {})
    odd: tuple[int, dict[str, str]] = (1, {})
    for many in range(1, len(texts) + 1):
        if many > 1 and ((best[1] and best[0] == many - 2) or _is_whole(pattern, texts[many - 1])):
            break  # a line that is a row by itself does not continue another one
        for text in _joined(texts[:many], table.width):
            cells = _matched(pattern, text)
            if cells and _consistent(cells):
                if cells.get("last", "N/A"):
                    return many, cells
                best = many, cells
            elif cells and not odd[1]:
                odd = many, cells
    return best if best[1] else odd


def _is_whole(pattern: re.Pattern[str], text: str) -> bool:
    cells = _matched(pattern, text)
    return bool(cells) and _consistent(cells)


def _matched(pattern: re.Pattern[str], text: str) -> dict[str, str]:
    found = pattern.fullmatch(" ".join(text.replace("|", " ").split()))
    return {name: (cell or "").strip() for name, cell in found.groupdict().items()} if found else {}


def _separated(table: Table, line: str) -> dict[str, str]:
    cells = _cells(line, table.separator)
    named = dict(zip(table.columns, cells, strict=False))
    numbers = all(re.fullmatch(NUMBER, named[name]) for name in (*NUMBERS, "qid") if name in named)
    return named if numbers and len(cells) >= len(table.columns) else {}


def is_row(columns: tuple[str, ...], line: str) -> bool:
    """Return True if the line is a whole row of these columns: its lag matches its offsets, and it has a time."""
    cells = _matched(_pattern(columns), line) if line[-1:].isdigit() or line.endswith("N/A") else {}
    return bool(cells) and _consistent(cells) and bool(cells["last"])


def _consistent(cells: dict[str, str]) -> bool:
    if not {"diff", "broker_offset", "consumer_offset"} <= set(cells):
        return True
    broker, consumer, diff = (
        int(cells[name].replace(",", "")) for name in ("broker_offset", "consumer_offset", "diff")
    )
    return broker - consumer == diff


def _joined(lines: list[str], width: int) -> Iterator[str]:
    """Yield ways to join the lines of one row: a full line was broken inside a word, a shorter one between words."""
    if len(lines) == 1:
        yield lines[0]
        return
    most = max(width, *map(len, lines))
    text = lines[0]
    for before, line in pairwise(lines):
        text += ("" if len(before) == most else " ") + line
    yield text
    yield " ".join(lines)


def _cells(line: str, separator: str) -> list[str]:
    text = line.strip(" ") if separator == "\t" else line.strip()
    if separator == "|":
        text = text.removeprefix("|").removesuffix("|")
    return [cell.strip() for cell in text.split(separator)]


@cache
def _pattern(columns: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern of a row whose cells blanks separate; a client and the last cell may be missing."""
    parts = []
    for place, name in enumerate(columns):
        last = place == len(columns) - 1
        if name in NUMBERS:
            cell = NUMBER
        elif name == "qid":
            cell = r"\d+"
        elif name in ("last", "updated"):
            cell = r"N/A|-|\d{4}[-/]\d\d?[-/]\d\d?[ T]\d\d?:\d\d:\d\d(?:[.,]\d+)?|\d{13}"
        elif name == "index":
            cell = r"\d{1,5}"
        elif name in ("file", "expression"):
            cell = ".+?"
        elif name == "address":
            cell = r"\S+[:.]\S+"
        else:
            cell = r"\S+"
        optional = name in ("client", "language", "operation", "file", "type", "model") or (
            last and name in ("last", "updated", "diff")
        )
        gap = r"\s+" if place else ""
        parts.append(f"(?:{gap}(?P<{name}>{cell}))?" if optional else f"{gap}(?P<{name}>{cell})")
    return re.compile("".join(parts).replace("(?P<rest>", "(?:"))
