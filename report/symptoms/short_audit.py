"""The findings of an audit in the short form of ``rebalance why``, for a log that was given to it."""

import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from rebalance_proofs.documents import Explanation
from rebalance_proofs.language import gettext, language
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.audit.audit import audit
from rebalance_proofs.recorded.audit.finding import Finding, Level, What
from rebalance_proofs.recorded.audit.outcome import Asked as AuditAsked
from rebalance_proofs.recorded.audit.outcome import Audited
from rebalance_proofs.recorded.logs.sources import sources
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.audit.answer import behind, question_of
from rebalance_proofs.report.audit.worded import worded
from rebalance_proofs.report.symptoms.answer import Found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.document import document
from rebalance_proofs.report.symptoms.paste import CODED, Statement, statements
from rebalance_proofs.report.symptoms.pastes import Given, of_elsewhere, of_statements
from rebalance_proofs.report.symptoms.stated import in_short
from rebalance_proofs.report.symptoms.worded import Answer

MOST = 3
"""Most findings and causes in the short form."""
OFTEN = 3
"""Number of lines from which an ordinary event is a problem."""
WARNING = re.compile(r"\b(?:WARN|WARNING|ERROR|ERRO)\b|[\[(](?:warning|error)[\])]|level=(?:warn|error)|\[BUG\]")
"""Level of a log line that reports a problem."""
SURE = (What.TWO, What.IDS, What.BACK)
"""Findings that say more than a response code or an exception in the same log."""


def of_logs(logs: Sequence[Given], question: Asked, lasted: int | None, about: str) -> Answer:
    """Return the findings of an audit of these logs. Raises ``UsageError``."""
    with tempfile.TemporaryDirectory(prefix="rebalance-why-") as folder:
        found, _ = sources(_spooled(logs, folder), Path(folder))
        audited = audit([one for one in found if one.log], AuditAsked())
    known = question_of(audited.groups, question)
    every = sorted(
        (one for group in audited.groups for one in group.findings),
        key=lambda one: (one.level is Level.POSSIBLE, -one.long),
    )
    told = [one for log in logs for one in statements(log.text, logged=False) if one.rank <= CODED]
    # A producer's exception says more than its code, or than a failed request.
    coded = bool(told) and all(one.rank == CODED or one.transport for one in told)
    unsure = not every and (coded or not told)
    if unsure and (other := of_elsewhere([log.text for log in logs], question, lasted, about)):
        return other
    if told and not any(one.what in SURE and one.level is Level.SEEN for one in every):
        answer = of_statements(told, known, lasted, about)
        return answer._replace(lines=[*answer.lines, "", *_found(audited, every[:MOST]), _more(logs)])
    if not audited.groups and (silent := [one for log in logs for one in statements(log.text)]):
        return of_statements(silent, known, lasted, about)
    if not audited.groups:
        many = sum(file.tally.lines for file in audited.files)
        raise UsageError(
            gettext(
                "{name}: a log, but none of its {number} lines is about a consumer group, and none has a response code "
                "or an exception's text that is known"
            ).format(name=repr(logs[0].name), number=f"{many:,}")
        )
    if not every and (warned := _warned(logs)):
        answer = of_statements(warned, known, lasted, about)
        return answer._replace(lines=[*answer.lines, "", _more(logs)])
    causes = _causes(every, known)

    def as_json() -> Explanation:
        return document(about, known, lasted, causes=causes, first=[one.cause.name for one in causes[:MOST]])

    return Answer(_lines(audited, every, causes[:MOST], logs), as_json)


def _spooled(logs: Sequence[Given], folder: str) -> list[str]:
    """Write the logs to files in a folder, and return their paths: an audit reads files."""
    paths = []
    for place, log in enumerate(logs):
        called = Path(log.name).name if log.name not in ("", "-") else f"text-{place}.log"
        path = Path(tempfile.mkdtemp(dir=folder)) / called
        path.write_bytes(log.content)
        paths.append(str(path))
    return paths


def _warned(logs: Sequence[Given]) -> list[Statement]:
    """Return the statements that indicate causes: of warnings and errors, and of events that come too often."""
    told = (one for log in logs for one in statements(log.text))
    return [
        one
        for one in told
        if one.causes and (one.pair or WARNING.search(one.quoted) or (one.line is None and one.times >= OFTEN))
    ]


def _causes(every: Sequence[Finding], question: Asked) -> list[Found]:
    """Return the causes of the findings: the first of each, then the second of each, and so on."""
    each = [behind(one, question) for one in every[:MOST]]
    ranked = [
        causes[place] for place in range(max(map(len, each), default=0)) for causes in each if place < len(causes)
    ]
    return list({one.cause.name: one for one in ranked}.values())


def _lines(audited: Audited, every: Sequence[Finding], causes: Sequence[Found], logs: Sequence[Given]) -> Iterator[str]:
    lines = sum(file.tally.lines for file in audited.files)
    groups = ", ".join(printable(group.name) for group in audited.groups[:MOST])
    yield gettext("A log of {lines} lines about {groups}: read as `rebalance audit` reads it.").format(
        lines=f"{lines:,}", groups=groups
    )
    yield from _found(audited, every[:MOST])
    if not every:
        yield gettext("Its lines show no finding: no two owners, no gap, no rollback, no refused request.")
    yield from in_short(causes)
    yield ""
    yield _more(logs)


def _found(audited: Audited, every: Sequence[Finding]) -> Iterator[str]:
    for one in every:
        said = worded(one, audited.zone)
        yield gettext("{level}: {finding}: {place}").format(
            level=one.level.value,
            finding=gettext(one.what.sentence),
            place=f"{said.where}, {said.when}" if said.where else said.when,
        )
        stop = "。" if language() == "zh" else "."
        yield f"   {f'{said.members}: ' if said.members else ''}{said.detail}{stop}"


def _more(logs: Sequence[Given]) -> str:
    named = " ".join(log.name for log in logs if log.name) or "FILE"
    return gettext("All findings, with the timeline: rebalance audit {names}").format(names=printable(named))
