"""Mutation tests for the obligations about user-defined code.

Typical mistakes in the code's terms must break an obligation. An obligation that holds for all mistakes proves
nothing about the code. A mistake breaks an obligation if it fails at some small size, with an exact model of the
formula. If no consumer takes that path at small sizes, any size is allowed.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.code.explore import Path
from rebalance_proofs.proofs.code.run import AT, PLACE, Element, Filtered, Segment
from rebalance_proofs.proofs.growth.grown import STEPS
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.own.steps import Owner, Steps

SIZES = ((2, 2), (5, 3), (3, 5), (1, 1))
"""Small sizes for mutation tests, as (queues, consumers)."""
LARGE = ((1_000_003, 97), (10_007, 2), (97, 10_009))
"""Sizes (queues, consumers) for paths that no consumer takes at small sizes."""
PINNED = {STEPS.name: "a lemma about numbers, which the ledger proves too; it is about no code"}
"""Obligations that no mistake in the terms can break, each with the reason."""
LOGIC = "QF_NIA"
INDEX, QUEUES, CONSUMERS = smt.Int("i"), smt.Int("q"), smt.Int("c")


class Teeth(NamedTuple):
    """SMT-LIB texts that test one obligation; empty if it is exempted."""

    noticed: str = ""
    """Satisfiable if a mistake makes the obligation fail at one of ``SIZES``."""
    beyond: str = ""
    """Satisfiable if a mistake makes the obligation fail at one of ``LARGE``, or at any size."""
    nobody: str = ""
    """Unsatisfiable if no consumer takes the path, so that no mistake can matter."""


def teeth(subject: str, step: Obligation, mistaken: Iterable[Obligation]) -> Teeth:
    """Return the SMT-LIB texts of the mutation tests of an obligation.

    ``mistaken`` are the obligations of proofs with mistakes; those with the same name are used.
    """
    if step.name in PINNED:
        return Teeth()
    right = _broken(step)
    wrong = [broken for one in mistaken if one.name == step.name and (broken := _broken(one)) is not right]
    title = f"{subject} / {step.name} / teeth"
    return Teeth(
        _text(f"{title}\nsat = a mistake breaks the step at a small size", _at(SIZES, wrong)),
        _text(f"{title}\nsat = a mistake breaks the step", [*_at(LARGE, wrong), *wrong]),
        texts.labelled_text(f"{title}\nunsat = no consumer takes this path", dict(step.statement(None).given)),
    )


def _broken(step: Obligation) -> smt.BoolTerm:
    said = step.statement(None)
    return smt.And(*said.given.values(), smt.Not(said.then))


def _at(sizes: Iterable[tuple[int, int]], broken: Iterable[smt.BoolTerm]) -> list[smt.BoolTerm]:
    """Return the formulas ``broken`` at each of these sizes.

    With numerals, no division by an unknown number of consumers remains.
    """
    numerals = [((QUEUES, smt.IntVal(q)), (CONSUMERS, smt.IntVal(c))) for q, c in sizes]
    return [smt.substitute(one, *pair) for pair in numerals for one in broken]


def _text(title: str, broken: list[smt.BoolTerm]) -> str:
    return texts.labelled_text(title, {"some mistake breaks the step": smt.Or(broken)}, LOGIC)


def mistaken_steps(steps: Steps) -> Iterator[Steps]:
    """Yield the obligations of the same code with a mistake.

    The mistake is in all paths, or one path is missing.
    """
    for mistake in MISTAKES:
        yield Steps(tuple(map(mistake, steps.paths)))
    for number, path in enumerate(steps.paths):
        never = replace(path, condition=smt.BoolVal(False))
        yield Steps((*steps.paths[:number], never, *steps.paths[number + 1 :]))


def mistaken_owners(owner: Owner) -> Iterator[Owner]:
    """Yield two wrong owner formulas: the next index, without and with wrap-around.

    Without wrap-around, the next index may not exist.
    """
    yield lambda q, c, p: owner(q, c, p) + 1
    yield lambda q, c, p: (owner(q, c, p) + 1) % c


def _turned(turn: Callable[[Segment], Segment], keeps: Callable[[Filtered], smt.BoolTerm]) -> Callable[[Path], Path]:
    """Return a function that makes a mistake in each segment of a path's result.

    If the result has no segment, the mistake is in an added empty segment.
    """

    def mistake(path: Path) -> Path:
        parts = path.segments or (Segment(smt.IntVal(0), Element(PLACE)),)
        return replace(
            path,
            segments=tuple(
                turn(part) if isinstance(part, Segment) else Filtered(keeps(part), part.element) for part in parts
            ),
        )

    return mistake


MISTAKES = (
    # one position too far
    _turned(
        lambda part: Segment(part.length, Element(part.element.place + 1, part.element.kept)),
        lambda part: smt.substitute(part.keeps, (AT, AT - 1)),
    ),
    # q positions too far
    _turned(
        lambda part: Segment(part.length, Element(part.element.place + QUEUES, part.element.kept)),
        lambda part: smt.substitute(part.keeps, (AT, AT - QUEUES)),
    ),
    # no position is omitted
    _turned(lambda part: Segment(QUEUES, Element(PLACE)), lambda part: smt.And(0 <= AT, AT < QUEUES)),
    # no position is taken
    _turned(lambda part: Segment(smt.IntVal(0), part.element), lambda part: smt.BoolVal(False)),
    # the same queue is taken repeatedly
    _turned(lambda part: Segment(smt.IntVal(2), Element(smt.IntVal(0))), lambda part: smt.BoolVal(True)),
    # the last position is omitted
    _turned(lambda part: Segment(part.length - 1, part.element), lambda part: smt.And(part.keeps, AT < QUEUES - 1)),
    # more elements for later consumers: two per index
    _turned(lambda part: Segment(part.length + 2 * INDEX, part.element), lambda part: part.keeps),
    # guards are negated
    lambda path: replace(path, guards=(smt.Not(smt.And(path.guards)),)),
)
