"""Read the logs that a user names, and audit them."""

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from os import cpu_count
from pathlib import Path

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.audit.audit import audit
from rebalance_proofs.recorded.audit.finding import What
from rebalance_proofs.recorded.audit.outcome import Asked, Audited, digest, shown_zone
from rebalance_proofs.recorded.audit.outcome import clocks as clocks_of
from rebalance_proofs.recorded.logs.mentions import mentions
from rebalance_proofs.recorded.logs.sources import NotThere, Source, sources
from rebalance_proofs.recorded.logs.times import DAY, date_of, ms_of
from rebalance_proofs.report.audit.answer import NEVER, Answer, question_of
from rebalance_proofs.report.audit.known import known, meanings
from rebalance_proofs.report.audit.printed import add_stalled, printed, with_tables
from rebalance_proofs.report.symptoms.asked import UnknownName, asked, nearest

LARGE = 100_000_000
"""Total size of the logs in bytes from which Spark is used. A compressed file counts tenfold."""
TIME = re.compile(r"(\d{4}-\d\d-\d\d )?\d\d:\d\d(:\d\d(\.\d{1,3})?)?|\d{4}-\d\d-\d\d", re.ASCII)


@dataclass(frozen=True)
class Request:
    """What a user wants to know of which logs; times are in ms."""

    paths: Sequence[str]
    """Files, folders, globs, or - for standard input."""
    group: str = ""
    topic: str = ""
    begin: str = ""
    """Start of the audited period, in the time zone of the answer: ``2026-11-23 19:17``."""
    end: str = ""
    zones: Sequence[tuple[str, int]] = ()
    """(file, or "" for all; its zone, ahead of UTC)."""
    clocks: Sequence[tuple[str, int]] = ()
    """(file; time by which its clock is ahead)."""
    tolerate: int = 1_000
    client: str = ""
    strategy: str = ""
    model: bool = False
    never: Sequence[What] | None = None
    """Kinds of findings that fail the audit; None for the default."""
    allowed: Sequence[tuple[What, int]] = ()
    """(kind of finding; duration up to which it is accepted)."""
    master: str | None = None
    """Spark's address; by default, Spark reads large logs only."""


@dataclass
class Read:
    """Logs that were read, and the answer. The files are there until the block of ``read`` ends."""

    found: list[Source]
    question: Asked
    answer: Answer
    names: Callable[[], tuple[list[str], list[str]]] = field(repr=False)
    """Return the names of all groups and topics in the logs."""

    @property
    def logs(self) -> list[Source]:
        """The sources that are logs."""
        return [one for one in self.found if one.log]


@contextmanager
def read(request: Request, begins: Callable[[str], object] = lambda text: None) -> Iterator[Read]:
    """Context manager that audits the logs. ``begins``: told of work that takes long. Raises ``UsageError``."""
    try:
        typed = asked(request.client)
    except UnknownName as error:
        raise UsageError(str(error)) from None
    never = request.never
    if never is None:
        never = (*NEVER, *[What.MODEL] * request.model)
    elif What.MODEL in never and not request.model:
        raise UsageError("--never model needs --model: without it, the logs are not compared with the model")
    with tempfile.TemporaryDirectory(prefix="rebalance-audit-") as spool:
        try:
            found, left = sources(request.paths, Path(spool))
            found = with_tables(found)
            logs = [one for one in found if one.log]
            question = _question(logs, request)
            audited, used = _audited(logs, question, request.master, begins)
        except NotThere as error:
            raise UsageError(str(error)) from None
        signs, unread = printed([one for one in found if one.mqadmin], Path(spool))
        add_stalled(audited, signs, question.group, question.topic)
        answer = Answer(
            audited,
            [*left, *unread],
            question_of(audited.groups, typed, audited.files),
            dict.fromkeys(never, 0) | dict(_allowed(request.allowed, never)),
            digest(audited.groups),
            signs,
            used,
        )
        if not answer.named and not request.group and not request.topic:
            answer.mentions = mentions(logs)
            if not answer.evidence and not known(answer):
                answer.meanings = meanings(logs)

        def names() -> tuple[list[str], list[str]]:
            every, _ = _audited(logs, replace(question, group="", topic="", model=False), request.master, begins)
            topics = {span.queue[0] for one in every.groups for span in one.spans}
            return sorted({one.name for one in every.groups}), sorted(topics)

        yield Read(found, question, answer, names)


def moment(text: str) -> str:
    """Return a date, a time of day, or both, with a space between them. Raises ``UsageError``."""
    found = " ".join(text.split()).replace("T", " ")
    if not TIME.fullmatch(found):
        raise UsageError(f"{text!r} is not a time; write it like '2026-11-23 19:17:30' or 19:17")
    return found


def kind(name: str) -> What:
    """Return the kind of finding with that name. Raises ``UsageError``."""
    if name not in list(What):
        raise UsageError(
            f"{name!r} is not a kind of finding; {nearest(name, map(str, What))}the kinds are {', '.join(What)}"
        )
    return What(name)


def _allowed(allowed: Sequence[tuple[What, int]], never: Sequence[What]) -> Sequence[tuple[What, int]]:
    for what, _ in allowed:
        if what not in never:
            raise UsageError(f"--allow {what}: this finding does not fail the audit anyway; add it to --never first")
    return allowed


def _question(logs: Sequence[Source], request: Request) -> Asked:
    general = [ms for file, ms in request.zones if not file]
    if len(set(general)) > 1:
        raise UsageError("--zone is given twice without a file; write FILE=ZONE in one of them")
    question = Asked(
        general[0] if general else None,
        tuple(one for one in request.zones if one[0]),
        tuple(request.clocks),
        request.tolerate,
        request.group,
        request.topic,
        strategy=request.strategy,
        model=request.model,
    )
    if not request.begin and not request.end:
        return question
    shown = shown_zone(logs, question)
    first = _first(logs, question) + shown
    begin, end = (_ms(text, first, shown, last) for text, last in ((request.begin, False), (request.end, True)))
    if begin is not None and end is not None and begin > end:
        raise UsageError(f"--from {request.begin} is after --to {request.end}; give an earlier start or a later end")
    return replace(question, begin=begin, end=end)


def _first(logs: Sequence[Source], question: Asked) -> int:
    """Return the time of the first log line, in ms since 1970 in UTC; 0 if it is unknown.

    Clock errors given by the user are corrected.
    """
    known = clocks_of(logs, question)
    dated = [(one.first, known[one.name][0]) for one in logs if one.first is not None]
    return min((at + clock.shift - clock.zone for at, clock in dated), default=0)


def _ms(text: str, first: int, shown: int, last: bool) -> int | None:
    """Return the time ``text`` from the command line in ms since 1970 in UTC; None without a text.

    ``first`` is the start of the logs in ms; a time of day without a date belongs to that day. ``shown`` is the time
    zone of the answer, in ms ahead of UTC. With ``last``, a date without a time of day means the end of that day.
    """
    if not text:
        return None
    whole = text if text[4:5] == "-" else f"{date_of(first):%Y-%m-%d} {text}"
    try:
        when = datetime.fromisoformat(whole).replace(tzinfo=UTC)
    except ValueError:
        raise UsageError(f"{text!r} is not a valid date or time of day; check its numbers") from None
    at = ms_of(when) - shown
    return at + (DAY - 1 if last and len(whole) == len("2026-11-23") else 0)


def _audited(
    logs: Sequence[Source], question: Asked, master: str | None, begins: Callable[[str], object]
) -> tuple[Audited, str]:
    large = sum(one.size * (10 if one.packed else 1) for one in logs) > LARGE
    if not master and not large:
        return audit(logs, question), ""
    # Imported here because PySpark takes long to load and start.
    from rebalance_proofs.spark_enum.audit import audit_on
    from rebalance_proofs.spark_enum.session import spark_session

    used = master or f"local[{cpu_count() or 1}]"
    begins(f"reading on {used}")
    with spark_session(used) as session:
        return audit_on(session, logs, question), used
