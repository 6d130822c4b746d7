"""Find mqadmin's output among the files of an audit."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rebalance_proofs.recorded.logs.pieces import head
from rebalance_proofs.recorded.logs.search import telling
from rebalance_proofs.recorded.logs.sources import RUNNING_INFO, Left, Source
from rebalance_proofs.report.audit.answer import Printed
from rebalance_proofs.report.audit.standing import stalled
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.fits import question_of
from rebalance_proofs.report.symptoms.mqadmin.answer import observed
from rebalance_proofs.report.symptoms.mqadmin.columns import decoded
from rebalance_proofs.report.symptoms.mqadmin.members import NotReadable, running_info
from rebalance_proofs.report.symptoms.mqadmin.read import MOST, parsed, read
from rebalance_proofs.report.symptoms.mqadmin.read import Printed as Parsed
from rebalance_proofs.report.symptoms.mqadmin.signs import seen
from rebalance_proofs.report.symptoms.tables import by_tables

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
