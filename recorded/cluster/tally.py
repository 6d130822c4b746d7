"""One machine's result for one trace: events, hidden steps, rejections."""

from collections import Counter
from dataclasses import dataclass, field

from rebalance_proofs.recorded.cluster.near import Near
from rebalance_proofs.recorded.groups.event import Event

__all__ = ["BEHAVIOURS", "CODE", "FOLLOWED", "MESSAGES", "MONITORS", "Rejection", "Tally", "Unexplained"]

BEHAVIOURS, CODE, MONITORS = "behaviours", "code", "monitors"
"""How a machine checks a trace.

``BEHAVIOURS``: a behaviour of the declared machine must match the events. ``CODE``: a run of the client's code in the
model must match, with the recorded inputs. ``MONITORS``: each event must satisfy the model's rules and limits; no
behaviour is searched.
"""

MESSAGES, FOLLOWED = "messages", "messages-followed"
"""Names of counters in ``shown``: messages that came to an entry, and those whose behaviours were searched."""


class Unexplained(Exception):
    """An event that the machine cannot explain.

    ``states``: the machine's states before it; ``nearest``: the closest possible actions.
    """

    def __init__(self, event: Event, why: str, states: tuple[str, ...] = (), nearest: tuple[str, ...] = ()) -> None:
        super().__init__(why)
        self.event, self.why, self.states, self.nearest = event, why, states, nearest


@dataclass(frozen=True, order=True)
class Rejection:
    """The first event of a trace that a machine cannot explain, for one queue or consumer."""

    at: int
    """Milliseconds since the driver's first event."""
    who: str
    row: int
    """Line number in the process's file, from 1."""
    about: str
    """Subject of the machine: a consumer, a queue of a consumer, or a consumer at a broker."""
    why: str
    states: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    near: tuple[Near, ...] = field(default=(), compare=False)
    """Nearby events about the same subject; only for each machine's first rejection."""


@dataclass
class Tally:
    """Counters and rejections of one machine for one trace."""

    machine: str
    how: str
    """``BEHAVIOURS``, ``CODE`` or ``MONITORS``."""
    events: int = 0
    """Number of checked events."""
    about: int = 0
    """Number of subjects (consumers, queues of consumers, ...) that were checked separately."""
    hidden: int = 0
    """Number of steps without an event."""
    widened: int = 0
    """Number of events for which a limit was extended, because a process paused or an answer was late."""
    most_states: int = 0
    shown: Counter[str] = field(default_factory=Counter)
    """Action -> how many events showed it; for monitors, rule -> how often it was checked."""
    rejected: list[Rejection] = field(default_factory=list)
    by: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(machine's client, consumer's release) -> events explained; empty if no behaviour is searched."""

    def held(self, client: str, release: str) -> None:
        """Count an event that a behaviour of this client's machine explains."""
        self.events += 1
        self.by[client, release] += 1

    def reject(self, about: str, found: Unexplained) -> None:
        """Record an unexplained event."""
        event = found.event
        self.rejected.append(Rejection(event.at, event.who, event.row, about, found.why, found.states, found.nearest))

    @property
    def accepted(self) -> bool:
        """True if all events are explained."""
        return not self.rejected
