"""Wrong encodings of a machine that are made by rule: nobody has to think of them.

A guard is dropped or negated, an effect is dropped or is that of another action, a constant is off by one, branches are
exchanged. What comes to the same as the right encoding, in every well-formed state, is left out.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice
from typing import Any, TypeVar

import z3

from rebalance_proofs.model.machine.machine import Act, Machine, Turn
from rebalance_proofs.model.machine.record import C, L, R, Record, S, V, flags, names
from rebalance_proofs.model.machine.values import And, term
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.proofs.machine.configuration import Predicate

__all__ = ["by_rule"]

T = TypeVar("T", bound=z3.ExprRef)


def by_rule(
    machine: Machine[S, C, L, V], variant: V, right: Any, form: Predicate[S, L] = lambda state, limits: True
) -> Iterator[tuple[str, Mutant]]:
    """Those of one variant, whose encoding is ``right``, each with its action. They are of no guarantee.

    ``form``: what is so of every state that there can be, besides how it is written.
    """
    state, choices = _symbols(machine.state, "state"), _symbols(machine.choices, "choices")
    limits = _symbols(machine.limits, "limits")
    known = And(form(state, limits), machine.well_formed(state, limits) if machine.well_formed else True)
    had = [name for name, action in machine.actions.items() if action.has(variant)]
    turns = {name: machine.turn(name, variant, state, choices, limits) for name in had}
    for name, other in zip(had, islice(cycle(had), 1, None), strict=False):
        wrong = [*_mistakes(state, turns[name]), (f"effect of {other}", replace(turns[name], after=turns[other].after))]
        for words, turn in wrong:
            if _differ(turns[name], turn, term(known)):
                encoding = replace(right, **{name: _put_into(turn, (state, choices, limits))})
                yield name, Mutant(f"{name}: {words}", f"By rule: {words}.", encoding, breaks="")


def _symbols(record: type[R], prefix: str) -> R:
    known = flags(record)
    return record(**{name: (z3.Bool if name in known else z3.Int)(f"{prefix}.{name}") for name in names(record)})


def _put_into(turn: Turn[S], symbols: tuple[Record, ...]) -> Act[S, C, L]:
    """A turn over symbols as a function of what stands for them."""

    def act(*given: Record) -> Turn[S]:
        pairs = [
            (getattr(symbol, name), value)
            for symbol, one in zip(symbols, given, strict=True)
            for name, value in vars(one.terms()).items()
        ]
        after = {name: z3.substitute(value, *pairs) for name, value in vars(turn.after).items()}
        return Turn(z3.substitute(term(turn.can), *pairs), type(turn.after)(**after))

    return act


def _mistakes(before: S, turn: Turn[S]) -> Iterator[tuple[str, Turn[S]]]:
    guard = term(turn.can)
    yield "guard dropped", replace(turn, can=z3.BoolVal(True))
    yield "guard negated", replace(turn, can=z3.Not(guard))
    for words, wrong in _edits(guard):
        yield f"guard, {words}", replace(turn, can=wrong)
    for name, value in vars(turn.after).items():
        kept: z3.ExprRef = getattr(before, name)
        if not value.eq(kept):
            for words, edited in (("effect dropped", kept), *_edits(value)):
                yield f"{name}, {words}", turn.but(**{name: edited})


def _edits(value: T) -> Iterator[tuple[str, T]]:
    for place, one in enumerate(_subterms(value)):
        if z3.is_int_value(one):
            yield f"{one} off by one", z3.substitute(value, (one, one + 1))
        elif z3.is_app_of(one, z3.Z3_OP_ITE):
            condition, then, otherwise = one.children()
            yield f"branches exchanged at {place}", z3.substitute(value, (one, z3.If(condition, otherwise, then)))


def _subterms(value: z3.ExprRef) -> list[z3.ExprRef]:
    """Each once, the whole first."""
    found, waiting = {value.get_id(): value}, [value]
    while waiting:
        fresh = [one for one in waiting.pop().children() if one.get_id() not in found]
        found |= {one.get_id(): one for one in fresh}
        waiting += fresh
    return list(found.values())


def _differ(right: Turn[S], wrong: Turn[S], given: z3.BoolRef) -> bool:
    """In some such state one is possible and the other is not, or both come to something else."""
    one, other = term(right.can), term(wrong.can)
    pairs = zip(vars(right.after).values(), vars(wrong.after).values(), strict=True)
    solver = z3.Solver()
    solver.add(given, z3.Or(one != other, z3.And(one, z3.Or([mine != theirs for mine, theirs in pairs]))))
    return solver.check() != z3.unsat
