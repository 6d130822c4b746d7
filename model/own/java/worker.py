"""A worker that calls a user's strategy in Java."""

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

from rebalance_proofs.model.own.call import (
    ENDING,
    EXITS,
    LIMIT,
    MEMORY_MB,
    NULL,
    Call,
    Gave,
    Held,
    Limits,
    Outcome,
    Refused,
)
from rebalance_proofs.model.own.java.child import Child
from rebalance_proofs.model.own.java.classpath import NoJava, entries, find_java
from rebalance_proofs.model.own.java.protocol import Made
from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.own.surroundings import ARGUMENT, ATTRIBUTE, NONE, PROPERTY, Surroundings
from rebalance_proofs.model.queues import MessageQueue

# How to construct a user's strategy object in Java, written as a list of words.
# ``rebalance/Construction.java`` reads these words.

Words = tuple[str, ...]
"""The words that construct one object, or that give one parameter's value."""

NULL_CONSTRUCTION: Words = ("null",)


def text(value: str) -> Words:
    """Return the words of a text, which is converted to the parameter's type.

    The type is a String, a number, true or false, or a constant of an enum.
    """
    return "text", value


def new(name: str, *values: Words) -> Words:
    """Return the words that construct an object by the constructor that accepts these values.

    Numeric parameters are preferred to Strings.
    """
    return "new", name, str(len(values)), *(word for value in values for word in value)


def with_(obj: Words, setter: str, value: Words) -> Words:
    """Return the words for the object ``obj`` after a call of a setter with one argument."""
    return "with", setter, *obj, *value


def vary(obj: Words, name: str, value: Words, *, required: bool) -> Words:
    """Return the words for the object with another value of its field; an unknown field is an error if ``required``."""
    return "vary", name, "1" if required else "0", *obj, *value


def texts(values: Sequence[str]) -> Words:
    """Return the words of a List or Set of Strings."""
    return "texts", str(len(values)), *values


def queues(values: Sequence[MessageQueue]) -> Words:
    """Return the words of a List of queues."""
    return "queues", str(len(values)), *(str(word) for queue in values for word in queue)


def rooms(values: Mapping[str, str]) -> Words:
    """Return the words of an interface like ``MachineRoomResolver``.

    Its methods look up a client id, or the brokerName of a queue. For an unknown name they return null: no room.
    """
    return "rooms", str(len(values)), *(word for name, room in values.items() for word in (name, room))


AT_ONCE = 4096
"""Number of calls in a batch.

Larger batches are not faster, and repeat more calls after one that ends the JVM.
"""
UNLOCKED = "-XX:+UnlockExperimentalVMOptions"
WAYS = ("0", "3", "1")
"""HotSpot's modes for identity ``hashCode``: random, counted, by address."""


def other_hashes(number: int) -> tuple[str, ...]:
    """Return JVM options that give objects other identity hash codes than the default ones.

    ``number``: number of a process; for 0, no options are returned.
    """
    return (UNLOCKED, f"-XX:hashCode={WAYS[(number - 1) % len(WAYS)]}") if number else ()


ONE_HASH = (UNLOCKED, "-XX:hashCode=2")
"""JVM options that make the identity ``hashCode`` of all objects 1."""


class JavaWorker:
    """A worker for a strategy written in Java: a Java object whose ``allocate`` a JVM calls.

    The object is constructed once, as a client does it, and again in each JVM that replaces an ended one. Lists
    that are the same object in many calls are cheap, so calls of one group's members should be made together.
    """

    holds: tuple[Held, ...] = (Held.HASHES,)

    def __init__(
        self,
        class_name: str,
        classpath: str,
        arguments: Sequence[str] = (),
        *,
        construction: Words | None = None,
        limit: float = LIMIT,
        memory_mb: int = MEMORY_MB,
        options: Sequence[str] = (),
        surroundings: Surroundings = NONE,
    ) -> None:
        """Create the worker for a class on a classpath, in the syntax of ``java -cp``.

        Each argument is converted to the constructor's type: text or number. ``construction``, if given, replaces the
        arguments and defines how the object is made. ``options`` are further JVM options. Raises ``StrategyError`` if
        the classpath names a missing file, or if there is no JVM.
        """
        self._class_name = class_name
        self._classpath = entries(classpath)
        self._construction = construction or _construction(class_name, arguments, surroundings)
        self._limits = Limits(limit, memory_mb)
        self._surroundings = surroundings
        properties = (f"-D{one.name}={one.value}" for one in surroundings.settings if one.of(PROPERTY))
        self._options = (*options, *properties)
        self._child: Child | None = None
        self._constructed = False
        try:
            self._java = find_java()
        except NoJava as error:
            raise StrategyError(f"{class_name} {error}") from None

    @property
    def name(self) -> str:
        """The name of the strategy's Java class."""
        return self._class_name

    @property
    def made(self) -> Made:
        """Properties of the object, which is constructed if necessary. Raises ``StrategyError``."""
        return self._started().made

    def afresh(self) -> None:
        """Return None, because a JVM cannot be copied (see ``Worker.afresh``)."""

    def renewed(self) -> "_Renewed":
        """Return a worker that loads and constructs the strategy again for each batch, in this worker's JVM."""
        return _Renewed(self)

    def answers(self, calls: Sequence[Call], renewed: bool = False) -> list[Outcome]:
        """Make calls in the JVM and return their outcomes, as in ``Worker.answers``.

        Raises ``StrategyError`` if the object cannot be constructed at first.
        """
        found: list[Outcome] = []
        for start in range(0, len(calls), AT_ONCE):
            some = calls[start : start + AT_ONCE]
            outcomes = self._some(some, renewed)
            found += map(_read, outcomes)
            if len(outcomes) < len(some) or _ends(outcomes[-1]):
                break
        return found

    def _some(self, calls: Sequence[Call], renewed: bool = False) -> list[Outcome]:
        try:
            child = self._started()
        except StrategyError as error:
            if not self._constructed:
                raise
            return [Refused(EXITS, f"ended its process, and cannot be constructed again: {error}")]
        asked = child.ask(self._surroundings.called(calls), renewed)
        if asked.refused is None:
            return asked.outcomes
        self._child = None
        found, lost = asked.outcomes, calls[len(asked.outcomes) : asked.culprit]
        if lost:  # These calls were answered, but their answers were lost.
            found += self._some(lost)
            if len(found) < asked.culprit or _ends(found[-1]):
                return found
        return [*found, asked.refused]

    def _started(self) -> Child:
        if self._child is None:
            command = (self._java.path, *self._options)
            self._child = Child(
                self._class_name, self._construction, self._classpath, command, self._limits, self._surroundings
            )
            self._constructed = True
        return self._child

    def __enter__(self) -> Self:
        """Start the JVM. Raises ``StrategyError`` like the first call."""
        self._started()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the JVM."""
        if self._child:
            self._child.end()
            self._child = None


def _construction(class_name: str, arguments: Sequence[str], surroundings: Surroundings) -> Words:
    """Return the construction of the object, with the values of settings for its arguments and fields.

    Raises ``StrategyError`` for an argument that is not given.
    """
    given = list(arguments)
    for one in surroundings.settings:
        if one.kind == ARGUMENT:
            if not one.name.isdigit() or not 1 <= int(one.name) <= len(given):
                raise StrategyError(
                    f"{class_name} has no argument {one.name!r} (--vary): give all arguments by --arg, and name one by "
                    "its number, such as arg:1=5,10"
                )
            given[int(one.name) - 1] = one.value
    made = new(class_name, *map(text, given))
    for one in surroundings.settings:
        if one.of(ATTRIBUTE):
            made = vary(made, one.name, text(one.value), required=one.kind == ATTRIBUTE)
    return made


class _Renewed:
    """A worker whose batches are each answered by a newly constructed strategy of another worker's JVM."""

    def __init__(self, worker: JavaWorker) -> None:
        self._worker = worker

    def answers(self, calls: Sequence[Call]) -> list[Outcome]:
        return self._worker.answers(calls, renewed=True)


def _read(outcome: Outcome) -> Outcome:
    """Return the outcome as the client reads it: ``RebalanceImpl`` treats null as an empty list."""
    if isinstance(outcome, Refused) and outcome.kind == NULL:
        return Gave((), outcome.printed, outcome.changed, null=True)
    return outcome


def _ends(outcome: Outcome) -> bool:
    return isinstance(outcome, Refused) and outcome.kind in ENDING
