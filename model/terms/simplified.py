"""Terms in a simpler form."""

from typing import cast

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import ground

__all__ = ["simplify"]


def simplify(term: smt.T, **options: bool) -> smt.T:
    """An equal term, as Z3 simplifies it: a numeral or constant if it has no unknowns."""
    if options:
        return _simplified(term, **options)
    if not hasattr(term, "simpler"):  # code on unknown numbers comes to the same conditions again and again
        simple = _simplified(term)
        term.simpler = None if simple is term else simple
    return term if term.simpler is None else cast(smt.T, term.simpler)


def _simplified(term: smt.T, **options: bool) -> smt.T:
    value = ground(term)
    if value is None:
        # Z3 is loaded when it is first asked: answers that import a client's model never do.
        from rebalance_proofs.model.terms.z3_terms import simplify_by_z3

        return simplify_by_z3(term, **options)
    return cast(smt.T, smt.BoolVal(bool(value)) if isinstance(term, smt.BoolTerm) else smt.IntVal(value))
