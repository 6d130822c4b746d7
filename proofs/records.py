"""Records whose fields are terms, and unknown integers by the names of their fields: 0 or 1 for truth values."""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from types import SimpleNamespace
from typing import Any, TypeVar

import z3

__all__ = ["field_names", "flag_names", "record", "truths"]

Record = TypeVar("Record")


def field_names(kind: type, *but: str) -> tuple[str, ...]:
    """Of a dataclass, without some."""
    assert is_dataclass(kind)
    return tuple(field.name for field in fields(kind) if field.name not in but)


def flag_names(kind: type) -> tuple[str, ...]:
    """Those of its fields that are truth values."""
    annotations: dict[str, Any] = kind.__annotations__
    return tuple(name for name in field_names(kind) if annotations[name] is z3.BoolRef)


def record(kind: type[Record], v: SimpleNamespace, **given: Any) -> Record:
    """The record of those unknowns; ``given``: fields that are none."""
    flags = flag_names(kind)
    values = {name: getattr(v, name) for name in field_names(kind, *given)}
    return kind(**{name: value == 1 if name in flags else value for name, value in values.items()}, **given)


def truths(v: SimpleNamespace, names: Iterable[str]) -> dict[str, z3.BoolRef]:
    """What is a truth value is 0 or 1."""
    return {
        "what is no number is 0 or 1": z3.And([z3.Or(getattr(v, name) == 0, getattr(v, name) == 1) for name in names])
    }
