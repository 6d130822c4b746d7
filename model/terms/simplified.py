"""Simplification of terms by Z3."""

from typing import cast

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import ground


def simplify(term: smt.T, **options: bool) -> smt.T:
    """Return an equal, simpler term as found by Z3.

    It is a numeral or constant if the term has no unknowns.
    """
    if options:
        return _simplified(term, **options)
    if not hasattr(
        term, "simpler"
    ):  # Cached because code on unknown numbers produces the same conditions again and again.
        simple = _simplified(term)
        term.simpler = None if simple is term else simple
    return term if term.simpler is None else cast(smt.T, term.simpler)


def _simplified(term: smt.T, **options: bool) -> smt.T:
    value = ground(term)
    if value is None:
        # Z3 is loaded on first use, so commands that only import a client's model never load it.
        from rebalance_proofs.model.terms.z3_terms import simplify_by_z3

        return simplify_by_z3(term, **options)
    return cast(smt.T, smt.BoolVal(bool(value)) if isinstance(term, smt.BoolTerm) else smt.IntVal(value))
