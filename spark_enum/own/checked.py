"""Check of a user-defined strategy, in all spaces (sets of groups) or in one group."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

from rebalance_proofs.model.own.asked import Asked, Changed, Printed
from rebalance_proofs.model.own.call import Call, Held, Worker
from rebalance_proofs.model.own.names import YOURS, Names
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.alone import alone, by_names
from rebalance_proofs.spark_enum.own.here import Here, Told, again
from rebalance_proofs.spark_enum.own.history import HISTORY, History, history_of, naming_of, replayed, steps_of
from rebalance_proofs.spark_enum.own.history import row as history_row
from rebalance_proofs.spark_enum.own.named import NamedSpace, Rejected, accepted, shrunk
from rebalance_proofs.spark_enum.own.properties import Larger, examples, larger
from rebalance_proofs.spark_enum.own.repeated import REPEATS, Open, Why, differing, sample, why
from rebalance_proofs.spark_enum.own.rows import Found, Row, Smallest, rows
from rebalance_proofs.spark_enum.own.spaces import OwnSpace
from rebalance_proofs.spark_enum.own.tried import RETURNS, Movement, Tried, try_out
from rebalance_proofs.spark_enum.own.varied import Varied

TRIES = 16
"""Number of calls of a fresh process to reproduce a violation in a single group.

More than one call is made only if the strategy does not repeat its results.
"""

Doing = Callable[[Sequence[OwnSpace], Asked, Told], list[Found]]
"""A function that tries the strategy in all groups of some spaces and returns the results."""


@dataclass(frozen=True)
class Checked:
    """The results of checking a strategy."""

    rows: tuple[Row, ...]
    examples: Mapping[str, Counterexample] = field(default_factory=dict)
    """For each guarantee (row) that is broken, also with other names than the user's: the smallest such group.

    Its results come from a fresh process that was called only for that group. A violation that appears only after other
    calls has no example.
    """
    larger: Larger = field(default_factory=dict)
    """For guarantees whose smallest group has very few queues: a group with more, if one breaks them too."""
    calls: int = 0
    printed: Printed | None = None
    alike: str = ""
    """Name of the setting of ``--vary`` if no result depends on it."""
    changed: Changed | None = None
    """The first call that changed one of its argument lists."""
    null: Call | None = None
    """The first call that returned null, if the client treats null as an empty list."""
    gave_up: bool = False
    """True if groups were left out because too many calls ended or hung the process."""
    one_group: bool = False
    why: Why | None = None
    """The reason why results are not repeated; None if the strategy repeats its results."""
    by_names: tuple[str, ...] | None = None
    """Kinds of names with which the strategy takes other positions than with plain names.

    None if no kinds were compared.
    """
    rejected: tuple[Rejected, ...] = ()
    """Derived client ids whose format the strategy rejects; they were not tried."""
    spark: str = ""
    """The Spark master on which the groups were tried; empty for this process."""
    seconds: float = 0.0

    @property
    def named(self) -> tuple[Found, ...]:
        """The results with the user's names, and with names that the code looks for."""
        every = {one.space.name: one for row in self.rows if row.name != REPEATS for one in row.found}
        return tuple(one for one in every.values() if isinstance(one.space, NamedSpace))

    @property
    def incomplete(self) -> bool:
        """True if some group of the client ids that the user gave was not tried."""
        return any(
            one.space.names.ids_given and one.tried.groups < one.expected
            for one in self.named
            if isinstance(one.space, NamedSpace)
        )

    @property
    def movement(self) -> Movement:
        """Numbers of moved queues in all joins, with the kind of names that had most joins."""
        found = [one.tried.movement for row in self.rows if row.world is JOINS for one in row.found]
        return max(found, key=lambda one: one.queues, default=Movement())


def check(
    spaces: Sequence[OwnSpace],
    open_: Open,
    told: Told = lambda found: None,
    do: Doing | None = None,
    spark: str = "",
) -> Checked:
    """Check the strategy in all groups of the spaces.

    ``open_`` starts a process with the strategy. ``do`` tries the groups, by default in this process. ``told`` is
    called with the results of each space.
    """
    start = perf_counter()
    with open_(0) as worker, open_(1) as other:
        asked, another = Asked(worker), Asked(other)
        spaces, rejected = accepted(spaces, worker)
        found = (do or Here())(spaces, asked, told)
        found = shrunk(found, asked)
        repeated = again(spaces, asked, another, found)
        more = another.calls
        if asked.ended and not repeated:
            repeated, calls = _yours_again(found, worker, other)
            more += calls
        if Held.TIME in asked.holds and not any(one.tried.broken for one in repeated):
            more += _at_another_time(repeated, asked, open_)
        read = by_names(spaces, asked)
        told_of = rows(found, repeated, only_yours=read != ())
        checked = _checked(
            told_of, asked, another.printed, more, open_, start, spark=spark, by_names=read, rejected=rejected
        )
    return _with_history(checked, spaces, open_, start)


def _yours_again(found: Sequence[Found], worker: Worker, other: Worker) -> tuple[list[Found], int]:
    """Repeat the calls with the user's names, if only other names ended the process; return the calls' number too."""
    yours = [one for one in found if one.space.naming.name == YOURS and RETURNS not in one.tried.broken]
    asked, another = Asked(worker), Asked(other)
    return again([one.space for one in yours], asked, another, yours), asked.calls + another.calls


def _with_history(checked: Checked, spaces: Sequence[OwnSpace], open_: Open, start: float) -> Checked:
    """Return the results with the shortest breaking history, if the strategy depends on earlier calls."""
    like = next((space for space in spaces if space.world is AGREED), None)
    lost = any(row.shown and row.name not in checked.examples for row in checked.rows)
    if not like or checked.gave_up or not (checked.why is Why.CALLS or (lost and checked.why is None)):
        return checked
    named = (space.names for space in spaces if isinstance(space, NamedSpace) and space.naming.name == YOURS)
    history = history_of(next(named, None), like.guarantees, open_)
    return _and_history(checked, history, like, start) if history else checked


def with_varied(checked: Checked, varied: Varied, name: str) -> Checked:
    """Return the results with those of groups whose members have different settings."""
    return replace(
        checked,
        rows=(*varied.rows, *checked.rows),
        examples={**varied.examples, **checked.examples},
        calls=checked.calls + varied.calls,
        seconds=checked.seconds + varied.seconds,
        alike=name if varied.alike else "",
    )


def _and_history(checked: Checked, history: History, like: OwnSpace, start: float) -> Checked:
    row, example = history_row(history, like)
    return replace(
        checked,
        rows=(row, *checked.rows),
        examples={row.name: example, **checked.examples},
        seconds=perf_counter() - start,
    )


def check_history(key: str, names: Names | None, like: OwnSpace, open_: Open) -> Checked:
    """Replay the history with that ``--group`` key. Raises ``UnknownGroup`` if the key names none."""
    start = perf_counter()
    known, steps = steps_of(key, names)
    calls = sum(len(step.ids) for step in steps)
    history = replayed(known, steps, like.guarantees, open_)
    if not history:
        bound = len(steps[-1].ids), len(known.parts[steps[-1].part])
        space = replace(like, world=HISTORY, naming=naming_of(known), bound=bound)
        return Checked(rows([Found(space, Tried(groups=1), 1)], []), calls=calls, one_group=True)
    return _and_history(Checked((), calls=calls, one_group=True), history, like, start)


def check_group(space: OwnSpace, configuration: Configuration, open_: Open) -> Checked:
    """Check the strategy in one group.

    ``open_`` starts a process with the strategy.
    """
    start = perf_counter()
    with open_(0) as worker:
        asked = Asked(worker)
        tried = try_out(space, asked, [configuration])
        repeated, more = [], 0
        if space.world is AGREED and not asked.ended:
            found = alone(space, configuration, asked, open_)
            repeated.append(Found(space, found.tried, 1))
            more = found.calls
        return _checked(rows([Found(space, tried, 1)], repeated), asked, None, more, open_, start, one_group=True)


def _at_another_time(repeated: list[Found], asked: Asked, open_: Open) -> int:
    """Compare the results of two processes with different fixed clocks, in some small groups.

    Return the number of calls. A difference is added to ``repeated``. Consumers do not rebalance at the same time, so
    their results must not depend on the clock.
    """
    if not repeated:
        return 0
    one = repeated[0]
    some = sample(one.space, asked.clock() / max(1, asked.calls))
    with open_(0, Held.TIME) as first, open_(0, Held.LATER) as second:
        then, later = Asked(first), Asked(second)
        tried = differing(one.space, some, then, later)
    if not then.ended and not later.ended and tried.broken:
        repeated[0] = replace(one, tried=replace(one.tried, broken=tried.broken))
    return then.calls + later.calls


def _checked(
    told: tuple[Row, ...], asked: Asked, printed: Printed | None, more: int, open_: Open, start: float, **said: Any
) -> Checked:
    """Return the results of the check, with an example for each guarantee that is broken.

    A fresh process computes each example again. ``more`` is the number of calls besides those of ``asked``.
    """
    found = next((_why(row, open_) for row in told if row.name == REPEATS and row.smallest), None)
    # A copy would repeat random values drawn while the code was loaded. The end of a copy is not visible as the end of
    # a process.
    shown = _examples(told, open_, found, copied=found is None and not asked.ended)
    every = _repeated(told, shown)
    if every != told:
        found = next(_why(row, open_) for row in every if row.name == REPEATS)
    single = said.get("one_group") or found or asked.ended
    return Checked(
        rows=every,
        examples=shown,
        larger={} if single else larger([row for row in every if row.name in shown], open_),
        calls=asked.calls + more,
        printed=asked.printed or printed,
        changed=asked.changed,
        null=asked.null,
        gave_up=asked.gave_up,
        why=found,
        seconds=perf_counter() - start,
        **said,
    )


def _why(repeats: Row, open_: Open) -> Why:
    assert repeats.smallest
    wrong = repeats.smallest.wrong
    return why(repeats.smallest.space, Configuration(wrong.size[0], wrong.size[1], wrong.digits), open_)


def _examples(told: Sequence[Row], open_: Open, why: Why | None, copied: bool) -> dict[str, Counterexample]:
    """Return the smallest example of each broken guarantee: row name -> example.

    Guarantees with the same smallest group share a fresh process and one call. There are more calls if results differ
    for a reason other than earlier calls. With ``copied``, fresh processes may be copies of one process.
    """
    found: dict[str, Counterexample] = {}
    by_group: dict[str, list[Row]] = {}
    for row in told:
        if row.smallest and row.name == REPEATS:
            found |= _not_again(row.smallest, open_)
        elif row.shown:
            by_group.setdefault(row.shown.key, []).append(row)
    tries = TRIES if why and why is not Why.CALLS else 1
    with ExitStack() as open_too:
        copies = None
        if copied and len(by_group) > 1:
            copies = open_too.push(open_(0)).afresh()  # not entered: a JVM cannot be copied, so it need not start
        for alike in by_group.values():
            with copies or open_(0) as worker:
                found |= examples(alike, Asked(worker), tries)
    return {row.name: found[row.name] for row in told if row.name in found}


def _not_again(smallest: Smallest, open_: Open) -> dict[str, Counterexample]:
    """Return an example of a result that is not repeated in a single group, by row name.

    Empty if the strategy repeats its results in that group.
    """
    n, q = smallest.wrong.size
    with open_(0) as worker:
        found = alone(smallest.space, Configuration(n, q, smallest.wrong.digits), Asked(worker), open_)
    if found.group is None:
        return {}
    wrong = found.tried.broken[REPEATS]
    return {REPEATS: Counterexample(n, q, wrong.digits, found.group, wrong.sentence)}


def _repeated(told: tuple[Row, ...], examples: Mapping[str, Counterexample]) -> tuple[Row, ...]:
    """Return the rows; ``repeats`` is broken if a fresh process does not reproduce some violation.

    Such a violation appears only after other calls.
    """
    once = [row for row in told if row.shown and row.name not in examples]
    return tuple(_not_repeated(row, once) if row.name == REPEATS and once else row for row in told)


def _not_repeated(repeats: Row, once: Sequence[Row]) -> Row:
    first = once[0].shown
    if repeats.smallest or not first:
        return repeats
    sentence = f"A fresh process does not repeat the violation of {once[0].name}: {first.wrong.sentence}"
    return replace(repeats, smallest=replace(first, wrong=replace(first.wrong, sentence=sentence)))


__all__ = ["REPEATS", "Checked", "Open", "Tried", "check", "check_group"]
