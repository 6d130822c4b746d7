"""Goals of the vacuity check: cases that an obligation's assumptions must allow."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from types import SimpleNamespace

from rebalance_proofs.model.allocation.machine_room import KINDS
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.obligation import Obligation

TRUTH = (0, 1)
FINITE = {
    **dict.fromkeys(
        ("alive", "kept", "mine", "found", "found2", "stray", "near", "everywhere", "named", "listed"), TRUTH
    ),
    **dict.fromkeys(
        (f"{name}_{index}" for name in ("stray", "near", "all", "listed", "reads") for index in "ij"), TRUTH
    ),
    "kind": tuple(range(len(KINDS))),
}
"""Unknowns that represent a choice, with all values of the choice."""


def goals(obligation: Obligation, bound: int) -> Mapping[str, smt.BoolTerm]:
    """Return the goals of an obligation, by sentences that describe them.

    ``proofs.vacuity.narrow`` lists goals that may be excluded. A choice takes each of its values. A number lies
    beyond the bound. Two numbers differ by at least the bound; two indexes in either order.
    """
    v = SimpleNamespace(**{name: smt.Int(name) for name in obligation.variables})
    return dict((obligation.goals or _plain)(v, bound))


def beyond(name: str, term: smt.IntTerm, bound: int) -> tuple[str, smt.BoolTerm]:
    """Return the goal that a number is at least the bound, or at most its negative."""
    return f"{name} beyond the bound", smt.Or(term >= bound, term <= -bound)


def apart(first: str, second: str, difference: smt.IntTerm, bound: int) -> tuple[str, smt.BoolTerm]:
    """Return the goal that two numbers differ by at least the bound."""
    return f"{first} and {second} apart", smt.Or(difference >= bound, difference <= -bound)


def _plain(v: SimpleNamespace, bound: int) -> Iterator[tuple[str, smt.BoolTerm]]:
    named = vars(v)
    numbers = [name for name in named if name not in FINITE]
    for name in numbers:
        yield beyond(name, named[name], bound)
    for first, second in combinations(numbers, 2):
        difference = named[first] - named[second]
        if {first, second} == {"i", "j"}:
            yield f"{first} far above {second}", difference >= bound
            yield f"{second} far above {first}", difference <= -bound
        else:
            yield apart(first, second, difference, bound)
    for name in named:
        yield from ((f"{name} = {value}", named[name] == value) for value in FINITE.get(name, ()))
