"""``rebalance check``: check a user-defined allocation strategy."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

import click

from rebalance_proofs.cli import own
from rebalance_proofs.cli.described import NumberOrFile, listed
from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.cli.epilogs import statuses
from rebalance_proofs.cli.options import constructing, jobs_option
from rebalance_proofs.cli.own import Own
from rebalance_proofs.cli.params import File, Master, Name, Seconds, Whole
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.model.allocation.strategy import Strategy as Known
from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.names import GROUP, YOURS, Names, derived, given
from rebalance_proofs.model.own.surroundings import PROPERTY, Surroundings
from rebalance_proofs.model.own.worker import LIMIT, MEMORY_MB, Limits
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.own.proof import Proof
from rebalance_proofs.proofs.own.steps import written
from rebalance_proofs.report.own.answer import Answer
from rebalance_proofs.report.own.document import document
from rebalance_proofs.report.own.output import require_own, require_writable, write_whole
from rebalance_proofs.report.own.page import FIRST, page
from rebalance_proofs.report.own.told import so_far, told
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.own.answered import answered
from rebalance_proofs.spark_enum.own.checked import Checked, check_group, check_history, with_varied
from rebalance_proofs.spark_enum.own.checked import check as check_all
from rebalance_proofs.spark_enum.own.here import SECONDS, Here
from rebalance_proofs.spark_enum.own.named import NamedSpace, is_named, named_group, with_names
from rebalance_proofs.spark_enum.own.properties import PREFIX, judging, property_of
from rebalance_proofs.spark_enum.own.rows import ALWAYS, CHANGED, HISTORY, NEEDED, Found
from rebalance_proofs.spark_enum.own.rows import names as row_names
from rebalance_proofs.spark_enum.own.spaces import SAME_AS, SAME_LISTS, Extent, OwnSpace, compared, space_of, spaces
from rebalance_proofs.spark_enum.own.varied import Vary, check_varied, varied_group

LARGE = 3_000_000
"""Number of calls of the strategy from which Spark is used by default."""

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
    type=Seconds(0, 86400),
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
    type=Seconds(0.01, 3600),
    default=LIMIT,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for each call of the strategy, in seconds.",
)
@click.option(
    "--memory",
    type=Whole(16, 2**20),
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
    limits = Limits(limit, memory)
    most, file = (None, queues) if isinstance(queues, Path) else (queues, None)
    read = listed(ids, brokers, file)
    if sample and not ids:
        raise UsageError("--sample needs --ids: it accepts that only a part of the groups of your client ids is tried")
    extent = Extent(_bounds(consumers, most), thorough)
    if key and (most or consumers or thorough or master):
        raise UsageError(
            "--group checks one group: leave out --queues, --consumers, --thorough and --master, which select groups"
        )
    if everything and as_json:
        raise UsageError("--all adds details to the text answer; leave out --json")
    strange = next((name for name in variables if "=" in name), None)
    if strange is not None:
        raise UsageError(f"--env {strange!r} is not the name of a variable; set the variable, and pass its name only")
    around = Surroundings(variables, consumer_group=consumer_group or "")
    mine = _mine(strategy, java, classpath, arguments, limits, around, carried=bool(master))
    if vary:
        setting, values, each = own.varied(vary, around)
        if not java and any(one.kind == PROPERTY for found in each for one in found.settings):
            raise UsageError(f"--vary {vary!r} needs --java: Python code has no system properties")
        sides = [_mine(strategy, java, classpath, arguments, limits, one).open for one in each]
        rollout = Vary(setting, values, tuple(sides))
    if property_ and (master or thorough):
        raise UsageError("--property runs without Spark: leave out --thorough and --master")
    if owner is not None:
        if not prove:
            raise UsageError("--owner needs --prove: it helps to prove that every queue has an owner")
        written(owner)
    if prove and not mine.named:
        raise UsageError("--prove does not work with --java: only strategies in Python can be proved")
    same = ("--same-as", same_as) if same_as else ()
    more = [*[word for name in variables for word in ("--env", name)], *(["--vary", vary] if vary else [])]
    more += ["--property", property_] if property_ else []
    more += ["--consumer-group", consumer_group] if consumer_group else []
    files = (("--ids", ids), ("--brokers", brokers), ("--queues", file))
    named = [word for option, path in files if path for word in (option, str(path))]
    command = ("rebalance", "check", *mine.typed, *same, *own.typed(limits), *named, *more)
    outputs = _reports(report, junit_report_, sarif_)
    _outputs(write_test, mine, command, outputs)
    ENDING.keep()  # otherwise a signal would end this process at once, and the strategy's process would go on
    with ENDING.cuts(), ExitStack() as open_too, Reporter(as_json) as reporter:
        second, beside = _second(same_as, limits, around, open_too)
        yours = _names(mine, *read, consumer_group or GROUP)
        own_names = next((one for one in yours if one.name == YOURS), None)
        judged = _judged(property_, limits, around, open_too)
        like = judging(spaces(Extent()), judged)[0]
        if key and key.split("/")[0] in CHANGED:
            required: tuple[str, ...] = NEEDED
            if key.startswith(f"{HISTORY}/"):
                checked = check_history(key, own_names, like, mine.open)
            elif vary:
                checked = _varied(rollout, key, own_names, like)
            else:
                raise UsageError(f"--group {key!r} needs the option --vary of the command that printed it")
        elif key:
            space, configuration = _group(key, second, beside, yours)
            (space,) = judging((space,), judged)
            required = _required(holds, (space,), second)
            checked = check_group(space, configuration, mine.open)
        else:
            every = judging(with_names(compared(extent, second, beside) if second else spaces(extent), yours), judged)
            required = _required(holds, every, second)
            if holds:
                every = tuple(space for space in every if set(row_names(space)) & set(required))
            to = "" if judged else _master(every, thorough, master, jobs, beside)
            checked = _all(mine, every, reporter, to, seconds)
            if vary:
                checked = with_varied(checked, check_varied(rollout, own_names, like.guarantees), setting)
        proofs = _proofs(mine, owner, reporter, jobs, variables) if prove else ()
        answer = Answer(
            mine.strategy,
            command,
            checked,
            required,
            proofs,
            around.withheld(mine.reads()),
            around.consumer_group,
            sample,
        )
        # Written first: the reader of standard output can have closed it.
        saved = _written(answer, mine, outputs, write_test)
        if as_json:
            print(encoded(document(answer)))
        else:
            for line in told(answer, everything=everything):
                reporter.line(*line)
        for said in saved:
            reporter.line(said)
    return answer.status


def _mine(
    strategy: str,
    java: bool,
    classpath: str | None,
    arguments: tuple[str, ...],
    limits: Limits,
    around: Surroundings,
    *,
    carried: bool = False,
) -> Own:
    if java:
        if classpath is None:
            raise UsageError("--java needs --classpath JARS, the jars and folders that contain the class")
        if not strategy.strip():
            raise UsageError(f"{strategy!r} is not a class name; write it like com.acme.MyStrategy")
        return own.java(strategy, classpath, arguments, limits, around)
    if classpath is not None or arguments:
        raise UsageError("--classpath and --arg need --java: they are for strategies in Java")
    return own.python(strategy, limits, around, carried=carried)


def _proofs(
    mine: Own, owner: str | None, reporter: Reporter, jobs: int, variables: tuple[str, ...]
) -> tuple[Proof, ...]:
    # Imported here because the solvers take long to load.
    from rebalance_proofs.proofs.own.prove import prove_own

    assert mine.named
    reporter.begins("proving")
    with mine.open(0) as worker:
        return tuple(prove_own(mine.named, answered(worker), owner or "", jobs, passed=variables))


def _bounds(consumers: int | None, queues: int | None) -> Bounds:
    usual = Bounds()
    return replace(
        usual,
        consumers=usual.consumers if consumers is None else consumers,
        queues=usual.queues if queues is None else queues,
    )


def _second(
    same_as: str | None, limits: Limits, around: Surroundings, open_too: ExitStack
) -> tuple[Known | None, Asked | None]:
    """Return the strategy that ``--same-as`` names, and its process if it is user-defined."""
    if same_as is None:
        return None, None
    found = own.other(same_as, limits, around)
    if isinstance(found, Own):
        asked = Asked(open_too.enter_context(found.open(0)))
        return asked.strategy, asked
    return found, None


def _names(mine: Own, ids: Sequence[str], queues: tuple[MessageQueue, ...], group: str) -> tuple[Names, ...]:
    """Return the user's names, and names with texts that the code looks for."""
    looked_for = mine.literals()
    return tuple(filter(None, (given(ids, queues, looked_for, group), derived(looked_for))))


def _varied(rollout: Vary, key: str, yours: Names | None, like: OwnSpace) -> Checked:
    named, one = varied_group(key, yours, len(rollout.values))
    found = check_varied(rollout, named, like.guarantees, one)
    return with_varied(Checked((), one_group=True), found, rollout.name)


def _judged(text: str | None, limits: Limits, around: Surroundings, open_too: ExitStack) -> Guarantee | None:
    """Return the user's own guarantee, whose function runs in a process of its own."""
    if text is None:
        return None
    what = own.python(text, limits, replace(around, consumer_group=""), judges=True)
    assert what.named
    return property_of(open_too.enter_context(what.open(0)), what.named.what)


def _group(
    key: str, second: Known | None, beside: Asked | None, yours: Sequence[Names]
) -> tuple[OwnSpace, Configuration]:
    if is_named(key):
        like = compared(Extent(), second, beside) if second and key.startswith(SAME_AS.name) else spaces(Extent())
        return named_group(key, like[0], yours)
    return space_of(key, second, beside)


def _all(mine: Own, every: tuple[OwnSpace, ...], reporter: Reporter, master: str, seconds: float) -> Checked:
    step = reporter.step("trying", len(every))

    def early(found: Found) -> None:
        for line in so_far(found) if reporter.moving else ():
            reporter.line(*line)

    def keep(found: Found) -> None:
        early(found)
        step.advance()

    if not master:
        return check_all(every, mine.open, keep, Here(seconds, early))
    # Imported here because PySpark takes long to load and start.
    from rebalance_proofs.spark_enum.own.on_spark import on_spark
    from rebalance_proofs.spark_enum.session import spark_session

    reporter.begins(f"trying on {master}")
    with spark_session(master) as session:

        def do(spaces: Sequence[OwnSpace], asked: Asked, told: Callable[[Found], object]) -> list[Found]:
            named = [space for space in spaces if isinstance(space, NamedSpace)]
            others = [space for space in spaces if not isinstance(space, NamedSpace)]
            return [*Here(seconds)(named, asked, told), *on_spark(session, mine.open, others, asked, told)]

        return check_all(every, mine.open, keep, do, spark=master)


def _master(every: tuple[OwnSpace, ...], thorough: bool, master: str | None, jobs: int, beside: Asked | None) -> str:
    """Return the Spark master; empty if Spark is not needed."""
    if beside:
        if master or thorough:
            raise UsageError(
                "--same-as with your own strategy runs without Spark: leave out --thorough and --master, or name a "
                "strategy of RocketMQ"
            )
        return ""
    large = sum(space.calls for space in every if not isinstance(space, NamedSpace)) > LARGE
    return master or (f"local[{jobs}]" if large or thorough else "")


def _required(holds: str | None, every: Sequence[OwnSpace], second: Known | None) -> tuple[str, ...]:
    """Return the names of the guarantees that decide the exit status.

    They are those of ``--holds``, or the default ones, and those that are always required. Raises ``UsageError`` for an
    unknown name.
    """
    there = list(dict.fromkeys(name for space in every for name in row_names(space)))
    if holds is None:
        needed = tuple(
            name for name in there if name in ((SAME_LISTS.name,) if second else NEEDED) or name.startswith(PREFIX)
        )
        return needed or tuple(there)  # with --group: a group without an assumption, or one that changes
    named = {name.strip() for name in holds.split(",") if name.strip()}
    unknown = sorted(name for name in named if name not in there)
    if unknown or not named:
        none = f"unknown guarantee {' and '.join(map(repr, unknown))}" if unknown else f"{holds!r} names no guarantee"
        near = [found[0] for name in unknown if (found := get_close_matches(name, there, cutoff=0.7))]
        meant = f"did you mean {' and '.join(map(repr, dict.fromkeys(near)))}? " if near else ""
        raise UsageError(f"--holds: {none}; {meant}the guarantees are {', '.join(there)}")
    return tuple(name for name in there if name in named or name in ALWAYS or name.startswith(PREFIX))


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
