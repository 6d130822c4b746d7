"""Records of terms in an unrolled model."""

from dataclasses import fields, is_dataclass
from typing import Any

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver


def choose(condition: smt.BoolTerm, one: Any, other: Any) -> Any:
    if not is_dataclass(one):
        return one if one is other else smt.If(condition, one, other)
    names = [field.name for field in fields(one)]
    return type(one)(**{name: choose(condition, getattr(one, name), getattr(other, name)) for name in names})


def named(record: Any, name: str, solver: Solver) -> Any:
    """The record with fresh names for its terms, so that later terms do not repeat them."""
    if is_dataclass(record):
        parts = {field.name: getattr(record, field.name) for field in fields(record)}
        return type(record)(**{part: named(value, f"{name}.{part}", solver) for part, value in parts.items()})
    constant = smt.Const(name, record.sort)
    solver.add(constant == record)
    return constant
