"""``rebalance audit``: queue ownership of a group, reconstructed from its logs."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import Any

import click

from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.epilogs import statuses
from rebalance_proofs.cli.params import Duration, File, Folder, Master, Name
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.cli.translated import Translated, lang_option
from rebalance_proofs.cli.width import columns
from rebalance_proofs.language import gettext, later
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.audit.finding import What
from rebalance_proofs.recorded.logs.sources import Source
from rebalance_proofs.recorded.logs.times import DAY
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.audit.answer import NEVER, Answer
from rebalance_proofs.report.audit.document import document
from rebalance_proofs.report.audit.page import FIRST, cited, page
from rebalance_proofs.report.audit.printed import with_output
from rebalance_proofs.report.audit.read import Read, Request, kind, moment, read
from rebalance_proofs.report.audit.told import told
from rebalance_proofs.report.audit.words import quoted
from rebalance_proofs.report.own.output import make_folder, require_folder, require_own, require_writable, write_whole
from rebalance_proofs.report.symptoms.asked import nearest
from rebalance_proofs.report.text.wrapping import whole, wrapped

# Types of option values of ``rebalance audit``.

HOURS = 12 * 3_600_000
"""Largest clock error of a file in ms. A larger one is probably a typing error."""


class Zone(click.types.StringParamType):
    """Option value: the time zone of all files or of one file: ``+08:00``, ``c0.log=+08:00``."""

    name = "[FILE=]ZONE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return (file, or "" for all files; zone in ms ahead of UTC)."""
        if isinstance(value, tuple):
            return value
        file, sign, text = value.rpartition("=")
        if text.strip().upper() in ("Z", "UTC", "GMT"):
            return file, 0
        found = re.fullmatch(r"(?:GMT|UTC)?([+-])(\d{1,2})(?::?([0-5]\d))?", text.strip(), re.ASCII | re.I)
        if not found or (sign and not file) or int(found[2]) > 14:
            self.fail(f"{value!r} is not a time zone; write it like +08:00, UTC or FILE=+08:00", param, ctx)
        ms = (int(found[2]) * 60 + int(found[3] or 0)) * 60_000
        return file, -ms if found[1] == "-" else ms


class Shift(click.types.StringParamType):
    """Option value: the clock error of a file, such as ``c0.log=+1.2s``."""

    name = "FILE=TIME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return (file, time in ms by which its clock is ahead)."""
        if isinstance(value, tuple):
            return value
        file, _, text = value.rpartition("=")
        found = re.fullmatch(r"([+-]?)(\d.*)", text.strip())
        if not file or not found:
            self.fail(f"{value!r} is not a clock error; write FILE=TIME, such as c0.log=+1.2s", param, ctx)
        ms = Duration(HOURS).convert(found[2], param, ctx)
        return file, -ms if found[1] == "-" else ms


class When(click.types.StringParamType):
    """Option value: a date, a time of day, or both, such as ``2026-11-23 19:17``."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text, with a space between date and time of day."""
        try:
            return moment(value)
        except UsageError as error:
            self.fail(str(error), param, ctx)


class Kinds(click.types.StringParamType):
    """Option value: kinds of findings, separated by commas, such as ``two,nobody``; or ``none``."""

    name = "KINDS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the kinds of findings; empty for ``none``."""
        if isinstance(value, tuple):
            return value
        names = [part.strip() for part in value.split(",") if part.strip()]
        if names == ["none"]:
            return ()
        for name in names:
            _kind(name, self, param, ctx)
        if not names:
            self.fail(f"{value!r} names no finding; write none, or some of {', '.join(What)}", param, ctx)
        return tuple(What(name) for name in names)


class Allowed(click.types.StringParamType):
    """Option value: a kind of finding, and the duration up to which it is accepted: ``two=30s``."""

    name = "KIND=TIME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return (kind of finding, accepted duration in ms)."""
        if isinstance(value, tuple):
            return value
        name, equals, text = value.partition("=")
        if not equals:
            self.fail(f"{value!r} has no time; write KIND=TIME, such as two=30s", param, ctx)
        return _kind(name.strip(), self, param, ctx), Duration(7 * DAY).convert(text, param, ctx)


def _kind(name: str, type_: click.types.StringParamType, param: Any, ctx: Any) -> What:
    try:
        return kind(name)
    except UsageError as error:
        type_.fail(str(error), param, ctx)


MOST_NAMES = 10
"""Most groups or topics that are listed instead of an absent one."""
SHORT = 500_000
"""Number of bytes of a file without evidence that are searched for exceptions and tables."""


NONE = later("no line names a group, none is about --group or --topic, or a file is cut off")


@click.command(
    "audit",
    cls=Translated,
    epilog=statuses(
        later("no finding that --never names is SEEN"),
        later("at least one finding that --never names is SEEN"),
        f"3    {NONE}",
    ),
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--group", type=Name(), metavar="NAME", help="Audit this consumer group only.")
@click.option("--topic", type=Name(), metavar="NAME", help="Audit this topic only.")
@click.option(
    "--from",
    "begin",
    type=When(),
    help="Start of the audited period, in the time zone of the answer: 2026-11-23 19:17.",
)
@click.option("--to", "end", type=When(), help="End of the audited period.")
@click.option(
    "--zone",
    "zones",
    type=Zone(),
    multiple=True,
    help="Time zone of log lines that do not contain it: +08:00, or c0.log=+08:00 for one file. Repeat the option for "
    "more files.",
)
@click.option(
    "--clock",
    "clocks",
    type=Shift(),
    multiple=True,
    help="Clock error of a file, such as c0.log=+1.2s for a clock that is ahead. Repeat the option for more files.",
)
@click.option(
    "--tolerate",
    type=Duration(),
    default="1s",
    show_default=True,
    help="Ignore time differences up to this: they are not findings, because the clocks of two machines can differ.",
)
@click.option(
    "--client",
    type=Name(),
    metavar="VERSION",
    show_default="from the logs",
    help="Your client: a Java client version such as 5.2 or 4.9.8. The answer then lists causes for this version.",
)
@click.option(
    "--strategy",
    type=Name(),
    metavar="NAME",
    help="Allocation strategy, by RocketMQ's name, for logged results that do not name it.",
)
@click.option("--model", is_flag=True, help="Compare the log lines of each member with the modelled clients.")
@click.option(
    "--never",
    type=Kinds(),
    show_default=f"{','.join(NEVER)}, and model with --model",
    help="Findings that fail the audit, separated by commas, or none. They are explained in docs/reference/audit.md.",
)
@click.option(
    "--allow",
    "allowed",
    type=Allowed(),
    multiple=True,
    help="Accept a finding of --never that is shorter than TIME, such as two=30s. Repeat the option for more kinds.",
)
@click.option(
    "--output",
    type=Folder("name a folder for the answer"),
    metavar="DIR",
    help="Write audit.json, audit.html and audit.txt to DIR.",
)
@click.option("--report", type=File(dir_okay=False), metavar="FILE", help="Write an HTML page to FILE.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.option(
    "--parquet",
    type=Folder("name a folder for the tables"),
    metavar="DIR",
    help="Write queue ownership and findings to DIR, as Parquet.",
)
@click.option(
    "--master", type=Master(), metavar="URL", show_default="local[*] for large logs", help="Spark master URL."
)
@lang_option
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
    """Reconstruct queue ownership from client and broker logs.

    The answer says which member had each queue, and lists findings such as two owners, no owner or an offset
    rollback. A finding is SEEN if log lines of both sides show it. A finding is POSSIBLE if the logs leave it open, for
    example because a log ends too early or a member logged nothing. In JSON, times are in milliseconds.

    PATH is a file, a folder, a glob, or - for standard input. Logs of clients can have any layout; broker.log,
    lock.log and output of mqadmin are also read. Rotated logs and gzip files are accepted.

    \b
    Examples:
      rebalance audit logs/
      rebalance audit 'logs/*/rocketmq_client.log*' broker.log lock.log --group G --report audit.html
      rebalance audit logs/ --zone +08:00 --never two,back --allow two=30s
    """
    request = Request(
        paths,
        group or "",
        topic or "",
        begin or "",
        end or "",
        zones,
        clocks,
        tolerate,
        client or "",
        strategy or "",
        model,
        never,
        allowed,
        master,
    )
    for path, own in ((output, "audit.*"), (parquet, "*.parquet")):
        if path:
            require_folder(path, own)
    if report:
        require_writable(report)
        require_own(report, FIRST)
    with Reporter(as_json) as reporter, read(request, reporter.begins) as found:
        answer = found.answer
        if report or output:
            answer.lines = quoted(found.found, cited(answer))
        text = encoded(document(answer)) if output or as_json else ""
        # Written first: the reader of standard output can have closed it.
        written = _written(answer, text, output, report, parquet)
        if as_json:
            print(text)
            return answer.status
        for line in told(answer, columns()):
            reporter.line(line)
        if not answer.evidence:
            lines = _others(found) if group or topic else _for_why(found.found)
            for line in lines:
                reporter.line(line)
        else:
            for name in with_output(found.logs):
                command = whole(f"rebalance why --file {quote(printable(name))}")
                said = gettext("The log {name} also contains output of mqadmin. Run: {command}")
                for line in wrapped(said.format(name=whole(printable(name)), command=command), columns()):
                    reporter.line(line)
        for path in written:
            reporter.line(gettext("Written: {path}").format(path=path))
    return answer.status


def _others(found: Read) -> Iterator[str]:
    """Yield the names that the logs have instead of the group and topic that the user names."""
    groups, topics = found.names()
    for what, asked_, names in (("group", found.question.group, groups), ("topic", found.question.topic, topics)):
        if asked_ and asked_ not in names:
            named = f"the logs name {_listed(names)}" if names else f"the logs name no {what}"
            hint = f"; {nearest(asked_, names).strip()}".rstrip("; ")
            yield from wrapped(f"No line is about {what} {whole(printable(asked_))}: {named}{hint or '.'}", columns())


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(whole(printable(one)) for one in names[:MOST_NAMES]) + more


def _for_why(found: Sequence[Source]) -> Iterator[str]:
    """Yield the command that answers about the first of the files that ``rebalance why`` understands."""
    # Imported here because most audits need none of it.
    from rebalance_proofs.report.symptoms.pastes import understands

    for one in found:
        if one.packed:
            continue
        with suppress(OSError):
            with one.path.open("rb") as file:
                content = file.read(SHORT)
            if understands(content):
                command = whole(f"rebalance why --file {quote(printable(one.name))}")
                said = gettext("But `rebalance why` knows lines of it. Run: {command}")
                yield from wrapped(said.format(command=command), columns())
                return


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
