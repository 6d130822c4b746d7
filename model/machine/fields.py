"""Fields of a machine's records, declared as ``at: Int = Number("Next step of the thread.")``.

``@record`` makes the class a frozen dataclass whose fields have descriptions (``Variable``).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, dataclass_transform

from rebalance_proofs.model.machine.record import L, Record, Shown, Variable, variables
from rebalance_proofs.model.machine.values import Bool, Span
from rebalance_proofs.model.machine.values import limit as span_of

R = TypeVar("R", bound=Record)
When = Callable[[Any], Bool]


def Number(meaning: str, *, when: When | None = None, shown: Shown | None = None, **more: Any) -> Any:
    """Declare a field that is a number; ``when``, ``more``: see ``Variable.matters`` and its other fields."""
    return Variable(meaning, matters=when, shown=shown, **more)


def Flag(meaning: str, *, when: When | None = None, shown: Shown | None = None, **more: Any) -> Any:
    """Declare a field that is a truth value."""
    return Variable(meaning, matters=when, shown=shown, **more)


def Ghost(meaning: str, *, when: When | None = None, shown: Shown | None = None, **more: Any) -> Any:
    """Declare a field that no client stores; only claims and proofs use it."""
    return Variable(meaning, matters=when, shown=shown, ghost=True, **more)


def Limit(meaning: str, words: str, default: int) -> Any:
    """Declare a limit with its name in printed formulas and its default value."""
    return Variable(meaning, words=words, default=default)


@dataclass_transform(frozen_default=True, field_specifiers=(Number, Flag, Ghost, Limit))
def record(made: type[R]) -> type[R]:
    """Make a frozen record of a class whose fields have descriptions."""
    found: dict[str, Any] = {}
    for name, kind in made.__annotations__.items():
        described = made.__dict__.get(name)
        if isinstance(described, Variable):
            delattr(made, name)
            kind = Annotated[kind, described]
        found[name] = kind
    made.__annotations__ = found
    return dataclass(frozen=True)(made)


def defaults(limits: type[L]) -> L:
    """Return the limits with their default values. Raises ``ValueError`` if one has none."""
    found = {name: one.default for name, one in variables(limits).items()}
    if missing := [name for name, value in found.items() if value is None]:
        raise ValueError(f"{limits.__name__}: no default for {', '.join(missing)}")
    return limits(**found)


def limit(limits: type[Record], name: str) -> Span:
    """Return a limit as a length of time, printed by its name in formulas."""
    return span_of(name, variables(limits)[name].words)
