"""Encodings of which nothing is known: each part is a free function of its arguments."""

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from typing import Any, get_args

import z3

from proofs.claim import Claim

SECONDS = 5
SORTS = {z3.BoolRef: z3.BoolSort(), z3.ArithRef: z3.IntSort()}


def part(name: str, result: type) -> Callable:
    """Any function into truth values or integers, the same for the same arguments."""

    def call(*arguments):
        terms = [z3.IntVal(one) if isinstance(one, int) else one for one in arguments]
        return z3.Function(name, *(term.sort() for term in terms), SORTS[result])(*terms)

    return call


@cache
def free(encoding: Any) -> Any:
    """An encoding of the same form with all of its functions replaced."""
    found = {}
    for field in fields(encoding):
        *_, result = get_args(field.type) or (None,)
        if callable(getattr(encoding, field.name)) and result in SORTS:
            found[field.name] = part(field.name, result)
    return replace(encoding, **found)


def holds_whatever_the_encoding(claim: Claim) -> bool:
    """Every obligation of the claim holds for any functions in the place of the encoding's."""
    return bool(claim.obligations) and all(
        implied([], step.statement(free(claim.strategies[0].encoding))) for step in claim.obligations
    )


def implied(known, statement) -> bool:
    """The statement follows from these formulas."""
    solver = z3.Solver()
    solver.set("timeout", SECONDS * 1000)
    solver.add(*known, *statement.given.values(), z3.Not(statement.then))
    return solver.check() == z3.unsat
