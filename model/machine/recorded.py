"""How the actions of a machine show in the recording of a real group.

A page declares one table, a ``Recorded``. It has a row for each kind of event that shows an action, the hidden actions,
and those that the machine performs without delay. Events and their fields have the names of the recording format.

A follower reads a recording with this table. It has the set of all states in which the machine can be, and each event
must be possible in one of them. It runs the page's own actions.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol

from rebalance_proofs.model.machine.record import L, S
from rebalance_proofs.model.machine.values import Bool, Value


class History(Protocol):
    """What a recording shows of one process, up to the event that is being explained."""

    @property
    def event(self) -> Any:
        """The event that is being explained; between two events, the last one."""

    @property
    def at(self) -> int:
        """Time of ``event`` in ms."""

    @property
    def queue(self) -> str:
        """The queue, if each queue has a machine of its own. Fields below that are about a queue are about this one."""

    @property
    def topic(self) -> str:
        """The queue's topic."""

    @property
    def idle(self) -> int:
        """Milliseconds since the last pull of the queue, or since the creation of its process queue."""

    @property
    def unread(self) -> int:
        """Number of pulled messages of the queue whose listener has not returned, at most."""

    @property
    def loses_request(self) -> bool:
        """Whether the process queue is later removed as no longer pulled, and no event shows why."""

    @property
    def interrupted(self) -> bool:
        """Whether the thread that handles this result of a pull is interrupted."""

    @property
    def pulls(self) -> bool:
        """Whether the recording contains the process's pulls."""

    @property
    def results(self) -> bool:
        """Whether the recording contains results of the process's pulls."""

    @property
    def flow_limits(self) -> bool:
        """Whether settings of the consumer limit its unconsumed messages."""

    group: str

    @property
    def ordered(self) -> bool:
        """Whether the consumer has an ordered listener."""

    @property
    def topics(self) -> int:
        """Number of topics to which the consumer subscribes, with the retry topic."""

    @property
    def suspended(self) -> int | None:
        """Time in ms from which the consumer is suspended, or None."""

    @property
    def closing(self) -> bool:
        """Whether ``shutdown()`` was called."""

    @property
    def resuming(self) -> bool:
        """Whether a call of ``resume()`` has begun and has not returned."""

    @property
    def resetting(self) -> Sequence[str]:
        """Topics whose offsets the consumer was asked to reset, and has not yet reset."""

    @property
    def table(self) -> Mapping[str, bool]:
        """Queues in the process queue table, and whether a poll has seen their process queues dropped."""

    @property
    def assigned(self) -> Mapping[str, frozenset[str] | None]:
        """Topic -> queues of the last rebalance; None if its strategy has thrown."""

    @property
    def release(self) -> tuple[int, ...]:
        """The client's release, such as (5, 3, 3)."""

    @property
    def last_change(self) -> Any:
        """Poll of a broker that sees the last membership change in the process's life, or None."""

    @property
    def members(self) -> tuple[str, ...] | None:
        """The consumer ids after the last membership change, or None."""

    @property
    def away(self) -> Sequence[tuple[int, int]]:
        """Times in ms without a broker, as (from, to)."""

    @property
    def created(self) -> int:
        """Earliest time in ms at which objects of the process were created."""

    def since(self, kind: str, at: int, **values: object) -> Sequence[Any]:
        """Return the process's earlier events of a kind from a time on, with these values of their fields."""

    def spans(self, begin: str, end: str) -> Iterable[tuple[int, int]]:
        """Yield the times in ms from each event of the kind ``begin`` to the next one of the kind ``end``."""

    def unsubscribed(self, since: int, later: int) -> int:
        """Return for how many ms since a time the topic was unsubscribed, or had been until ``later`` ms before."""

    def disturbed(self, since: int) -> bool:
        """Return True if a broker was away, paused or delayed since a time."""

    def waits_for_answer(self, thread: str) -> bool:
        """Return True if the last request of a thread had no answer yet."""


Choice = Value | Callable[[S, History], Value | None]
"""A choice's value, or how the recording shows it; None means that the recording does not show it."""


Condition = Callable[[S, History], Bool]
"""A condition on the machine's state, and on what the recording shows so far."""


@dataclass(frozen=True)
class Cause(Generic[S]):
    """One explanation of an event: actions that follow each other at once. Without actions, nothing changes."""

    moves: tuple[tuple[str, Mapping[str, Choice[S]]], ...] = ()
    only: Condition[S] | None = None
    """The explanation is possible only if this condition holds before it."""
    sees: Condition[S] | None = None
    """The explanation is possible only if this condition holds after it."""
    acts: bool = True
    """Whether the event shows that the machine is in this state now; otherwise the event is no evidence."""

    def then(self, action: str, **choices: Choice[S]) -> "Cause[S]":
        """Return the explanation followed by another action."""
        return Cause((*self.moves, (action, choices)), self.only, self.sees)


def does(
    action: str,
    *,
    only: Condition[S] | None = None,
    sees: Condition[S] | None = None,
    **choices: Choice[S],
) -> Cause[S]:
    """Explain an event by an action; choices without a value are tried with both values."""
    return Cause(((action, choices),), only, sees)


def stays(only: Condition[S]) -> Cause[S]:
    """Explain an event as a sign that the machine is in such a state, which it does not leave.

    Hidden actions between the last event and this one cannot lead to such a state.
    """
    return Cause(only=only)


def nothing(only: Condition[S] | None = None) -> Cause[S]:
    """Explain an event as no action of the machine: it has no effect in such a state."""
    return Cause(only=only, acts=False)


@dataclass(frozen=True)
class Row(Generic[S]):
    """Row of the table: one kind of event, and its explanations."""

    event: str
    """Name of the event in the recording format; ``over`` is the end of the process's events."""
    ways: tuple[Cause[S], ...]
    fields: Mapping[str, object] = field(default_factory=dict)
    """Values of the event's fields; the row is about events with these values only."""
    only: Callable[[History], bool] = lambda h: True
    """The row is about events with this condition only."""
    may: bool = False
    """Whether the event is possible without any of the explanations, too."""
    early: int = 0
    """Longest time in ms from the action to the event, if the recorder only polls for it."""
    late: int = 0
    """Longest time in ms from the event to the action, if the event is written first."""
    delay: int = 0
    """Time in ms after which an action follows that the event announces."""
    beside: bool = False
    """Whether another thread writes the event, so that it does not show where the machine is after a gap."""
    why: str = "the event is not possible"
    """Reason of the rejection if no explanation is possible."""


def shows(
    event: str,
    *ways: Cause[S],
    only: Callable[[History], bool] = lambda h: True,
    may: bool = False,
    early: int = 0,
    late: int = 0,
    delay: int = 0,
    beside: bool = False,
    why: str = "the event is not possible",
    **fields: object,
) -> Row[S]:
    """Return a row of the table; see ``Row``. ``fields`` are values of the event's fields."""
    return Row(event, ways, fields, only, may, early, late, delay, beside, why)


@dataclass(frozen=True)
class Unseen(Generic[S]):
    """A hidden action: it leaves no event, and happens as soon as it is possible, or later."""

    way: Cause[S]
    later: Callable[[S, History], int] | None = None
    """How many ms after it becomes possible it can happen; None if that makes no difference."""
    missing: bool = False
    """Whether the recording should show the action; such explanations are counted."""


@dataclass(frozen=True)
class Urgent(Generic[S]):
    """Actions that the machine does not put off."""

    way: Cause[S]
    within: Callable[[S, History, int], int | None] = lambda s, h, since: 0
    """``within(state, history, since)``: longest time in ms for which the machine stays in a state.

    The actions are possible in that state, which began at ``since``. Known pauses of the process are added. None if
    there is no limit.
    """
    effect: Callable[[S, S], Bool] | None = None
    """``effect(before, after)``: the actions are urgent only if they have this effect; None if they always are."""


@dataclass(frozen=True)
class Gaps(Generic[S, L]):
    """Times in which actions may leave no event, so that the machine's state is unknown."""

    when: Callable[[History], Iterable[tuple[int, int]]]
    """The times of a process's gaps, as (from, to) in ms."""
    anywhere: Callable[[S, int, L], Iterable[S]]
    """``anywhere(first, at, limits)``: states in which the machine can be at ``at``."""
    silence: Callable[[L], int]
    """Longest time in ms after a gap until an event shows the machine."""


@dataclass(frozen=True)
class Recorded(Generic[S, L]):
    """The table: how a machine's actions show in a recording."""

    rows: tuple[Row[S], ...]
    """An event is explained by each row that fits, in this order. Other events show nothing of the machine."""
    hidden: tuple[Unseen[S], ...]
    """Hidden actions, which the machine performs between two events."""
    urgent: tuple[Urgent[S], ...]
    """Actions that the machine performs within a time limit."""
    kept: frozenset[str]
    """Ghost variables that rows read. Other ghosts make no difference."""
    ends: tuple[str, ...]
    """Events after which the machine is not checked."""
    begins: str
    """Event with which the machine begins in its first state."""
    late: str
    """Reason of the rejection if an urgent action is overdue in every state."""
    each: str = "process"
    """What has a machine of its own: a ``process``, or a ``queue`` of a process."""
    shared: tuple[str, ...] = ()
    """Fields of the state that are equal for all queues of a process."""
    gaps: Gaps[S, L] | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    """Time limit -> system property of the consumer's process that sets it."""
    first: Callable[[History], Mapping[str, int]] = lambda h: {}
    """Values of fields in the first state."""
