"""Records whose fields are terms, and unknown integers by the names of their fields: 0 or 1 for truth values."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import z3

__all__ = [
    "Unknowns",
    "chosen",
    "field_names",
    "flag_names",
    "flags_of",
    "integers",
    "made_once",
    "record",
    "record_of",
    "truths",
]

Record = TypeVar("Record")
Made = TypeVar("Made", bound=Callable[..., Any])


class Unknowns(SimpleNamespace):
    """Terms by name. What is made of them alone can be kept: they are told apart as objects, not by what is in them."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:  # type: ignore[override]  # SimpleNamespace has none
        return id(self)


def made_once(make: Made) -> Made:
    """What obligations have in common, ``make(v)``, is made once for those that are about the same unknowns."""
    return cast(Made, lru_cache(64)(make))


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


def integers(names: Iterable[str]) -> Callable[[], Unknowns]:
    """``unknowns()``: integers of these names."""
    return lambda: Unknowns(**{name: z3.Int(name) for name in names})


def flags_of(names: Iterable[str]) -> Callable[[SimpleNamespace], dict[str, z3.BoolRef]]:
    """``flags(v)``: what is a truth value is 0 or 1."""
    return made_once(lambda v: truths(v, names))


def record_of(kind: type[Record], prefix: str = "") -> Callable[[SimpleNamespace], Record]:
    """``record(kind, v)``, made once; ``prefix``: what the unknowns' names begin with, before the fields' names."""

    def made(v: SimpleNamespace) -> Record:
        return record(kind, SimpleNamespace(**{name: getattr(v, prefix + name) for name in field_names(kind)}))

    return made_once(made)


def chosen(kind: type[Record], said: Mapping[str, bool]) -> Record:
    """The record of truth values in which what is named is as it is said, and nothing else is so."""
    return kind(**{name: z3.BoolVal(said.get(name, False)) for name in field_names(kind)})
