"""Proof obligations: statements to be proved for all values of their variables.

Each statement is about an encoding: a strategy or client as SMT terms.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any, TypeVar, cast

from rebalance_proofs.model.terms import smt

# Unknowns by name, and terms computed from them once for all obligations.
# Truth values are represented as 0 or 1.

Made = TypeVar("Made", bound=Callable[..., Any])


class Unknowns(SimpleNamespace):
    """Terms by name.

    An instance equals only itself, so that results computed from it can be cached by identity.
    """

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:  # type: ignore[override]  # SimpleNamespace has none
        return id(self)


def made_once(make: Made) -> Made:
    """Return ``make`` with a cache, so that obligations about the same unknowns share its terms."""
    return cast(Made, lru_cache(64)(make))


def truths(v: SimpleNamespace, names: Iterable[str]) -> dict[str, smt.BoolTerm]:
    """Return the assumption that the unknowns of these names are 0 or 1."""
    return {"every flag is 0 or 1": smt.And([smt.Or(getattr(v, name) == 0, getattr(v, name) == 1) for name in names])}


@dataclass(frozen=True)
class Statement:
    """``given`` implies ``then``. The keys of ``given`` describe the assumptions in words."""

    given: Mapping[str, smt.BoolTerm]
    then: smt.BoolTerm


@dataclass(frozen=True)
class Obligation:
    """One step of a proof: a statement about an encoding.

    ``state(encoding, v)`` returns the statement; ``v.q``, ``v.c``, ... are the ``variables`` as terms. The encoding
    is an argument, so that one statement can be proved about the SMT encoding, checked for a mutant, and evaluated on
    results of the client's code. The type of the encoding (``Encoding`` or another) depends on the statement.
    """

    name: str
    sentence: str
    variables: tuple[str, ...]
    state: Callable[[Any, SimpleNamespace], Statement]
    logic: str = ""
    """The SMT-LIB logic of a lemma, whose text is used unchanged.

    Empty if lemma instances may be added to the text.
    """
    goals: Callable[[SimpleNamespace, int], Iterable[tuple[str, smt.BoolTerm]]] | None = None
    """``goals(v, bound)``: cases that the assumptions must allow, by descriptions.

    The vacuity check finds a model of the assumptions in each case. None for the default cases.
    """

    @property
    def abstract(self) -> bool:
        """Return whether the obligation is about arbitrary functions and arrays.

        No client's code can replay models of such an obligation.
        """
        return not self.variables

    def statement(self, encoding: object, values: Mapping[str, int] | None = None) -> Statement:
        """Return the statement; variables in ``values`` are numerals, the others are unknowns."""
        return self._stated(encoding, values) if values else _about_unknowns(self, encoding)

    def same(self, one: object, other: object) -> bool:
        """Return whether the obligation's statement is the same for both encodings, term for term."""
        ours, theirs = self.statement(one), self.statement(other)
        pairs = zip((*ours.given.values(), ours.then), (*theirs.given.values(), theirs.then), strict=False)
        return len(ours.given) == len(theirs.given) and all(mine is yours for mine, yours in pairs)

    def _stated(self, encoding: object, given: Mapping[str, int]) -> Statement:
        terms = {name: smt.IntVal(given[name]) for name in self.variables if name in given}
        return self.state(
            encoding, Unknowns(**vars(_unknowns(self.variables)) | terms) if terms else _unknowns(self.variables)
        )


@cache
def _unknowns(variables: tuple[str, ...]) -> Unknowns:
    return Unknowns(**{name: smt.Int(name) for name in variables})


@lru_cache(256)
def _about_unknowns(obligation: Obligation, encoding: object) -> Statement:
    """Return the statement with unknowns for all variables, from a cache.

    Building the statement about a rebalance takes long, and the proof and every check need it.
    """
    return obligation._stated(encoding, {})


def sizes(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Return the assumption that there is at least one queue and at least one consumer."""
    return {"at least one queue": v.q >= 1, "at least one consumer": v.c >= 1}


def consumer(v: SimpleNamespace, name: str) -> dict[str, smt.BoolTerm]:
    """Return the assumption that ``name`` is the index of a consumer."""
    index = getattr(v, name)
    return {f"{name} is a consumer's index": smt.And(0 <= index, index < v.c)}


def position(v: SimpleNamespace, name: str) -> dict[str, smt.BoolTerm]:
    """Return the assumption that ``name`` is a position of mqAll."""
    place = getattr(v, name)
    return {f"{name} is a position of mqAll": smt.And(0 <= place, place < v.q)}


def truth_values(v: SimpleNamespace, *names: str) -> dict[str, smt.BoolTerm]:
    """Return the assumption that the variables in ``names`` are 0 or 1.

    All variables are integers, to stay within integer arithmetic.
    """
    return {f"{name} is a truth value": smt.Or(getattr(v, name) == 0, getattr(v, name) == 1) for name in names}
