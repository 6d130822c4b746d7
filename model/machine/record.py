"""Records of a machine: its state, an action's choices, its limits. The type of a field says what the variable is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Self, TypeVar, get_args, get_type_hints

import z3

from rebalance_proofs.model.machine.values import Bool, Int, Value

__all__ = [
    "C",
    "L",
    "R",
    "Record",
    "S",
    "Shown",
    "Timed",
    "V",
    "Variable",
    "flags",
    "ghosts",
    "names",
    "naming",
    "shared",
    "variables",
]


@dataclass(frozen=True)
class Shown:
    """How a variable is shown in traces."""

    label: str
    """What people call it: ``rebalance thread``."""
    words: Mapping[int, str] = field(default_factory=dict)
    """Its values in words; others are shown as they are."""
    name: str = ""
    """In the trace; empty for the field's own name."""
    codes: tuple[str, ...] = ()
    """In the trace, a text in the place of each number from 0 on; empty where the trace has the value itself."""
    of: Callable[[Any], Value] | None = None
    """``of(state)``: what is shown in the place of the value; of the same type, or a number."""
    number: bool = False
    """It is one, though the value is a truth value."""
    none: int | None = None
    """The number that stands for none in traces, and is nobody's."""
    meaning: str = ""
    """What whoever asks is told; empty for what the variable means."""
    party: str = ""
    """Whose it is, for people; empty for the machine's."""


@dataclass(frozen=True)
class Variable:
    """The second part of a field's type: ``since: Annotated[Int, Variable("When the wait began.")]``. Times are ms."""

    meaning: str
    most: int | None = None
    """The greatest value that explorations tell apart; None for as great as any. Of a flag it says nothing."""
    least: int = 0
    """The least one."""
    none: int | None = None
    """A number below the least that stands for none, and is told apart, too."""
    matters: Callable[[Any], Bool] | None = None
    """``matters(state)``: whether the value can make a difference there. Explorations have it 0 elsewhere. Of a copy's
    own field it speaks of its own fields alone."""
    ghost: bool = False
    """No client keeps it: it is there for claims and proofs alone."""
    shared: bool = False
    """All copies of the machine have it together: it is the broker's."""
    names: bool = False
    """It names a copy, or nobody (``model.machine.copies``)."""
    room: Callable[[Any], tuple[int, int]] | None = None
    """``room(limits)``: the least and the greatest value that explorations tell apart, not 0 and ``most``."""
    relative: bool = False
    """A time that explorations count from now on, in ticks. Where one is, every time of the machine has to be."""
    shown: Shown | None = None
    """None where traces do not have it."""


@dataclass(frozen=True)
class Record:
    """All values are Python's, or all are terms. Each field is of type ``Annotated[Int or Bool, Variable(...)]``."""

    def but(self, **changes: Value) -> Self:
        """The same with these fields. Raises ``TypeError`` for a name that is none of them."""
        own = vars(self)
        if not changes.keys() <= own.keys():
            raise TypeError(f"{type(self).__name__} has no {', '.join(changes.keys() - own.keys())}")
        # The constructor would set one field after the other, which takes long in enumerations.
        made = object.__new__(type(self))
        vars(made).update(own)
        vars(made).update(changes)
        for value in (next(iter(own.values()), None), *changes.values()):
            if isinstance(value, z3.ExprRef):
                return made.terms()
        return made

    def where(self, condition: Bool, **changes: Value) -> Self:
        """The same, with these fields where the condition is so."""
        if isinstance(condition, bool):
            return self.but(**changes) if condition else self
        return self.but(**{name: z3.If(condition, value, getattr(self, name)) for name, value in changes.items()})

    def at_time(self, now: Int) -> Self:
        """The same at that time; the same, of a machine without a clock."""
        return self.but(now=now) if isinstance(self, Timed) else self

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> Self:
        """By the names of the fields; terms, where one of the values is a term."""
        made = cls(**values)
        return made.terms() if any(map(z3.is_expr, values.values())) else made

    @classmethod
    def numbers(cls, values: Mapping[str, int]) -> Self:
        """Of numbers by the names of the fields, 0 or 1 for a truth value; what has no field is left out.

        Raises ``KeyError`` where a field has no value.
        """
        known = flags(cls)
        return cls(**{name: bool(values[name]) if name in known else int(values[name]) for name in names(cls)})

    @classmethod
    def blank(cls, **values: Value) -> Self:
        """With these fields; every other one is false, or 0, or the time ``now`` where that is given."""
        now, known = values.get("now", 0), flags(cls)
        return cls.of({name: False if name in known else now for name in names(cls)} | values)

    def terms(self) -> Self:
        """The same as terms."""
        known = flags(type(self))
        kinds = {name: z3.BoolVal if name in known else z3.IntVal for name in vars(self)}
        return type(self)(**{name: one if z3.is_expr(one) else kinds[name](one) for name, one in vars(self).items()})


S = TypeVar("S", bound=Record)
"""A machine's state."""
C = TypeVar("C", bound=Record)
"""What an action leaves open."""
L = TypeVar("L", bound=Record)
"""What stays the same in a run: limits of time."""
R = TypeVar("R", bound=Record)
"""Any of these."""
V = TypeVar("V")
"""What clients differ in."""


@dataclass(frozen=True)
class Timed(Record):
    """The state of a machine in time, on a clock that is the same for all of it."""

    now: Annotated[Int, Variable("The time.")]


# Not functools.cache: a type of records is not Hashable to type checkers.
_VARIABLES: dict[type[Record], Mapping[str, Variable]] = {}
_FLAGS: dict[type[Record], frozenset[str]] = {}


def variables(record: type[Record]) -> Mapping[str, Variable]:
    """What each field is, in order. Raises ``TypeError`` for a field that does not say it."""
    if record not in _VARIABLES:
        _VARIABLES[record] = _declared(record)
    return _VARIABLES[record]


def _declared(record: type[Record]) -> Mapping[str, Variable]:
    hints, found = get_type_hints(record, include_extras=True), {}
    for one in fields(record):
        kind, *said = get_args(hints[one.name])
        if kind not in (Int, Bool) or len(said) != 1 or not isinstance(said[0], Variable):
            raise TypeError(f"{record.__name__}.{one.name} is not Annotated[Int or Bool, Variable(...)]")
        found[one.name] = said[0]
    return found


def flags(record: type[Record]) -> frozenset[str]:
    """The fields that are truth values."""
    if record not in _FLAGS:
        hints = get_type_hints(record)
        _FLAGS[record] = frozenset(name for name in variables(record) if hints[name] == Bool)
    return _FLAGS[record]


def names(record: type[Record]) -> tuple[str, ...]:
    """The fields, in order."""
    return tuple(variables(record))


def ghosts(record: type[Record]) -> tuple[str, ...]:
    """The fields that no client keeps."""
    return tuple(name for name, one in variables(record).items() if one.ghost)


def shared(record: type[Record]) -> tuple[str, ...]:
    """The fields that all copies have together."""
    return tuple(name for name, one in variables(record).items() if one.shared)


def naming(record: type[Record]) -> tuple[str, ...]:
    """The fields that name a copy."""
    return tuple(name for name, one in variables(record).items() if one.names)
