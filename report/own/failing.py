"""Common parts of the generated pytest and JUnit files with tests for broken guarantees."""

from collections.abc import Collection, Iterator

from rebalance_proofs.model.own.asked import Refusal
from rebalance_proofs.model.own.call import CHANGED, ENDING
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.own.answer import Answer
from rebalance_proofs.spark_enum.own.rows import Row

APART = (*ENDING, CHANGED)
"""Failures of the strategy that would harm the test's own process, or that a direct call would miss."""


def failing(answer: Answer) -> Iterator[tuple[Row, Counterexample]]:
    """Yield (broken required guarantee, the smallest group that breaks it).

    Guarantees that fail only after other calls of the strategy are left out.
    """
    shown = answer.checked.examples
    return ((row, shown[row.name]) for row in answer.failing if row.smallest and row.name in shown)


def name_of(row: Row) -> str:
    """Return the part of a test function's name with the guarantee and the size of the group."""
    assert row.smallest
    n, q = row.smallest.wrong.size
    return "".join(letter if letter.isalnum() else "_" for letter in f"{row.name}_{n}x{q}")


def plain(answer: Answer, row: Row, example: Counterexample, assertions: Collection[str]) -> bool:
    """Return whether a test can assert on direct calls; otherwise it runs ``rebalance check``.

    A strategy whose results are not repeatable needs the command, which calls it in several processes.
    """
    alike = row.name in assertions and row.world is AGREED and not answer.checked.why
    return alike and not {*_kinds(example)} & {*APART}


def _kinds(example: Counterexample) -> Iterator[str]:
    for consumer in example.group.consumers:
        try:
            consumer.allocate()
        except Refusal as error:
            yield error.kind
