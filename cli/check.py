"""``rebalance check``: check a user-defined allocation strategy."""

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from rebalance_proofs import ranges
from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.cli.epilogs import statuses
from rebalance_proofs.cli.options import constructing, jobs_option
from rebalance_proofs.cli.params import File, Master, Name, NumberOrFile, Seconds, Whole
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.model.own.call import LIMIT, MEMORY_MB, Limits
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.own.answer import Answer
from rebalance_proofs.report.own.check import Check, Progress, Request
from rebalance_proofs.report.own.output import require_own, require_writable, write_whole
from rebalance_proofs.report.own.page import FIRST, document, page
from rebalance_proofs.report.own.strategies import Own
from rebalance_proofs.report.own.told import so_far, told
from rebalance_proofs.spark_enum.own.here import SECONDS
from rebalance_proofs.spark_enum.own.rows import Found

FILE = File(dir_okay=False)


@click.command(
    epilog="The guarantees returns, repeats and inside are always required. So are disjoint and covers, unless --holds "
    "or --same-as is given. repeats is checked only in groups in which the strategy was called again.\n\n"
    + statuses(
        "every required guarantee holds in all groups that were tried",
        "a required guarantee is broken",
        "3    with --ids: only a part of the groups of these ids was tried, and none of them breaks a guarantee",
    ),
)
@click.argument("strategy")
@click.option("--java", is_flag=True, help="Check a Java class; STRATEGY is its name.")
@constructing
@click.option(
    "--holds",
    metavar="NAMES",
    show_default="disjoint,covers",
    help="Required guarantees besides returns, repeats and inside, by their names in the answer, separated by commas. "
    "The check tries only the kinds of groups that these guarantees need.",
)
@click.option(
    "--same-as",
    type=Name(),
    metavar="STRATEGY",
    help="Require the results of another strategy, such as avg or other.py:f, and find the smallest input with "
    "different results.",
)
@click.option(
    "--group", "key", type=Name(), metavar="GROUP", help="Check one group only, by its name in an earlier answer."
)
@click.option(
    "--write-test",
    type=FILE,
    metavar="FILE",
    help="Write a test for each broken guarantee to FILE: pytest, or JUnit 5 with --java.",
)
@click.option(
    "--prove",
    is_flag=True,
    help="Prove the guarantees of Python code on indexes for all sizes, with both solvers.",
)
@click.option(
    "--owner",
    metavar="TERM",
    help="With --prove: formula for the index of the consumer that gets queue position p, such as 'p % c'.",
)
@click.option("--report", type=FILE, metavar="FILE", help="Write an HTML page to FILE.")
@click.option(
    "--junit-report", "junit_report_", type=FILE, metavar="FILE", help="Write a JUnit report for CI servers to FILE."
)
@click.option("--sarif", "sarif_", type=FILE, metavar="FILE", help="Write a SARIF log for code scanning to FILE.")
@click.option(
    "--all", "everything", is_flag=True, help="Print every guarantee with its smallest example, and the tried groups."
)
@click.option(
    "--vary",
    type=Name(),
    metavar="NAME=V1,V2",
    help="Also check groups whose members have different values of a setting, as during a rollout. NAME is a variable "
    "of the environment, a system property, an attribute or field of the strategy, or a constructor argument: env:, "
    "property:, attr: or arg: before it selects one of these.",
)
@click.option(
    "--property",
    "property_",
    type=Name(),
    metavar="FILE.py:NAME",
    help="Also require your own guarantee: a Python function of a group (ids, queues) and of its shares (id -> queues) "
    "that returns False or a reason, or raises AssertionError, if the guarantee is broken.",
)
@click.option(
    "--env",
    "variables",
    type=Name(),
    multiple=True,
    metavar="NAME",
    help="Pass this variable of the environment to the strategy too. Repeat the option for more variables.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.option(
    "--queues",
    type=NumberOrFile(),
    metavar="N|FILE",
    show_default="64",
    help="Largest number of queues, or a file with the queues of your topic. Its lines are TOPIC BROKER QUEUEID.",
)
@click.option(
    "--brokers", type=FILE, metavar="FILE", help="File with your brokers. Its lines are NAME, or NAME QUEUES."
)
@click.option("--ids", type=FILE, metavar="FILE", help="File with your client ids, one on each line.")
@click.option(
    "--consumer-group",
    type=Name(),
    metavar="NAME",
    help="Name of your consumer group, for strategies that read it.",
)
@click.option(
    "--sample",
    is_flag=True,
    help="With --ids: accept that only a part of the groups of your client ids is tried. Without --sample, the exit "
    "status is then 3.",
)
@click.option("--consumers", type=int, metavar="N", show_default="64", help="Largest number of consumers.")
@click.option(
    "--seconds",
    type=Seconds(*ranges.SECONDS),
    default=SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for slow code, in seconds; 0 for none. At the limit, the check omits the largest groups. The "
    "limit counts the time in which the strategy works or waits, or a third of the elapsed time if that is longer. It "
    "shrinks to a third once a guarantee is broken that every group needs. Repeated calls and --prove do not count.",
)
@click.option(
    "--thorough", is_flag=True, help="Try all groups with every kind of client ids and broker names, on Spark."
)
@click.option(
    "--master",
    type=Master(),
    metavar="URL",
    show_default="local[JOBS] for large checks",
    help="Spark master URL.",
)
@jobs_option("Number of cores for a local Spark.")
@click.option(
    "--limit",
    type=Seconds(*ranges.LIMIT),
    default=LIMIT,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for each call of the strategy, in seconds.",
)
@click.option(
    "--memory",
    type=Whole(*ranges.MEMORY_MB),
    default=MEMORY_MB,
    show_default=True,
    metavar="MB",
    help="Memory limit for the strategy's process, in MB.",
)
def check(
    strategy: str,
    java: bool,
    classpath: str | None,
    arguments: tuple[str, ...],
    holds: str | None,
    same_as: str | None,
    key: str | None,
    write_test: Path | None,
    prove: bool,
    owner: str | None,
    report: Path | None,
    junit_report_: Path | None,
    sarif_: Path | None,
    everything: bool,
    vary: str | None,
    property_: str | None,
    variables: tuple[str, ...],
    as_json: bool,
    queues: int | Path | None,
    brokers: Path | None,
    ids: Path | None,
    consumer_group: str | None,
    sample: bool,
    consumers: int | None,
    seconds: float,
    thorough: bool,
    master: str | None,
    jobs: int,
    limit: float,
    memory: int,
) -> int:
    """Check your own allocation strategy, in Python or Java.

    The answer lists which guarantees hold, such as "no queue is given to two consumers". For each broken guarantee it
    shows the smallest group, and a command that reproduces the result.

    In Python, STRATEGY is a function, or an object with allocate: mine.py:allocate, package.module:Class. It is called
    with RocketMQ's arguments (consumer_group, current_cid, mq_all, cid_all), or with the last three. Queues have topic,
    broker_name and queue_id. The strategy runs in a separate process.

    With --java, STRATEGY is a class that implements RocketMQ's AllocateMessageQueueStrategy, or has its allocate
    method. It runs in a separate JVM, with --master on each machine of Spark.

    \b
    Examples:
      rebalance check mine.py:allocate
      rebalance check mine.py:allocate --holds disjoint,covers,balanced
      rebalance check mine.py:allocate --ids ids.txt --brokers brokers.txt
      rebalance check --java com.acme.MyStrategy --classpath 'my.jar:lib/*' --arg 10
    """
    if everything and as_json:
        raise UsageError("--all adds details to the text answer; leave out --json")
    mine = Check(
        Request(
            strategy,
            java,
            classpath,
            arguments,
            holds,
            same_as,
            key,
            prove,
            owner,
            vary,
            property_,
            variables,
            consumers,
            queues,
            brokers,
            ids,
            consumer_group,
            sample,
            seconds,
            thorough,
            master,
            jobs,
            Limits(limit, memory),
        )
    )
    outputs = _reports(report, junit_report_, sarif_)
    _outputs(write_test, mine.mine, mine.command, outputs)
    with ENDING.working(), Reporter(as_json) as reporter:
        answer = mine.run(_Progress(reporter))
        # Written first: the reader of standard output can have closed it.
        saved = _written(answer, mine.mine, outputs, write_test)
        if as_json:
            print(encoded(document(answer)))
        else:
            for line in told(answer, everything=everything):
                reporter.line(*line)
        for said in saved:
            reporter.line(said)
    return answer.status


class _Progress(Progress):
    """Progress of a check in the terminal."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def begins(self, text: str) -> None:
        self._reporter.begins(text)

    def tries(self, spaces: int) -> None:
        self._step = self._reporter.step("trying", spaces)

    def tried(self) -> None:
        self._step.advance()

    def found(self, found: Found) -> None:
        for line in so_far(found) if self._reporter.moving else ():
            self._reporter.line(*line)


Report = tuple[Path, str, Callable[[Answer], str]]
"""A report: its path, its first line, and the function that renders the answer."""


def _reports(page_: Path | None, junit: Path | None, sarif: Path | None) -> list[Report]:
    """Return the reports that the options name."""
    outputs: list[tuple[Path | None, str, Callable[[Answer], str]]] = [(page_, FIRST, page)]
    if junit or sarif:
        from rebalance_proofs.report.own import reports  # loads junitparser

        outputs += [(junit, reports.JUNIT_FIRST, reports.junit_report), (sarif, reports.SARIF_FIRST, reports.sarif)]
    return [(path, first, rendered) for path, first, rendered in outputs if path]


def _outputs(write_test: Path | None, mine: Own, command: Sequence[str], reports: Sequence[Report]) -> None:
    """Check that the files of ``--write-test`` and of the reports can be written.

    Raises ``UsageError`` or ``OutputError``.
    """
    for path in (*(path for path, _, _ in reports), write_test):
        if path:
            require_writable(path)
    for path, first, _ in reports:
        require_own(path, first)
    if write_test:
        mine.fits(write_test)
        require_own(write_test, mine.first(command))


def _written(answer: Answer, mine: Own, reports: Sequence[Report], write_test: Path | None) -> list[str]:
    """Write the reports and the test of ``--write-test``, and return a line about each file."""
    said = []
    for path, _, rendered in reports:
        write_whole(path, rendered(answer))
        said.append(f"Written: {path}")
    if write_test:
        said.append(_write_test(write_test, answer, mine))
    return said


def _write_test(path: Path, answer: Answer, mine: Own) -> str:
    """Write a test that reproduces a broken guarantee, if a required guarantee is broken, and return a line about it.

    A file that this command did not write is not overwritten.
    """
    require_own(path, mine.first(answer.command))  # another process may have written the file meanwhile
    text = mine.test(answer, path)
    if text is None:
        return f"No test written: no required guarantee is broken{' in a single group' if answer.failing else ''}"
    write_whole(path, text)
    return f"Written: {path}"
