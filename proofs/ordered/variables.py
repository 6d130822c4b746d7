"""The unknowns of a statement about one consumer's state, by name."""

from dataclasses import fields, is_dataclass
from types import SimpleNamespace
from typing import Any, TypeVar

import z3

from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Consumer, Lock, Said, State

__all__ = ["ME", "NAMES", "OTHER", "SAID", "flags", "limits_of", "said_of", "state_of", "unknowns"]

ME, OTHER = 1, 2
"""The client ids of the consumer that is spoken of, and of all others."""

Record = TypeVar("Record", Consumer, Lock, Said)


def _fields(kind: type) -> list[str]:
    assert is_dataclass(kind)
    return [field.name for field in fields(kind) if field.name != "client_id"]


def _flags(kind: type) -> list[str]:
    annotations: dict[str, Any] = kind.__annotations__
    return [name for name in _fields(kind) if annotations[name] is z3.BoolRef]


SAID = tuple(_fields(Said))
FLAGS = (*_flags(Consumer), *_flags(Said))
NAMES = ("now", *_fields(Consumer), *_fields(Lock), *_fields(Limits), *SAID)
"""All of them; the flags are 0 or 1."""


def unknowns() -> SimpleNamespace:
    """Integers of these names."""
    return SimpleNamespace(**{name: z3.Int(name) for name in NAMES})


def flags(v: SimpleNamespace) -> dict[str, z3.BoolRef]:
    """What is a truth value is 0 or 1."""
    return {
        "what is no number is 0 or 1": z3.And([z3.Or(getattr(v, name) == 0, getattr(v, name) == 1) for name in FLAGS])
    }


def _record(kind: type[Record], v: SimpleNamespace, **given: Any) -> Record:
    values = {name: getattr(v, name) for name in _fields(kind)}
    told: dict[str, Any] = {name: value == 1 if name in FLAGS else value for name, value in values.items()}
    return kind(**told, **given)


def state_of(v: SimpleNamespace, client_id: int = ME) -> State:
    """The consumer's state, and the broker's lock."""
    return State(v.now, _record(Consumer, v, client_id=z3.IntVal(client_id)), _record(Lock, v))


def said_of(v: SimpleNamespace) -> Said:
    """What an action leaves open."""
    return _record(Said, v)


def limits_of(v: SimpleNamespace) -> Limits:
    """The limits of time."""
    return Limits(**{name: getattr(v, name) for name in _fields(Limits)})
