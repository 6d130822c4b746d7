"""Find mqadmin's output among the files of an audit."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.recorded.audit.group import Phrase, both, phrase
from rebalance_proofs.recorded.audit.outcome import Audited, GroupTold
from rebalance_proofs.recorded.logs.pieces import head
from rebalance_proofs.recorded.logs.search import telling
from rebalance_proofs.recorded.logs.sources import RUNNING_INFO, Left, Source
from rebalance_proofs.report.audit.answer import Printed
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.fits import question_of
from rebalance_proofs.report.symptoms.mqadmin.answer import observed
from rebalance_proofs.report.symptoms.mqadmin.columns import decoded
from rebalance_proofs.report.symptoms.mqadmin.lag import (
    LITTLE,
    apart,
    latest,
    moved_apart,
    rows_of_both,
    standing,
    stands,
)
from rebalance_proofs.report.symptoms.mqadmin.members import NotReadable, running_info
from rebalance_proofs.report.symptoms.mqadmin.progress import Progress, Queue
from rebalance_proofs.report.symptoms.mqadmin.read import MOST, parsed, read
from rebalance_proofs.report.symptoms.mqadmin.read import Printed as Parsed
from rebalance_proofs.report.symptoms.mqadmin.signs import seen
from rebalance_proofs.report.symptoms.stated import by_tables

# Findings about stalled queues from mqadmin's output that was taken at several times.

LONG = timedelta(minutes=5)
"""Time from which a standing offset is certainly unusual, if messages wait and other queues of the topic move."""
CAUSES = ("first-message-slow", "listener-blocks")
NOT_PULLED = ("pull-request-lost", "suspended")
"""Causes of a queue of which no message is in flight."""


def stalled(parsed: Parsed, group: str) -> Iterator[Finding]:
    """Yield findings about queues whose offset is the same at all times, although messages wait."""
    by_group: dict[str, list[Progress]] = {}
    for table in parsed.tables:
        own = by_group.setdefault(table.group, [])
        if table not in own:  # the same file was given twice
            own.append(table)
    for name, tables in by_group.items():
        if len(tables) > 1:
            yield from _of_tables(tables, name or group)
    for reports in latest(parsed.members)[1]:
        last, time = reports[-1], apart(reports)
        commits = {entry.queue: entry.commit for entry in last.entries}
        words = phrase(
            ", while messages were cached, in two reports {seconds} s apart", seconds=round(time.total_seconds())
        )
        for queue in standing(reports):
            offset = commits[queue] or 0
            yield _finding(last.group or group, queue, offset, words, certain=time >= LONG, who=last.client_id)


def _of_tables(tables: Sequence[Progress], group: str) -> Iterator[Finding]:
    first, *between, last = tables
    pairs = [(old, new) for old, new in rows_of_both(first, last) if not new.retries]
    moving = {new.queue[0] for old, new in pairs if new.consumer_offset > old.consumer_offset}
    moved = {
        new.queue
        for one in between
        for old, new in rows_of_both(first, one)
        if new.consumer_offset != old.consumer_offset
    }
    time = moved_apart(first, last)
    for old, new in pairs:
        if new.queue in moved or not stands(old, new):
            continue
        came = new.broker_offset - old.broker_offset
        words = (
            phrase(
                " in two tables, while the broker's offset rose from {low} to {high}",
                low=old.broker_offset,
                high=new.broker_offset,
            )
            if came > 0
            else phrase(" in two tables, while messages waited")
        )
        certain = time >= LONG and came > LITTLE and new.queue[0] in moving
        causes = NOT_PULLED if new.inflight == 0 else CAUSES
        yield _finding(group, new.queue, new.consumer_offset, words, certain=certain, causes=causes)


def _finding(
    group: str,
    queue: Queue,
    offset: int,
    words: Phrase,
    *,
    certain: bool,
    who: str = "",
    causes: tuple[str, ...] = CAUSES,
) -> Finding:
    detail = [phrase("its committed offset stayed at {offset}", offset=offset), words]
    if not certain:
        detail.append(phrase("; how long the queue stood still is unknown, or short"))
    return Finding(
        What.STALLED,
        Level.SEEN if certain else Level.POSSIBLE,
        group,
        queue[0],
        (who,) if who else (),
        (Interval(queue, None, None),),
        both(*detail),
        causes,
        (),
        {"offset": offset},
    )


def add_stalled(audited: Audited, printed: Sequence[Printed], group: str = "", topic: str = "") -> None:
    """Add the findings of mqadmin's output to those of their groups' logs.

    ``group``, ``topic``: the only ones that the user asks about. Output that names no group can be of that group.
    """
    for one in printed:
        for found in one.stalled:
            if (found.group and group and found.group != group) or (topic and found.topic != topic):
                continue
            own = next((each for each in audited.groups if each.name == found.group), None)
            if own is None:
                own = GroupTold(found.group, [], [], [], [], [], [], 0, 0)
                audited.groups.append(own)
            own.findings.append(found)


SMALL = 256 * 1024
"""Largest size in bytes of a file without a known heading that is searched for a pasted table."""

MIXED = re.compile(rb"\bmqadmin |^\W*#(?:Topic|Consumer|Group|ClientId)\b|^Below is (?:subscription|connection)", re.M)
"""Pattern of a part that the output of mqadmin has, and logs do not."""


def with_tables(found: Sequence[Source]) -> list[Source]:
    """Return the sources, with those marked as output of mqadmin that have a table in a less common form.

    Such forms are wrapped tables, the dashboard's JSON, and headings in Chinese.
    """
    return [replace(one, mqadmin=True, log=False) if _is_table(one) else one for one in found]


def _is_table(one: Source) -> bool:
    if one.mqadmin or one.size > SMALL:
        return False
    try:
        content, _ = head(one.path, SMALL)
        text = None if telling(content) else decoded(content)
        return text is not None and parsed(text).something
    except (OSError, NotReadable):
        return False


def with_output(found: Sequence[Source]) -> list[str]:
    """Return the names of small logs that contain output of mqadmin, too, between their lines."""
    names = []
    for one in found:
        if one.mqadmin or one.packed or one.size > SMALL:
            continue
        try:
            content, _ = head(one.path, SMALL)
            text = decoded(content) if MIXED.search(content) else None
            if text is not None and parsed(text).something:
                names.append(one.name)
        except (OSError, NotReadable):
            continue
    return names


def printed(found: Sequence[Source], spool: Path) -> tuple[list[Printed], list[Left]]:
    """Return (signs in mqadmin's output, files that cannot be read).

    Files about one group are analysed together, others file by file.
    """
    parsed: list[tuple[tuple[str, ...], Parsed]] = []
    left: list[Left] = []
    for place, one in enumerate(found):
        try:
            parsed.append(((one.name,), _parsed(one, spool / f"mqadmin-{place}")))
        except NotReadable as error:
            said = str(error)
            left.append(Left(one.name, said.partition("': ")[2] if said.startswith("'") else said))
        except OSError as error:
            left.append(Left(one.name, (error.strerror or "it cannot be read").lower()))
    groups = sorted({member.group for _, own in parsed for member in own.members if member.group})
    if len(parsed) > 1 and len(groups) < 2:
        every = Parsed(
            [one for _, own in parsed for one in own.tables],
            [one for _, own in parsed for one in own.lists],
            [one for _, own in parsed for one in own.members],
        )
        parsed = [(tuple(name for names, _ in parsed for name in names), every)]
    return [_told(names, own) for names, own in parsed], left


def _told(names: tuple[str, ...], own: Parsed) -> Printed:
    group = next(filter(None, (*(one.group for one in own.members), *(one.group for one in own.tables))), "")
    known = question_of(own, Asked())
    return Printed(
        names, tuple(seen(own)), group, tuple(by_tables(observed(own, known), known)), tuple(stalled(own, group))
    )


def _parsed(source: Source, copy: Path) -> Parsed:
    content, _ = head(source.path, MOST)
    if RUNNING_INFO.search(content):
        return Parsed(members=[running_info(content.decode("utf-8", "replace"))])
    copy.write_bytes(content)
    return read([copy])
