"""Paths of a code, evaluated at given numbers."""

from collections.abc import Mapping

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs.code.explore import Path
from rebalance_proofs.proofs.code.run import AT, PLACE, Filtered
from rebalance_proofs.proofs.code.statements import Subject, paths


def value(term: smt.Term, numbers: Mapping[str, int]) -> smt.Term:
    """Value of the term with these numbers for its unknowns."""
    return simplify(smt.substitute(term, *((smt.Int(name), smt.IntVal(number)) for name, number in numbers.items())))


def path_at(subject: Subject, numbers: Mapping[str, int]) -> Path:
    """The one path that the code takes for these numbers."""
    (found,) = [path for path in paths(subject) if smt.is_true(value(path.condition, numbers))]
    return found


def length_at(path: Path, numbers: Mapping[str, int]) -> int:
    """Length of a result made of segments."""
    return sum(value(segment.length, numbers).number for segment in path.segments)


def elements_at(path: Path, numbers: Mapping[str, int]) -> list[tuple[int, bool]]:
    """The whole result: places, and whether they are among the kept queues."""
    found = []
    for segment in path.segments:
        if isinstance(segment, Filtered):
            turns = [
                turn for turn in range(numbers["q"]) if smt.is_true(value(segment.keeps, {**numbers, str(AT): turn}))
            ]
            places = [value(segment.element.place, {**numbers, str(AT): turn}) for turn in turns]
        else:
            many = value(segment.length, numbers).number
            places = [value(segment.element.place, {**numbers, str(PLACE): k}) for k in range(many)]
        found += [(place.number, segment.element.kept) for place in places]
    return found
