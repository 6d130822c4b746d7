"""Play a counterexample group consumer by consumer: its lists, and the queues that it takes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.allocation.assignment import Assignment, Row
from rebalance_proofs.report.allocation.caption import notes, outcome, told
from rebalance_proofs.report.allocation.comparison import assigned
from rebalance_proofs.report.english import bracketed, capitalized, listing
from rebalance_proofs.report.names import label
from rebalance_proofs.report.steps import Party, Played, Step, Value
from rebalance_proofs.report.trace_variables import BOTH, FIRST, NOBODY, TraceVariable

TAKEN = "The consumers that take the queue, among those that have computed their share."


@dataclass
class _Table:
    """The table that the steps fill: for each queue, the consumers that have taken it so far."""

    readers: list[list[str]]

    def step(self, words: str, before: Sequence[Sequence[str]]) -> Step:
        """Return a step with this text.

        ``before`` has each queue's readers one step earlier, to mark changes.
        """
        values = (
            Value(listing(own) or "no reader", (NOBODY, FIRST)[len(own)] if len(own) < 2 else BOTH, own != was)
            for own, was in zip(self.readers, before, strict=True)
        )
        return Step(words, None, tuple(values))


def turns(example: Counterexample) -> Played:
    """Return the steps of a group; in a comparison, the steps of the reference come first."""
    found, compared = assigned(example.group)
    sides: list[tuple[str, Assignment]] = [("", found)]
    if compared:
        sides = list(zip(compared.titles, (compared.before, compared.after), strict=True))
        if compared.earlier:
            sides = [("at first", compared.earlier), *sides]
    first, *steps = _steps(example, sides)
    readers = tuple(
        TraceVariable("readers", f"queue {place}", place=place, meaning=TAKEN) for place in range(found.queues)
    )
    return Played((Party("", readers),), first, tuple(steps), told(example), whole=False)


def _steps(example: Counterexample, sides: Sequence[tuple[str, Assignment]]) -> Iterator[Step]:
    nobody: list[list[str]] = [[] for _ in example.group.queues]
    said = " ".join(notes(example))
    yield _Table(nobody).step(f"No consumer has computed its share yet.{f' {said}' if said else ''}", nobody)
    last = nobody
    for title, side in sides:
        table = _Table([[] for _ in nobody])
        for number, row in enumerate(side.rows):
            before = last if number == 0 else [list(own) for own in table.readers]
            for queue in row.takes:
                table.readers[queue].append(row.name)
            yield table.step(_says(title, row), before)
        last = table.readers


def _says(title: str, row: Row) -> str:
    sees = f"sees cidAll {bracketed(row.consumer.cid_all)} and mqAll {bracketed(row.sees)}"
    does = [sees, f"runs {label(row.consumer.strategy)}"]
    does += [] if row.consumer.subscribes else ["does not subscribe to the topic"]
    whose = f"{capitalized(title)}: " if title else ""
    return f"{whose}{row.name} {listing([*does, outcome(row)])}."
