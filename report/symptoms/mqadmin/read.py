"""Read files with output of ``mqadmin``, and split them into tables and reports of members."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rebalance_proofs.report.given import NotGiven, text_of
from rebalance_proofs.report.symptoms.mqadmin.errors import NotReadable
from rebalance_proofs.report.symptoms.mqadmin.members import (
    CONNECTIONS,
    LIST,
    LISTED,
    NUMBERED,
    PROPERTIES,
    Member,
    Status,
    connections,
    member,
    status,
)
from rebalance_proofs.report.symptoms.mqadmin.pasted import pasted
from rebalance_proofs.report.symptoms.mqadmin.progress import Progress, progress

__all__ = ["Printed", "read"]

MOST = 64 * 1024 * 1024
"""Maximum file size in bytes; no group's output is larger."""
OVERVIEW = ("#Group", "#Count")
Numbered = Sequence[tuple[int, str]]


@dataclass
class Printed:
    """All parsed output, in the order of the files."""

    tables: list[Progress] = field(default_factory=list)
    lists: list[Status] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)


def read(paths: Sequence[Path]) -> Printed:
    """Parse the output in these files. Raises ``NotReadable``, with the file's name."""
    found = Printed()
    for path in paths:
        try:
            _read(_lines(path), found)
        except NotReadable as error:
            raise NotReadable(f"{str(path)!r}: {error}") from None
    groups = {one.group for one in found.members if one.group}
    if len(groups) > 1:
        raise NotReadable(
            f"the files contain members of {len(groups)} groups ({', '.join(sorted(groups))}); give files of one group"
        )
    return found


def _lines(path: Path) -> Numbered:
    try:
        text = text_of(path, MOST)
    except NotGiven as error:
        raise NotReadable(str(error)) from None
    return pasted(list(enumerate(text.splitlines(), 1)))


def _read(lines: Numbered, found: Printed) -> None:
    starts = [(place, begins) for place, (_, line) in enumerate(lines) if (begins := _begins(line))]
    if not starts:
        raise NotReadable("it is not output of `mqadmin consumerProgress -g GROUP` or `mqadmin consumerStatus`")
    ends = [place for place, _ in starts[1:]] + [len(lines)]
    for (start, begins), end in zip(starts, ends, strict=True):
        begins(lines[start:end], found)


def _begins(line: str) -> Callable[[Numbered, Printed], None] | None:
    """Return the parser of the section whose heading is this line; None if the line is no heading."""
    cells = tuple(line.split())
    if cells[:1] == ("#Topic",) and "#Broker Offset" in line:
        return lambda lines, found: found.tables.append(progress(lines))
    if cells == LIST or LISTED.match(line):
        return lambda lines, found: found.lists.append(status(lines))
    if cells == CONNECTIONS or NUMBERED.match(line):
        return lambda lines, found: found.lists.append(connections(lines))
    if line.strip() == PROPERTIES:
        return lambda lines, found: found.members.append(member(lines))
    return _overview if cells[:2] == OVERVIEW else None


def _overview(lines: Numbered, found: Printed) -> None:
    raise NotReadable(
        f"line {lines[0][0]}: a list of groups; print one group with `mqadmin consumerProgress -g GROUP -s true`"
    )
