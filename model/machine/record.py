"""Base class of a machine's state, choices and limits, with a description of each field.

A field's description is in its type.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Self, TypeVar, get_args, get_type_hints

from rebalance_proofs.model.machine.values import And, Bool, Int, Or, Value
from rebalance_proofs.model.terms import smt


@dataclass(frozen=True)
class Shown:
    """How traces and reports show a variable of the state."""

    label: str
    """Printed name of the variable, such as ``rebalance thread``."""
    words: Mapping[int, str] = field(default_factory=dict)
    """Printed word for a value; values that are not listed are printed as they are."""
    name: str = ""
    """Name of the variable in traces; empty for the field's own name."""
    codes: tuple[str, ...] = ()
    """Texts that traces contain instead of the numbers 0, 1, and so on.

    Empty if traces contain the numbers.
    """
    of: Callable[[Any], Value] | None = None
    """``of(state)``: the value to show instead of the field's own.

    It has the same type or is a number.
    """
    number: bool = False
    """Whether the shown value is a number although the field is a flag."""
    none: int | None = None
    """Number that means "none" in traces; a report shows it without the colour of an owner."""
    meaning: str = ""
    """Explanation for readers; empty for the variable's own meaning."""
    party: str = ""
    """Part of the system, such as the broker, to which reports assign the variable.

    Empty for the machine itself.
    """


@dataclass(frozen=True)
class Variable:
    """Description of a field, in its type.

    Example: ``since: Annotated[Int, Variable("When the wait began.")]``. Times are in ms.
    """

    meaning: str
    most: int | None = None
    """Largest value that explorations distinguish; None for the configured maximum.

    Ignored for flags.
    """
    least: int = 0
    """Smallest value that explorations distinguish."""
    none: int | None = None
    """Number below ``least`` that means "none"; explorations distinguish it from all others."""
    matters: Callable[[Any], Bool] | None = None
    """``matters(state)``: whether the value can make a difference in a state.

    In other states, explorations set it to 0. For a field that is not shared, the condition uses only fields that
    are not shared.
    """
    ghost: bool = False
    """Whether the field is a ghost: no client stores it; only claims and proofs use it."""
    shared: bool = False
    """Whether all copies of the machine share the field, because it is the broker's."""
    names: bool = False
    """Whether the value is the number of a copy of the machine, or 0 (``model.machine.copies``)."""
    room: Callable[[Any], tuple[int, int]] | None = None
    """``room(limits)``: smallest and largest value that explorations distinguish.

    It replaces ``least`` and ``most``.
    """
    relative: bool = False
    """Whether the field is a time that explorations count in ticks from now on.

    If one time of a machine is relative, all must be.
    """
    shown: Shown | None = None
    """How traces and reports show the field; None if they omit it."""
    default: int | None = None
    """Default of a limit; None if it has none."""
    words: str = ""
    """Name of a limit in printed formulas, such as ``waitInterval``."""


PLAIN = frozenset((bool, int))


@dataclass(frozen=True)
class Record:
    """Immutable record whose values are all Python values, or all terms.

    Each field is of type ``Annotated[Int or Bool, Variable(...)]``.
    """

    def but(self, **changes: Value) -> Self:
        """Return a copy with these fields changed. Raises ``TypeError`` for an unknown field name."""
        own = vars(self)
        values = {**own, **changes}
        if len(values) > len(own):
            raise TypeError(f"{type(self).__name__} has no {', '.join(values.keys() - own.keys())}")
        if smt.is_expr(next(iter(own.values()), 0)):
            terms = {name: self._term(name, value) for name, value in changes.items() if not smt.is_expr(value)}
            return self._of(values | terms)
        made, some = self._of(values), changes.values()
        return made if PLAIN.issuperset(map(type, some)) or not any(map(smt.is_expr, some)) else made.terms()

    @classmethod
    def _of(cls, values: Mapping[str, Value]) -> Self:
        """Return the record with these values; faster than the constructor.

        A dataclass's own ``__init__`` takes several times as long.
        """
        made = object.__new__(cls)
        vars(made).update(values)
        return made

    def where(self, condition: Bool, **changes: Value) -> Self:
        """Return a copy where these fields are changed if the condition holds; it may be a term."""
        if isinstance(condition, bool):
            return self.but(**changes) if condition else self
        return self.but(**{name: smt.If(condition, value, getattr(self, name)) for name, value in changes.items()})

    def at_time(self, now: Int) -> Self:
        """Return a copy at another time; the record itself if it has no clock."""
        return self.but(now=now) if isinstance(self, Timed) else self

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> Self:
        """Return the record with these values by field name; all become terms if one is a term."""
        made = cls(**values)
        return made.terms() if any(map(smt.is_expr, values.values())) else made

    @classmethod
    def numbers(cls, values: Mapping[str, int]) -> Self:
        """Return the record of numbers by field name, with 0 or 1 for a flag.

        Names that are not fields are ignored. Raises ``KeyError`` if a field has no value.
        """
        if cls not in _KINDS:
            _KINDS[cls] = {name: bool if name in flags(cls) else int for name in names(cls)}
        return cls._of({name: kind(values[name]) for name, kind in _KINDS[cls].items()})

    @classmethod
    def blank(cls, **values: Value) -> Self:
        """Return the record with these values, and defaults for all other fields.

        Other flags are false. Other numbers are the time ``now``, or 0 if that is not given.
        """
        now, known = values.get("now", 0), flags(cls)
        return cls.of({name: False if name in known else now for name in names(cls)} | values)

    @classmethod
    def symbols(cls, prefix: str = "") -> Self:
        """Return a record of unknowns, each named after its field with a prefix."""
        known = flags(cls)
        return cls(**{name: (smt.Bool if name in known else smt.Int)(f"{prefix}{name}") for name in names(cls)})

    def in_range(self, some: Collection[str] | None = None) -> Bool:
        """Check that the numbers of these fields, or of all fields, are in range.

        The range is at least ``Variable.least``, or the number for none.
        """
        known, truths = variables(type(self)), flags(type(self))
        ranges: list[Bool] = []
        for name in known if some is None else some:
            if name not in truths and not known[name].names:
                value, none = getattr(self, name), known[name].none
                least = value >= known[name].least
                ranges.append(least if none is None else Or(least, value == none))
        return And(*ranges)

    def terms(self) -> Self:
        """Return the same record with all values as SMT terms."""
        return self._of({name: one if smt.is_expr(one) else self._term(name, one) for name, one in vars(self).items()})

    @classmethod
    def _term(cls, name: str, value: int) -> smt.Term:
        return smt.BoolVal(bool(value)) if name in flags(cls) else smt.IntVal(value)


S = TypeVar("S", bound=Record)
"""Type variable: a machine's state."""
C = TypeVar("C", bound=Record)
"""Type variable: an action's nondeterministic choices, which the model leaves open."""
L = TypeVar("L", bound=Record)
"""Type variable: parameters that stay constant, such as time limits."""
R = TypeVar("R", bound=Record)
"""Type variable: any of these records."""
V = TypeVar("V")
"""Type variable: a variant of a machine, which is a client with its differences from others."""


@dataclass(frozen=True)
class Timed(Record):
    """State of a machine with a clock. All copies have the same time."""

    now: Annotated[Int, Variable("The time.")]


# Not functools.cache: type checkers do not treat a record type as Hashable.
_VARIABLES: dict[type[Record], Mapping[str, Variable]] = {}
_FLAGS: dict[type[Record], frozenset[str]] = {}
_GHOSTS: dict[type[Record], tuple[str, ...]] = {}
_KINDS: dict[type[Record], dict[str, type[int]]] = {}


def variables(record: type[Record]) -> Mapping[str, Variable]:
    """Return each field's description, in order. Raises ``TypeError`` for a field without one."""
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
    """Return the names of the fields that are truth values."""
    if record not in _FLAGS:
        hints = get_type_hints(record)
        _FLAGS[record] = frozenset(name for name in variables(record) if hints[name] == Bool)
    return _FLAGS[record]


def names(record: type[Record]) -> tuple[str, ...]:
    """Return the names of all fields, in order."""
    return tuple(variables(record))


def ghosts(record: type[Record]) -> tuple[str, ...]:
    """Return the names of the ghost fields, which no client stores."""
    if record not in _GHOSTS:
        _GHOSTS[record] = tuple(name for name, one in variables(record).items() if one.ghost)
    return _GHOSTS[record]


def shared(record: type[Record]) -> tuple[str, ...]:
    """Return the names of the fields that all copies of a machine share."""
    return tuple(name for name, one in variables(record).items() if one.shared)


def naming(record: type[Record]) -> tuple[str, ...]:
    """Return the names of the fields whose value is the number of a copy."""
    return tuple(name for name, one in variables(record).items() if one.names)
