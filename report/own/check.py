"""Check a user-defined strategy: the user's options, and the groups in which it is tried."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from rebalance_proofs.model.allocation.strategy import Strategy as Known
from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.call import Limits
from rebalance_proofs.model.own.names import GROUP, YOURS, Names, derived, given
from rebalance_proofs.model.own.surroundings import PROPERTY, Surroundings
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.own.proof import Proof
from rebalance_proofs.proofs.own.steps import written
from rebalance_proofs.report.own import strategies
from rebalance_proofs.report.own.answer import Answer
from rebalance_proofs.report.own.strategies import Own
from rebalance_proofs.report.shares.described import listed
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.own.checked import Checked, check_group, check_history, with_varied
from rebalance_proofs.spark_enum.own.checked import check as check_all
from rebalance_proofs.spark_enum.own.here import SECONDS, Here
from rebalance_proofs.spark_enum.own.named import NamedSpace, is_named, named_group, with_names
from rebalance_proofs.spark_enum.own.properties import PREFIX, judging, property_of
from rebalance_proofs.spark_enum.own.rows import ALWAYS, CHANGED, HISTORY, NEEDED, Found
from rebalance_proofs.spark_enum.own.rows import names as row_names
from rebalance_proofs.spark_enum.own.spaces import SAME_AS, SAME_LISTS, Extent, OwnSpace, compared, space_of, spaces
from rebalance_proofs.spark_enum.own.tried import answered
from rebalance_proofs.spark_enum.own.varied import Vary, check_varied, varied_group

LARGE = 3_000_000
"""Number of calls of the strategy from which Spark is used by default."""


@dataclass(frozen=True)
class Request:
    """What a user wants to know of which strategy."""

    strategy: str
    """``mine.py:allocate``, or the name of a Java class."""
    java: bool = False
    classpath: str | None = None
    arguments: tuple[str, ...] = ()
    """Arguments of the Java class's constructor."""
    holds: str | None = None
    """Names of required guarantees, separated by commas; None for the default ones."""
    same_as: str | None = None
    """Another strategy with the same results."""
    key: str | None = None
    """The name of the only group that is tried."""
    prove: bool = False
    owner: str | None = None
    """For a proof: formula for the index of the owner of queue position ``p``."""
    vary: str | None = None
    """``NAME=V1,V2``: a setting that members have different values of."""
    property: str | None = None
    """``FILE.py:NAME``: the user's own guarantee."""
    variables: tuple[str, ...] = ()
    """Variables of the environment that the strategy gets."""
    consumers: int | None = None
    queues: int | Path | None = None
    brokers: Path | None = None
    ids: Path | None = None
    consumer_group: str | None = None
    sample: bool = False
    """Accept that a part of the groups of the ``ids`` is tried."""
    seconds: float = SECONDS
    thorough: bool = False
    master: str | None = None
    jobs: int = 1
    limits: Limits = field(default_factory=Limits)


class Progress:
    """Told of work that takes long; this one ignores it."""

    def begins(self, text: str) -> None:
        """Work begins that ``text`` names."""

    def tries(self, spaces: int) -> None:
        """The strategy will be tried in this number of sets of groups."""

    def tried(self) -> None:
        """One set of groups is done."""

    def found(self, found: Found) -> None:
        """Take the result of one set of groups."""


class Check:
    """A check whose options are valid: ``run`` makes it."""

    def __init__(self, request: Request) -> None:
        """Load the strategy. Raises ``UsageError`` or ``StrategyError``."""
        self.request = request
        most, file = (None, request.queues) if isinstance(request.queues, Path) else (request.queues, None)
        self._read = listed(request.ids, request.brokers, file)
        if request.sample and not request.ids:
            raise UsageError(
                "--sample needs --ids: it accepts that only a part of the groups of your client ids is tried"
            )
        self._extent = Extent(_bounds(request.consumers, most), request.thorough)
        if request.key and (most or request.consumers or request.thorough or request.master):
            raise UsageError(
                "--group checks one group: leave out --queues, --consumers, --thorough and --master, which select "
                "groups"
            )
        strange = next((name for name in request.variables if "=" in name), None)
        if strange is not None:
            raise UsageError(
                f"--env {strange!r} is not the name of a variable; set the variable, and pass its name only"
            )
        self._around = Surroundings(request.variables, consumer_group=request.consumer_group or "")
        self.mine = _mine(request, self._around, carried=bool(request.master))
        self._rollout = self._varying(request.vary) if request.vary else None
        if request.property and (request.master or request.thorough):
            raise UsageError("--property runs without Spark: leave out --thorough and --master")
        if request.owner is not None:
            if not request.prove:
                raise UsageError("--owner needs --prove: it helps to prove that every queue has an owner")
            written(request.owner)
        if request.prove and not self.mine.named:
            raise UsageError("--prove does not work with --java: only strategies in Python can be proved")
        self.command = self._command(file)
        """Words of the command line that makes this check, without its outputs."""

    def _varying(self, text: str) -> Vary:
        setting, values, each = strategies.varied(text, self._around)
        if not self.request.java and any(one.kind == PROPERTY for found in each for one in found.settings):
            raise UsageError(f"--vary {text!r} needs --java: Python code has no system properties")
        return Vary(setting, values, tuple(_mine(self.request, one).open for one in each))

    def _command(self, file: Path | None) -> tuple[str, ...]:
        asked = self.request
        more = [word for name in asked.variables for word in ("--env", name)]
        for option, value in (
            ("--vary", asked.vary),
            ("--property", asked.property),
            ("--consumer-group", asked.consumer_group),
        ):
            more += [option, value] if value else []
        same = ("--same-as", asked.same_as) if asked.same_as else ()
        files = (("--ids", asked.ids), ("--brokers", asked.brokers), ("--queues", file))
        named = [word for option, path in files if path for word in (option, str(path))]
        return ("rebalance", "check", *self.mine.typed, *same, *strategies.typed(asked.limits), *named, *more)

    def run(self, progress: Progress | None = None) -> Answer:
        """Try the strategy, and return the answer. Raises ``UsageError`` or ``StrategyError``."""
        with ExitStack() as opened:
            return self._run(progress or Progress(), opened)

    def _run(self, progress: Progress, opened: ExitStack) -> Answer:
        asked, mine = self.request, self.mine
        second, beside = _second(asked.same_as, asked.limits, self._around, opened)
        yours = _names(mine, *self._read, asked.consumer_group or GROUP)
        judged = _judged(asked.property, asked.limits, self._around, opened)
        if asked.key and asked.key.split("/")[0] in CHANGED:
            required: tuple[str, ...] = NEEDED
            checked = self._changed(asked.key, yours, judging(spaces(Extent()), judged)[0])
        elif asked.key:
            space, configuration = _group(asked.key, second, beside, yours)
            (space,) = judging((space,), judged)
            required = _required(asked.holds, (space,), second)
            checked = check_group(space, configuration, mine.open)
        else:
            every = compared(self._extent, second, beside) if second else spaces(self._extent)
            every = judging(with_names(every, yours), judged)
            required = _required(asked.holds, every, second)
            if asked.holds:
                every = tuple(space for space in every if set(row_names(space)) & set(required))
            to = "" if judged else _master(every, asked.thorough, asked.master, asked.jobs, beside)
            checked = _all(mine, every, progress, to, asked.seconds)
            if self._rollout:
                like = judging(spaces(Extent()), judged)[0]
                found = check_varied(self._rollout, _own_names(yours), like.guarantees)
                checked = with_varied(checked, found, self._rollout.name)
        proofs = _proofs(mine, asked, progress) if asked.prove else ()
        return Answer(
            mine.strategy,
            self.command,
            checked,
            required,
            proofs,
            self._around.withheld(mine.reads()),
            self._around.consumer_group,
            asked.sample,
        )

    def _changed(self, key: str, yours: Sequence[Names], like: OwnSpace) -> Checked:
        if key.startswith(f"{HISTORY}/"):
            return check_history(key, _own_names(yours), like, self.mine.open)
        if self._rollout:
            return _varied(self._rollout, key, _own_names(yours), like)
        raise UsageError(f"--group {key!r} needs the option --vary of the command that printed it")


def _own_names(every: Sequence[Names]) -> Names | None:
    return next((one for one in every if one.name == YOURS), None)


def _mine(request: Request, around: Surroundings, *, carried: bool = False) -> Own:
    if request.java:
        if request.classpath is None:
            raise UsageError("--java needs --classpath JARS, the jars and folders that contain the class")
        if not request.strategy.strip():
            raise UsageError(f"{request.strategy!r} is not a class name; write it like com.acme.MyStrategy")
        return strategies.java(request.strategy, request.classpath, request.arguments, request.limits, around)
    if request.classpath is not None or request.arguments:
        raise UsageError("--classpath and --arg need --java: they are for strategies in Java")
    return strategies.python(request.strategy, request.limits, around, carried=carried)


def _proofs(mine: Own, request: Request, progress: Progress) -> tuple[Proof, ...]:
    # Imported here because the solvers take long to load.
    from rebalance_proofs.proofs.own.prove import prove_own

    assert mine.named
    progress.begins("proving")
    with mine.open(0) as worker:
        call = answered(worker)
        return tuple(prove_own(mine.named, call, request.owner or "", request.jobs, passed=request.variables))


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
    found = strategies.other(same_as, limits, around)
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
    what = strategies.python(text, limits, replace(around, consumer_group=""), judges=True)
    assert what.named
    return property_of(open_too.enter_context(what.open(0)), what.named.what)


def _group(
    key: str, second: Known | None, beside: Asked | None, yours: Sequence[Names]
) -> tuple[OwnSpace, Configuration]:
    if is_named(key):
        like = compared(Extent(), second, beside) if second and key.startswith(SAME_AS.name) else spaces(Extent())
        return named_group(key, like[0], yours)
    return space_of(key, second, beside)


def _all(mine: Own, every: tuple[OwnSpace, ...], progress: Progress, master: str, seconds: float) -> Checked:
    progress.tries(len(every))

    def keep(found: Found) -> None:
        progress.found(found)
        progress.tried()

    if not master:
        return check_all(every, mine.open, keep, Here(seconds, progress.found))
    # Imported here because PySpark takes long to load and start.
    from rebalance_proofs.spark_enum.own.on_spark import on_spark
    from rebalance_proofs.spark_enum.session import spark_session

    progress.begins(f"trying on {master}")
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
