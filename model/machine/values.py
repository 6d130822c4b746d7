"""Operators on a machine's numbers and truth values.

Python values give a Python value; a term gives a term.
"""

from rebalance_proofs.model.terms import smt

Int = int | smt.IntTerm
Bool = bool | smt.BoolTerm
Value = bool | int | smt.Term


def And(*values: Bool) -> Bool:
    """Conjunction; true if there are no operands."""
    return smt.And(*values) if any(map(smt.is_expr, values)) else all(values)


def Or(*values: Bool) -> Bool:
    """Disjunction; false if there are no operands."""
    return smt.Or(*values) if any(map(smt.is_expr, values)) else any(values)


def Not(value: Bool) -> Bool:
    """Negation."""
    return not value if isinstance(value, bool) else smt.Not(value)


def Implies(given: Bool, then: Bool) -> Bool:
    """Implication."""
    if isinstance(given, bool) and isinstance(then, bool):
        return then or not given
    return smt.Implies(given, then)


def If(condition: Bool, then: Int, otherwise: Int) -> Int:
    """Return ``then`` if the condition holds, else ``otherwise``; both are numbers.

    A condition that is a Python value selects one branch.
    """
    if isinstance(condition, bool):
        return then if condition else otherwise
    return smt.If(condition, then, otherwise)


def Either(condition: Bool, then: Bool, otherwise: Bool) -> Bool:
    """Return ``then`` if the condition holds, else ``otherwise``; both are truth values.

    A condition that is a Python value selects one branch.
    """
    if isinstance(condition, bool):
        return then if condition else otherwise
    return smt.If(condition, term(then), term(otherwise))


def number(value: Int) -> int:
    """Return the value as a Python number. Raises ``TypeError`` for a term."""
    if isinstance(value, smt.Term):
        raise TypeError(f"{value} is a term")
    return value


def truth(value: Bool) -> bool:
    """Return the value as a Python truth value. Raises ``TypeError`` for a term."""
    if isinstance(value, smt.Term):
        raise TypeError(f"{value} is a term")
    return value


def term(value: Bool) -> smt.BoolTerm:
    """Return the value as a term."""
    return smt.BoolVal(value) if isinstance(value, bool) else value
