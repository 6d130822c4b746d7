"""Goals of the vacuity check: cases that an obligation's assumptions must allow."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from types import SimpleNamespace

from rebalance_proofs.model.allocation.machine_room import KINDS
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.question import Question

# Random numbers beyond any bound that a formula could silently contain.


@dataclass(frozen=True)
class Draw:
    """The random numbers for one seed; the same seed always gives the same numbers."""

    seed: int

    @cached_property
    def bound(self) -> int:
        """Return a random number above 10^9.

        Goals require unknowns beyond it, and distances of at least this much.
        """
        return random.Random(self.seed).randrange(10**9, 2 * 10**9)

    @cached_property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """Return random numbers of queues and of consumers, beyond the bound and up to 10^30.

        Two sizes have far more queues than consumers, and in one of them c divides q. Then come more queues, as many
        queues, and fewer queues than consumers.
        """
        drawn = random.Random(self.seed + 1)
        c = drawn.randrange(self.bound, 10**10)
        k = drawn.randrange(2 * self.bound, 10**10)
        more = drawn.randrange(self.bound, 10**10)
        return ((k * c * c + drawn.randrange(c), c), (k * c, c), (c + more, c), (c, c), (c, c + more))

    def fixed(self, variables: Sequence[str]) -> Iterator[dict[str, int]]:
        """Yield values for q and c, as far as they are among the variables.

        Numerals for these make products linear.
        """
        if {"q", "c"} <= set(variables):
            drawn = [{"q": q, "c": c} for q, c in self.sizes]
            yield from drawn
            if "k" in variables:  # k can be a factor of products too
                yield from (size | {"k": self.sizes[0][0] // 7} for size in drawn)
        elif "c" in variables:
            yield {"c": self.sizes[0][1]}
        else:
            yield {}


# Result of the vacuity check of an obligation.


@dataclass(frozen=True)
class VacuityCheck:
    """The goals (required cases) that the assumptions of an obligation allow and exclude."""

    met: tuple[str, ...]
    """Goals that a model of the assumptions meets; the client's code confirmed each model."""
    excluded: Mapping[str, str]
    """Goals that no model meets, according to all solvers -> why they may be excluded.

    Empty if there is no reason.
    """
    open: tuple[str, ...]
    """Undecided goals: a solver gave up, or the code did not confirm a model."""
    question: Question
    """The query with the assumptions and all goals, at the last size.

    Its answers decide whether one more goal can be met. Sat if all goals are met, with the last model.
    """
    sizes: tuple[Mapping[str, int], ...]
    """The random numbers of queues and consumers that were tried.

    Only variables of the obligation have numbers.
    """

    @property
    def wide(self) -> bool:
        """Return whether all excluded goals have a reason, and no goal is undecided."""
        return not self.open and all(self.excluded.values())

    @property
    def narrower(self) -> tuple[str, ...]:
        """Return the goals that are undecided, or excluded without a reason."""
        return (*(goal for goal, reason in self.excluded.items() if not reason), *self.open)


TRUTH = (0, 1)
FINITE = {
    **dict.fromkeys(
        ("alive", "kept", "mine", "found", "found2", "stray", "near", "everywhere", "named", "listed"), TRUTH
    ),
    **dict.fromkeys(
        (f"{name}_{index}" for name in ("stray", "near", "all", "listed", "reads") for index in "ij"), TRUTH
    ),
    "kind": tuple(range(len(KINDS))),
    "requested": (0, 1, 2),
    "default": TRUTH,
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
