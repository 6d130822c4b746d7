"""Base class for a client whose behaviour is one variant of a state machine."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from inspect import signature
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from rebalance_proofs.model.machine.machine import Act, Machine, Turn, act_of
from rebalance_proofs.model.machine.record import C, L, S, V, flags, ghosts, names
from rebalance_proofs.model.machine.values import Bool, Value, number, truth
from rebalance_proofs.model.possible import need
from rebalance_proofs.model.terms.values import Mutant

# Hand-written mutants of a machine: wrong actions, which claims must reject.


@dataclass(frozen=True)
class Wrong(Generic[S, C, L, V]):
    """A mutant where one action, several actions or all actions are wrong."""

    name: str
    sentence: str
    edit: Callable[[S, C, L, Turn[S]], Turn[S]]
    """``edit(before, choices, limits, turn)`` returns the wrong result of an action.

    ``turn`` is the right result: guard and successor state.
    """
    action: str | tuple[str, ...] = ""
    """Names of the actions to edit; empty for every action."""
    breaks: str = ""
    """Name of the guarantee that must reject the mutant (``Mutant.breaks``)."""
    of: Callable[[V], bool] = lambda variant: True
    """``of(variant)``: whether the mutant applies to this client."""
    takes_for: Callable[[S], S] = lambda state: state
    """``takes_for(state)`` returns a wrong state, on which the right action then runs."""

    def mutant(self, right: Any) -> Mutant:
        """Return the mutant, given the right encoding."""
        named = (self.action,) if isinstance(self.action, str) else self.action
        actions = named if self.action else right.acts
        wrong = {name: self._wrong(act_of(right, name)) for name in actions}
        return Mutant(self.name, self.sentence, replace(right, **wrong), self.breaks)

    def _wrong(self, right: Act[S, C, L]) -> Act[S, C, L]:
        return lambda state, choices, limits: self.edit(
            state, choices, limits, right(self.takes_for(state), choices, limits)
        )


@dataclass(frozen=True)
class WrongParts(Generic[V]):
    """A mutant where other parts of an encoding than actions are wrong (``Machine.parts``)."""

    name: str
    sentence: str
    wrong: Callable[[Any], Mapping[str, Any]]
    """``wrong(right)`` returns the wrong parts by name; ``right`` is the right encoding."""
    breaks: str = ""
    of: Callable[[V], bool] = lambda variant: True

    def mutant(self, right: Any) -> Mutant:
        """Return the mutant, given the right encoding."""
        return Mutant(self.name, self.sentence, replace(right, **self.wrong(right)), self.breaks)


# Refinement map: how a class of the client's Python code implements a machine.
# The map gives the object's attribute for each field of the machine, and the method for each action. To run an action
# in a state, the state is written into an object, the method is called, and the successor state is read from the
# object. No client stores ghost fields; they take their values from the machine's own actions.

Object = TypeVar("Object")


@dataclass(frozen=True)
class Code(Generic[S, C, L, Object]):
    """How a class of the client's Python code implements a machine (refinement map)."""

    made: Callable[[L], Object]
    """``made(limits)`` returns a new object of the class."""
    put: Callable[[Object, S, C], None]
    """``put(object, state, choices)``: writes the state into the object's own variables."""
    seen: Callable[[Object], Mapping[str, int]]
    """``seen(object)`` returns the state's fields except ghost fields, as read from the object.

    Fields that are left out keep their values.
    """
    calls: Mapping[str, Callable[[Object, S, C], object]]
    """``calls[action](object, state, choices)`` calls the method that implements the action.

    It raises ``Impossible`` if the object cannot perform the action in that state. Actions without a method here
    are performed by the machine alone.
    """
    unguarded: frozenset[str] = field(default_factory=frozenset)
    """Actions whose method can always be called; only the machine's guard restricts them."""
    form: Callable[[S, L], Bool] = lambda state, limits: True
    """``form(state, limits)``: a condition that limits and states of all objects satisfy."""
    several: Callable[[L, Sequence[int]], Sequence[Object]] | None = None
    """``several(limits, numbers)`` returns new objects that share one broker's state.

    Each object has one of ``numbers``, by which the broker identifies it (``model.machine.copies``).
    """

    asks: Mapping[str, Callable[[Object], bool]] = field(default_factory=dict)
    """Functions that compute further parts of the encoding (``Machine.parts``), by name."""

    def objects(self, limits: L, numbers: Sequence[int]) -> Sequence[Object]:
        """Return new objects that share one broker's state, one for each number."""
        return self.several(limits, numbers) if self.several else [self.made(limits) for _ in numbers]


def by_name(
    made: Callable[[L], Object],
    of: type[Object],
    machine: Machine[S, C, L, V],
    attributes: Mapping[str, str] = MappingProxyType({}),
    put: Callable[[Object, S, C], None] | None = None,
    seen: Callable[[Object], Mapping[str, int]] | None = None,
) -> Code[S, C, L, Object]:
    """Return the refinement map of a class whose methods have the names of actions.

    ``attributes``: the object's attribute for each field that it stores as it is. ``put`` and ``seen`` write and read
    the others. A method's arguments have the names of choices or fields, which are their values. If the object stores
    the time (``now``), it is set before each call. An action without a method of its name (``Action.code``) is
    performed by the machine alone.
    """
    flagged = flags(machine.state) | flags(machine.choices)
    chosen = frozenset(names(machine.choices))
    clock = {name: place for name, place in attributes.items() if name == "now"}

    def plain(name: str, s: S, c: C) -> int:
        value = getattr(c if name in chosen else s, name)
        return truth(value) if name in flagged else number(value)

    def puts(one: Object, s: S, c: C) -> None:
        for name, place in attributes.items():
            setattr(one, place, plain(name, s, c))
        if put:
            put(one, s, c)

    def reads(one: Object) -> dict[str, int]:
        return {**{name: getattr(one, place) for name, place in attributes.items()}, **(seen(one) if seen else {})}

    def argument(name: str, s: S, c: C) -> int:
        value = plain(name, s, c)
        return bool(value) if name in flagged else value  # In symbolic execution, each value is a path of its own.

    def call(method: str) -> Callable[[Object, S, C], object]:
        asked = tuple(signature(getattr(of, method)).parameters)[1:]

        def does(one: Object, s: S, c: C) -> object:
            for name, place in clock.items():
                setattr(one, place, plain(name, s, c))
            return getattr(one, method)(**{name: argument(name, s, c) for name in asked})

        return does

    methods = {name: action.code or name for name, action in machine.actions.items()}
    calls = {name: call(method) for name, method in methods.items() if hasattr(of, method)}
    unguarded = frozenset(name for name, action in machine.actions.items() if action.anytime)
    return Code(made, puts, reads, calls, unguarded)


def does(
    machine: Machine[S, C, L, V],
    code: Code[S, C, L, Object],
    variant: V,
    made: Object,
    name: str,
    state: S,
    choices: C,
    limits: L,
) -> S:
    """Return the state after an action, computed by the client's code.

    Raises ``Impossible`` if the code does not perform the action in this state.
    """
    call, ghostly = code.calls.get(name), ghosts(machine.state)
    alone, kept = call is None or name in code.unguarded, dict[str, Value]()
    if call is not None and not alone:
        call(made, state, choices)
    if alone or ghostly:
        guard, changes = machine.step(name, variant, state, choices, limits)
        need(truth(guard) or not alone)
        kept = {one: changes[one] for one in ghostly if one in changes}
    if call is not None and alone:
        call(made, state, choices)
    return state.but(**kept, **code.seen(made))


class MachineClient:
    """Base class for a client in the claims about one machine; subclasses add their own fields."""

    name: str
    """Name used in claim ids."""
    made: Any
    """Class of the client's Python code; reports list its files."""
    machine: ClassVar[Machine[Any, Any, Any, Any]]
    wrong: ClassVar[Sequence[Wrong[Any, Any, Any, Any] | WrongParts[Any]]]
    """Hand-written mutants; the predicate ``of`` of each selects the clients that it applies to."""

    @cached_property
    def encoding(self) -> Any:
        """The client's behaviour as SMT terms (``Machine.encoding``)."""
        return self.machine.encoding(self)

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """Mutants of the encoding, each with one error, which claims or proofs must reject."""
        return tuple(one.mutant(self.encoding) for one in self.wrong if one.of(self))
