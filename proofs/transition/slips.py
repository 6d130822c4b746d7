"""Mutants of a rebalance's terms, each wrong in only one part (``proofs.mutation.slips``)."""

from dataclasses import replace
from functools import cache

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.transition.step import Asked, Entry, Step, Thrown, TransitionEncoding
from rebalance_proofs.proofs.mutation.free import as_mutants


@cache
def slips(encoding: TransitionEncoding) -> tuple[Mutant, ...]:
    """Return the mutants of a client's terms, each wrong in one part."""

    def throws(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
        step = encoding.step(entry, asked, thrown)
        return replace(step, adding_throws=smt.Or(step.adding_throws, step.entered))

    def throws_removing(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
        step = encoding.step(entry, asked, thrown)
        return replace(step, removing_throws=smt.Or(step.removing_throws, step.out))

    return as_mutants(
        ("adding-throws", "Adding a process queue always throws.", replace(encoding, step=throws)),
        ("removing-throws", "Removing a process queue always throws.", replace(encoding, step=throws_removing)),
    )
