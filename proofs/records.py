"""Records whose fields are terms, built from integer unknowns named like the fields; truth values are 0 or 1."""

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
    """Terms by name. Equal only to itself, so that results computed from it alone can be cached by identity."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:  # type: ignore[override]  # SimpleNamespace has none
        return id(self)


def made_once(make: Made) -> Made:
    """Cache ``make(v)``, a part that obligations share, for obligations about the same unknowns ``v``."""
    return cast(Made, lru_cache(64)(make))


def field_names(kind: type, *but: str) -> tuple[str, ...]:
    """The names of a dataclass's fields, except those in ``but``."""
    assert is_dataclass(kind)
    return tuple(field.name for field in fields(kind) if field.name not in but)


def flag_names(kind: type) -> tuple[str, ...]:
    """The names of the fields that are truth values."""
    annotations: dict[str, Any] = kind.__annotations__
    return tuple(name for name in field_names(kind) if annotations[name] is z3.BoolRef)


def record(kind: type[Record], v: SimpleNamespace, **given: Any) -> Record:
    """A record of type ``kind`` made of the unknowns in ``v``; ``given``: fields with other values."""
    flags = flag_names(kind)
    values = {name: getattr(v, name) for name in field_names(kind, *given)}
    return kind(**{name: value == 1 if name in flags else value for name, value in values.items()}, **given)


def truths(v: SimpleNamespace, names: Iterable[str]) -> dict[str, z3.BoolRef]:
    """Premise: the unknowns of these names are 0 or 1."""
    return {
        "what is no number is 0 or 1": z3.And([z3.Or(getattr(v, name) == 0, getattr(v, name) == 1) for name in names])
    }


def integers(names: Iterable[str]) -> Callable[[], Unknowns]:
    """A function ``unknowns()`` that makes integer unknowns of these names."""
    return lambda: Unknowns(**{name: z3.Int(name) for name in names})


def flags_of(names: Iterable[str]) -> Callable[[SimpleNamespace], dict[str, z3.BoolRef]]:
    """A function ``flags(v)`` that gives the premise that the unknowns of these names are 0 or 1."""
    return made_once(lambda v: truths(v, names))


def record_of(kind: type[Record], prefix: str = "") -> Callable[[SimpleNamespace], Record]:
    """A cached function of ``v`` that makes the record; names of unknowns are ``prefix`` and the field's name."""

    def made(v: SimpleNamespace) -> Record:
        return record(kind, SimpleNamespace(**{name: getattr(v, prefix + name) for name in field_names(kind)}))

    return made_once(made)


def chosen(kind: type[Record], said: Mapping[str, bool]) -> Record:
    """A record of truth values: those in ``said`` as given, all others false."""
    return kind(**{name: z3.BoolVal(said.get(name, False)) for name in field_names(kind)})
