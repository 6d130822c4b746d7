"""Result of checking one trace with one state machine: counts, and rejected events."""

from collections import Counter
from dataclasses import dataclass, field

from rebalance_proofs.recorded.groups.event import Event

# A recorded event near a rejected one, as text.


@dataclass(frozen=True)
class Near:
    """An event about the same queue, group or consumer as a rejected event."""

    at: int
    """Milliseconds since the driver's first event."""
    who: str
    row: int
    """Line number in the file of the event's process, from 1."""
    words: str
    """The event's name in the recording format, and its values, as text."""
    other: str = ""
    """For a broker's event: the process that sent the request."""


BEHAVIOURS, CODE, MONITORS = "behaviours", "code", "monitors"
"""Names of the methods by which a state machine checks a trace.

``BEHAVIOURS``: a behaviour of the machine must match the events. ``CODE``: a run of the client's code in the model must
match, with the recorded inputs. ``MONITORS``: each event must satisfy the model's rules and limits; no behaviour is
searched.
"""

MESSAGES, FOLLOWED = "messages", "messages-followed"
"""Names of counters in ``shown``: pulled messages, and those with searched behaviours."""


MOST = 10_000
"""Maximum number of possible states of a machine; an event that leads to more is rejected."""
TOO_MANY = f"more than {MOST:,} states are possible, and the checker cannot decide"


class Unexplained(Exception):
    """Error: the state machine cannot explain an event.

    ``states`` are the machine's possible states before the event, and ``nearest`` are the closest possible actions, as
    text.
    """

    def __init__(self, event: Event, why: str, states: tuple[str, ...] = (), nearest: tuple[str, ...] = ()) -> None:
        super().__init__(why)
        self.event, self.why, self.states, self.nearest = event, why, states, nearest


@dataclass(frozen=True, order=True)
class Rejection:
    """The first event that a state machine cannot explain, for one queue or consumer."""

    at: int
    """Milliseconds since the driver's first event."""
    who: str
    row: int
    """Line number in the process's file, from 1."""
    about: str
    """What was checked: a consumer, a queue of a consumer, or a consumer at a broker."""
    why: str
    states: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    near: tuple[Near, ...] = field(default=(), compare=False)
    """Nearby events about the same queue or consumer.

    It is empty except for the first rejection of a state machine.
    """


@dataclass
class Tally:
    """Counts and rejections from checking one trace with one state machine."""

    machine: str
    how: str
    """Method of the check: ``BEHAVIOURS``, ``CODE`` or ``MONITORS``."""
    events: int = 0
    """Number of events that were checked."""
    about: int = 0
    """Number of queues, consumers or the like that were checked separately."""
    hidden: int = 0
    """Number of steps of the machine that left no event."""
    widened: int = 0
    """Number of events for which a time limit was extended.

    A process paused, or an answer was late.
    """
    most_states: int = 0
    shown: Counter[str] = field(default_factory=Counter)
    """Action of the machine -> number of events that it explained.

    For ``MONITORS``: rule -> how often it was checked.
    """
    rejected: list[Rejection] = field(default_factory=list)
    by: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(client in the model, consumer's release) -> number of explained events.

    It is empty unless the method is ``BEHAVIOURS``.
    """

    def held(self, client: str, release: str) -> None:
        """Count an event that a behaviour of this client's machine explains."""
        self.events += 1
        self.by[client, release] += 1

    def reject(self, about: str, found: Unexplained) -> None:
        """Record that an event about ``about`` (a queue or consumer) is unexplained."""
        event = found.event
        self.rejected.append(Rejection(event.at, event.who, event.row, about, found.why, found.states, found.nearest))

    @property
    def accepted(self) -> bool:
        """True if the state machine explained all events."""
        return not self.rejected
