"""Restore mqadmin's output from pasted text.

The text comes from a mail, a page or Markdown, or from the dashboard's table.
"""

import re
from collections.abc import Iterator, Sequence

from rebalance_proofs.recorded.logs.plain import plain

__all__ = ["DASHBOARD", "pasted"]

Numbered = Sequence[tuple[int, str]]
QUOTE = re.compile(r"(?:(?:>|&gt;) ?)+")
RULE = re.compile(r":?-+:?")
DASHBOARD = ("broker", "queue", "consumerclient", "brokeroffset", "consumeroffset", "difftotal", "lasttimestamp")
"""Columns of a group's table in the dashboard, in lower case and without spaces.

The topic is above the table.
"""
TOPIC = re.compile(r"\btopic\b[\s:=\[|*]*([%\w-]{1,255})", re.I)
ABOVE = 5
"""The number of lines above a table that are searched for its topic."""
HEADING = "#Topic  #Broker Name  #QID  #Broker Offset  #Consumer Offset  #Client IP  #Diff  #LastTime"
MISSING = "N/A"


def pasted(lines: Numbered) -> list[tuple[int, str]]:
    """Return the lines as mqadmin prints them, each with its original line number."""
    texts = [(number, _unquoted(plain(line.encode("utf-8", "replace")).decode())) for number, line in lines]
    indent = next((found[1] for _, line in texts if (found := re.match(r"([ \t]+)#(?=\w)", line))), "")
    return list(_tables([(number, line.removeprefix(indent)) for number, line in texts]))


def _unquoted(line: str) -> str:
    found = QUOTE.match(line)
    return line[found.end() :] if found else line


def _tables(lines: Numbered) -> Iterator[tuple[int, str]]:
    head: list[str] = []
    for place, (number, line) in enumerate(lines):
        cells = _cells(line)
        names = ["".join(cell.split()).casefold() for cell in cells]
        if len(cells) > 2 and all(RULE.fullmatch(cell) for cell in cells):
            continue
        if tuple(names) == DASHBOARD:
            head = [_topic(lines[max(0, place - ABOVE) : place])]
            yield number, HEADING
        elif head and len(cells) == len(DASHBOARD):
            broker, queue, client, *offsets, last = (cell or MISSING for cell in cells)
            when = last if re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", last) else MISSING
            yield number, "  ".join((*head, broker, queue, *offsets[:2], client, *offsets[2:], when))
        else:
            head = []
            yield number, "  ".join(cell or MISSING for cell in cells) if "|" in line and len(cells) > 2 else line


def _cells(line: str) -> list[str]:
    """Return the cells of a row separated by bars or tabs; empty for any other line."""
    text = line.strip()
    if text.count("|") > 1:
        return [cell.strip() for cell in text.removeprefix("|").removesuffix("|").split("|")]
    return [cell.strip() for cell in text.split("\t")] if text.count("\t") > 1 else []


def _topic(above: Numbered) -> str:
    found = [one[1] for _, line in above if (one := TOPIC.search(line))]
    return found[-1] if found else "(topic)"
