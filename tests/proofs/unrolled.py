"""Records of terms in an unrolled model."""

from dataclasses import fields, is_dataclass
from typing import Any

import z3


def choose(condition: z3.BoolRef, one: Any, other: Any) -> Any:
    if not is_dataclass(one):
        return one if one.eq(other) else z3.If(condition, one, other)
    names = [field.name for field in fields(one)]
    return type(one)(**{name: choose(condition, getattr(one, name), getattr(other, name)) for name in names})


def named(record: Any, name: str, solver: z3.Solver) -> Any:
    """The record with fresh names for its terms, so that later terms do not repeat them."""
    if is_dataclass(record):
        parts = {field.name: getattr(record, field.name) for field in fields(record)}
        return type(record)(**{part: named(value, f"{name}.{part}", solver) for part, value in parts.items()})
    constant = z3.Const(name, record.sort())
    solver.add(constant == record)
    return constant
