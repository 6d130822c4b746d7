"""``rebalance audit``: what a group's own logs say."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click

from rebalance_proofs.cli.audit_params import Allowed, Kinds, Shift, When, Zone
from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.options import CORES
from rebalance_proofs.cli.params import Duration, File, Folder, Master, Name
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.cli.width import columns
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.audit.asked import Asked, shown_zone
from rebalance_proofs.recorded.audit.asked import clocks as clocks_of
from rebalance_proofs.recorded.audit.audit import audit
from rebalance_proofs.recorded.audit.finding import What
from rebalance_proofs.recorded.audit.outcome import Audited, digest
from rebalance_proofs.recorded.logs.error import NotThere
from rebalance_proofs.recorded.logs.sources import Source, sources
from rebalance_proofs.recorded.logs.times import DAY, date_of, ms_of
from rebalance_proofs.report.audit.answer import NEVER, Answer, question_of
from rebalance_proofs.report.audit.document import document
from rebalance_proofs.report.audit.page import FIRST, page
from rebalance_proofs.report.audit.printed import printed
from rebalance_proofs.report.audit.told import told
from rebalance_proofs.report.own.output import make_folder, require_folder, require_own, require_writable, write_whole
from rebalance_proofs.report.symptoms.asked import UnknownName, asked

LARGE = 100_000_000
"""Bytes from which Spark is used by default; packed files count tenfold."""


@click.command(
    "audit",
    epilog="Exit status: 0 when nothing that --never names is SEEN, 1 when something is, 2 when the call is wrong, "
    "3 when nothing in the files is about a group.",
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--group", type=Name(), help="Of this group only.")
@click.option("--topic", type=Name(), help="Of this topic only.")
@click.option("--from", "begin", type=When(), help="From this time on, as the answer shows times: 2026-11-23 19:17.")
@click.option("--to", "end", type=When(), help="Up to this time.")
@click.option(
    "--zone",
    "zones",
    type=Zone(),
    multiple=True,
    help="Of clocks on lines, where their form does not tell: +08:00, or c0.log=+08:00 of a file.",
)
@click.option("--clock", "clocks", type=Shift(), multiple=True, help="A file's clock is ahead: c0.log=+1.2s.")
@click.option("--tolerate", type=Duration(), default="1s", show_default=True, help="By so much clocks may differ.")
@click.option("--client", type=Name(), help="Version of Java's client, for the causes.  [default: as the logs say]")
@click.option("--strategy", type=Name(), help="RocketMQ's name of the strategy of results that do not say it.")
@click.option("--model", is_flag=True, help="Hold each member's lines against the model's clients.")
@click.option("--never", type=Kinds(), help=f"What must not be.  [default: {','.join(NEVER)}; model with --model]")
@click.option("--allow", "allowed", type=Allowed(), multiple=True, help="Allow it for so long: two=30s.")
@click.option("--output", type=Folder("name one for the answer"), help="Write audit.json, audit.html, audit.txt here.")
@click.option("--report", type=File(dir_okay=False), metavar="FILE", help="Write a page (HTML).")
@click.option("--json", "as_json", is_flag=True, help="For tools; times in ms.")
@click.option("--parquet", type=Folder("name one for the table"), help="Write entries and findings as Parquet here.")
@click.option("--master", type=Master(), metavar="URL", help="Spark master.  [default: local[*], if files are large]")
def audit_(
    paths: tuple[str, ...],
    group: str | None,
    topic: str | None,
    begin: str | None,
    end: str | None,
    zones: tuple[tuple[str, int], ...],
    clocks: tuple[tuple[str, int], ...],
    tolerate: int,
    client: str | None,
    strategy: str | None,
    model: bool,
    never: tuple[What, ...] | None,
    allowed: tuple[tuple[What, int], ...],
    output: Path | None,
    report: Path | None,
    as_json: bool,
    parquet: Path | None,
    master: str | None,
) -> int:
    """Tell what a consumer group's own logs say: who had which queue when, and what does not fit.

    \b
    PATH is a file, a folder, a glob, or - for what is piped in: clients' logs of any layout,
    broker.log, lock.log, rotated or packed by gzip, and what mqadmin printed. SEEN is what
    lines on both sides show; POSSIBLE is what an open end, or a silent member, leaves open.

    \b
    Example:
      rebalance audit logs/
      rebalance audit 'logs/*/rocketmq_client.log*' broker.log lock.log --group G --report audit.html
      rebalance audit logs/ --zone +08:00 --never two,back --allow two=30s
    """
    try:
        release = asked(client or "").release
    except UnknownName as error:
        raise UsageError(str(error)) from None
    if never is None:
        never = (*NEVER, *[What.MODEL] * model)
    elif What.MODEL in never and not model:
        raise UsageError("--never model: nothing is held against the model without --model")
    for path, own in ((output, "audit.*"), (parquet, "*.parquet")):
        if path:
            require_folder(path, own)
    if report:
        require_writable(report)
        require_own(report, FIRST)
    with Reporter(as_json) as reporter, tempfile.TemporaryDirectory(prefix="rebalance-audit-") as spool:
        try:
            found, left = sources(paths, Path(spool))
            logs = [one for one in found if one.log]
            question = _question(logs, zones, clocks, tolerate, group, topic, begin, end, strategy, model)
            audited, used = _audited(logs, question, master, reporter)
        except NotThere as error:
            raise UsageError(str(error)) from None
        signs, unread = printed([one for one in found if one.mqadmin], Path(spool))
        answer = Answer(
            audited,
            [*left, *unread],
            question_of(audited.groups, release),
            dict.fromkeys(never, 0) | dict(_allowed(allowed, never)),
            digest(audited.groups),
            signs,
            used,
        )
        text = encoded(document(answer)) if output or as_json else ""
        if as_json:
            print(text)
        for line in () if as_json else told(answer, columns()):
            reporter.line(line)
        for path in _written(answer, text, output, report, parquet):
            if not as_json:
                reporter.line(f"Written: {path}")
    return answer.status


def _allowed(allowed: Sequence[tuple[What, int]], never: Sequence[What]) -> Sequence[tuple[What, int]]:
    for what, _ in allowed:
        if what not in never:
            raise UsageError(f"--allow {what}: that may be anyway; --never says what must not be")
    return allowed


def _question(
    logs: Sequence[Source],
    zones: Sequence[tuple[str, int]],
    clocks: Sequence[tuple[str, int]],
    tolerate: int,
    group: str | None,
    topic: str | None,
    begin: str | None,
    end: str | None,
    strategy: str | None,
    model: bool,
) -> Asked:
    general = [ms for file, ms in zones if not file]
    if len(set(general)) > 1:
        raise UsageError("--zone is given twice without a file; write FILE=ZONE for one of them")
    question = Asked(
        general[0] if general else None,
        tuple(one for one in zones if one[0]),
        tuple(clocks),
        tolerate,
        group or "",
        topic or "",
        strategy=strategy or "",
        model=model,
    )
    shown = shown_zone(logs, question)
    times = [_ms(text, _first(logs, question) + shown, shown, last) for text, last in ((begin, False), (end, True))]
    if times[0] is not None and times[1] is not None and times[0] > times[1]:
        raise UsageError(f"--from {begin} is after --to {end}")
    return replace(question, begin=times[0], end=times[1])


def _first(logs: Sequence[Source], question: Asked) -> int:
    """ms in UTC at which the logs begin, by their clocks."""
    known = clocks_of(logs, question)
    dated = [(one.first, known[one.name][0]) for one in logs if one.first is not None]
    return min((at + clock.shift - clock.zone for at, clock in dated), default=0)


def _ms(text: str | None, first: int, shown: int, last: bool) -> int | None:
    """ms in UTC; a time without a date is of the day of ``first``, as the answer shows it."""
    if text is None:
        return None
    whole = text if text[4:5] == "-" else f"{date_of(first):%Y-%m-%d} {text}"
    try:
        when = datetime.fromisoformat(whole).replace(tzinfo=UTC)
    except ValueError:
        raise UsageError(f"{text!r} is no time of a clock or calendar") from None
    at = ms_of(when) - shown
    return at + (DAY - 1 if last and len(whole) == len("2026-11-23") else 0)


def _audited(logs: Sequence[Source], question: Asked, master: str | None, reporter: Reporter) -> tuple[Audited, str]:
    large = sum(one.size * (10 if one.packed else 1) for one in logs) > LARGE
    if not master and not large:
        return audit(logs, question), ""
    # Imported only here: PySpark takes long to load, and longer to start.
    from rebalance_proofs.spark_enum.audit.on_spark import audit_on
    from rebalance_proofs.spark_enum.session import spark_session

    used = master or f"local[{CORES}]"
    reporter.begins(f"reading on {used}")
    with spark_session(used) as session:
        return audit_on(session, logs, question), used


def _written(answer: Answer, text: str, output: Path | None, report: Path | None, parquet: Path | None) -> list[Path]:
    found = []
    drawn = page(answer) if report or output else ""
    if report:
        write_whole(report, drawn)
        found.append(report)
    if output:
        make_folder(output)
        for name, content in (
            ("audit.json", text + "\n"),
            ("audit.html", drawn),
            ("audit.txt", "".join(f"{line}\n" for line in told(answer))),
        ):
            write_whole(output / name, content)
            found.append(output / name)
    if parquet:
        from rebalance_proofs.report.audit.parquet import write_tables

        make_folder(parquet)
        found += write_tables(answer, parquet)
    return found
