"""Check of a user's own strategy, in all spaces or in one group."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

from rebalance_proofs.model.own.asked import Asked, Printed
from rebalance_proofs.model.own.worker import Worker
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.example import examples
from rebalance_proofs.spark_enum.own.here import Here, Told, again
from rebalance_proofs.spark_enum.own.repeated import REPEATS, differing
from rebalance_proofs.spark_enum.own.rows import Found, Row, rows
from rebalance_proofs.spark_enum.own.spaces import OwnSpace
from rebalance_proofs.spark_enum.own.tried import Movement, Tried, try_out

Open = Callable[[int], Worker]
"""Open a new worker of the strategy. Workers with different numbers differ in what processes can differ in."""

Doing = Callable[[Sequence[OwnSpace], Asked, Told], list[Found]]
"""Try the strategy in spaces; gives the results of each."""


@dataclass(frozen=True)
class Checked:
    """The results of checking a strategy."""

    rows: tuple[Row, ...]
    examples: Mapping[str, Counterexample] = field(default_factory=dict)
    """By row, the smallest group that violates it, as a fresh process answers in that group alone.

    Violations that only show after other calls have no example.
    """
    calls: int = 0
    printed: Printed | None = None
    gave_up: bool = False
    """Whether the strategy ended its process, or had to be killed, so often that the rest was not tried."""
    one_group: bool = False
    spark: str = ""
    """The Spark master on which the groups were tried; empty for this process."""
    seconds: float = 0.0

    @property
    def movement(self) -> Movement:
        """The movement in all joins that were tried, with the names for which most joins were."""
        found = [one.tried.movement for row in self.rows if row.world is JOINS for one in row.found]
        return max(found, key=lambda one: one.queues, default=Movement())


def check(
    spaces: Sequence[OwnSpace],
    open_: Open,
    told: Told = lambda found: None,
    do: Doing | None = None,
    spark: str = "",
) -> Checked:
    """Check the strategy in all of the spaces; ``do`` is how, by default in this process."""
    start = perf_counter()
    with open_(0) as worker, open_(1) as other:
        asked, another = Asked(worker), Asked(other)
        found = (do or Here())(spaces, asked, told)
        repeated = again(spaces, asked, another, found)
        return _checked(rows(found, repeated), asked, another, open_, start, spark=spark)


def check_group(space: OwnSpace, configuration: Configuration, open_: Open) -> Checked:
    """Check the strategy in one group."""
    start = perf_counter()
    with open_(0) as worker, open_(1) as other:
        asked, another = Asked(worker), Asked(other)
        tried = try_out(space, asked, [configuration])
        repeated = []
        if space.world is AGREED and not asked.ended:
            repeated.append(Found(space, differing(space, [configuration], asked, another), 1))
        return _checked(rows([Found(space, tried, 1)], repeated), asked, another, open_, start, one_group=True)


def _checked(told: tuple[Row, ...], asked: Asked, another: Asked, open_: Open, start: float, **said: Any) -> Checked:
    """The results, with each smallest group as the strategy answers in it alone, in a process of its own."""
    shown = _examples(told, open_)
    return Checked(
        rows=_repeated(told, shown),
        examples=shown,
        calls=asked.calls + another.calls,
        printed=asked.printed or another.printed,
        gave_up=asked.gave_up,
        seconds=perf_counter() - start,
        **said,
    )


def _examples(told: Sequence[Row], open_: Open) -> dict[str, Counterexample]:
    """The examples by row. Rows with the same smallest group share a process, which is asked about that group once."""
    found: dict[str, Counterexample] = {}
    by_group: dict[str, list[Row]] = {}
    for row in told:
        if row.smallest:
            key = REPEATS if row.name == REPEATS else row.smallest.key
            by_group.setdefault(key, []).append(row)
    for key, alike in by_group.items():
        with ExitStack() as opened:
            asked = Asked(opened.enter_context(open_(0)))
            another = Asked(opened.enter_context(open_(1))) if key == REPEATS else asked
            found |= examples(alike, asked, another)
    return {row.name: found[row.name] for row in told if row.name in found}


def _repeated(told: tuple[Row, ...], examples: Mapping[str, Counterexample]) -> tuple[Row, ...]:
    """The rows, in which a violation that shows only after other calls counts as an answer that is not repeated."""
    once = [row for row in told if row.smallest and row.name not in examples]
    return tuple(_not_repeated(row, once) if row.name == REPEATS and once else row for row in told)


def _not_repeated(repeats: Row, once: Sequence[Row]) -> Row:
    first = once[0].smallest
    if repeats.smallest or not first:
        return repeats
    sentence = f"What breaks {once[0].name} is not answered again in a fresh process: {first.wrong.sentence}"
    return replace(repeats, smallest=replace(first, wrong=replace(first.wrong, sentence=sentence)))


__all__ = ["REPEATS", "Checked", "Open", "Tried", "check", "check_group"]
