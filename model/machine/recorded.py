"""How the actions of a machine show in the recording of a real group.

A page declares one table, a ``Recorded``. It has a row for each kind of event that shows an action, the hidden actions,
and those that the machine performs without delay. Events and their fields have the names of the recording format. The
follower adds kinds of events:

- ``raised``: a member's subscription has a new version.
- ``unchanged``: a broker's table is the same some time after it could change.
- ``closed``: a broker does not list a member's connection any more; ``others``: which further ones it lists.
- ``returned``: a listener returned so long ago that its offset is stored.
- ``over``: a process has ended; ``killed``: without a shutdown.
- ``moved``: a topic has more queues.

A follower reads a recording with this table. It has the set of all states in which the machine can be, and each event
must be possible in one of them. It runs the page's own actions.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
    def corrected(self) -> bool:
        """Whether the event belongs to the correction of an illegal offset, by another thread."""

    @property
    def waited(self) -> int:
        """Milliseconds for which the thread may have waited for a connection before it wrote the request.

        0 if the process has written no request before that it created later.
        """

    @property
    def overtaken(self) -> int:
        """Milliseconds since the pull began, if another thread has removed its process queue before it was sent."""

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


Choice = Value | Callable[[S, Any], Value | None]
"""A choice's value, or how the recording shows it; None means that the recording does not show it."""
Condition = Callable[[S, Any], Bool]
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
    outside: Callable[[S, Any], S] | None = None
    """Change of the state before the actions, which no action of the machine makes, such as a call of the user."""
    expected: bool = False
    """Whether that change is ordinary, such as a producer's message; otherwise the machine's assumptions exclude it."""
    by: Callable[[Any], int] | None = None
    """Number of the copy that does the actions: ``ME`` or ``OTHER`` (``model.machine.copies``); None for the machine.

    That copy is another machine in its first state, with the same shared fields.
    """
    given: Mapping[str, int | Callable[[Any], int]] = field(default_factory=dict)
    """Fields of that copy that differ from its first state, or how the recording shows them."""
    unable: tuple[str, ...] = ()
    """The explanation is possible only if none of these actions is."""

    def then(self, action: str, **choices: Choice[S]) -> "Cause[S]":
        """Return the explanation followed by another action."""
        return replace(self, moves=(*self.moves, (action, choices)))


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


def outside(change: Callable[[S, Any], S]) -> Cause[S]:
    """Explain an event by a change of the state that the machine's assumptions exclude."""
    return Cause(outside=change)


def environment(
    change: Callable[[S, Any], S], *, only: Condition[S] | None = None, sees: Condition[S] | None = None
) -> Cause[S]:
    """Explain an event by an ordinary change of the state that others make, before the actions that follow."""
    return Cause(outside=change, only=only, sees=sees, expected=True)


def another(
    action: str,
    by: Callable[[Any], int],
    *,
    given: Mapping[str, int | Callable[[Any], int]] | None = None,
    only: Condition[S] | None = None,
    **choices: Choice[S],
) -> Cause[S]:
    """Explain an event by the action of another copy of the machine, which changes the shared fields."""
    return Cause(((action, choices),), only, by=by, given=given or {})


def cannot(*actions: str) -> Cause[S]:
    """Explain an event as a sign that actions are impossible."""
    return Cause(acts=False, unable=actions)


Span = int | Callable[[Any], int]
"""A time in ms, or a function of the recording (``History``)."""


@dataclass(frozen=True)
class Row(Generic[S]):
    """Row of the table: one kind of event, and its explanations."""

    event: str
    """Name of the event in the recording format; ``over`` is the end of the process's events."""
    ways: tuple[Cause[S], ...]
    fields: Mapping[str, object] = field(default_factory=dict)
    """Values of the event's fields; the row is about events with these values only."""
    only: Callable[[Any], bool] = lambda h: True
    """The row is about events with this condition only."""
    may: bool = False
    """Whether the event is possible without any of the explanations, too."""
    early: Span = 0
    """Longest time in ms from the action to the event, if the recorder only polls for it."""
    late: Span = 0
    """Longest time in ms from the event to the action, if the event is written first."""
    delay: int = 0
    """Time in ms after which an action follows that the event announces."""
    beside: bool = False
    """Whether another thread writes the event, so that it does not show where the machine is after a gap."""
    why: str | Callable[[Any], str] = "the event is not possible"
    """Reason of the rejection if no explanation is possible, or how the recording shows it."""
    looks: bool = False
    """Whether the event only shows a state: changes by its explanations matter to no later event, and are dropped."""
    about: str = ""
    """What the row is about, if messages have machines of their own: their ``queue``, a ``message``, or both."""


def shows(
    event: str,
    *ways: Cause[S],
    only: Callable[[Any], bool] = lambda h: True,
    may: bool = False,
    early: Span = 0,
    late: Span = 0,
    delay: int = 0,
    beside: bool = False,
    why: str | Callable[[Any], str] = "the event is not possible",
    looks: bool = False,
    about: str = "",
    **fields: object,
) -> Row[S]:
    """Return a row of the table; see ``Row``. ``fields`` are values of the event's fields."""
    return Row(event, ways, fields, only, may, early, late, delay, beside, why, looks, about)


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
    """What has a machine of its own: a ``process``, its ``queue``, its ``topic`` or it as a ``member`` at a broker.

    Or a queue's ``lock``; or a queue and each followed ``message`` of it.
    """
    follows: Callable[[S], Bool] | None = None
    """Condition of a message's state as long as the message is followed."""
    shared: tuple[str, ...] = ()
    """Fields of the state that are equal for all queues of a process."""
    gaps: Gaps[S, L] | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    """Time limit -> system property of the consumer's process, or setter of the consumer, that sets it."""
    first: Callable[[Any], Iterable[Mapping[str, int]]] = lambda h: ({},)
    """Values of fields in each possible first state."""
    passing: frozenset[str] = frozenset()
    """Fields that decide only about the explanation of one event; they are 0 afterwards."""
