"""What one machine has to say of one trace: how much it read, what it needed to explain it, and what it cannot."""

from collections import Counter
from dataclasses import dataclass, field

from rebalance_proofs.recorded.cluster.near import Near
from rebalance_proofs.recorded.groups.event import Event

__all__ = ["BEHAVIOURS", "CODE", "FOLLOWED", "MESSAGES", "MONITORS", "Rejection", "Tally", "Unexplained"]

BEHAVIOURS, CODE, MONITORS = "behaviours", "code", "monitors"
"""How a machine holds a trace: a behaviour of the declared machine is found that shows the events; or a run of the
client's code in the model, with what was seen as its input; or each event is held to rules and limits of the model,
and no behaviour is looked for."""

MESSAGES, FOLLOWED = "messages", "messages-followed"
"""Counted among what was shown: messages that came to an entry, and those of them whose behaviours were looked for."""


class Unexplained(Exception):
    """Nothing explains an event. ``states``: the machine's states before it; ``nearest``: what is nearly possible."""

    def __init__(self, event: Event, why: str, states: tuple[str, ...] = (), nearest: tuple[str, ...] = ()) -> None:
        super().__init__(why)
        self.event, self.why, self.states, self.nearest = event, why, states, nearest


@dataclass(frozen=True, order=True)
class Rejection:
    """The first event of a trace that nothing explains, for one queue, member or whatever a machine is about."""

    at: int
    """Milliseconds since the driver's first event."""
    who: str
    row: int
    """The line of the process's file, from 1."""
    about: str
    """What the machine is about: a member, a queue of a member, a member at a broker."""
    why: str
    states: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    near: tuple[Near, ...] = field(default=(), compare=False)
    """The events around it that are about the same; of the first rejection of each machine alone."""


@dataclass
class Tally:
    """One machine and one trace."""

    machine: str
    how: str
    """``BEHAVIOURS``, ``CODE`` or ``MONITORS``."""
    events: int = 0
    """Events that were held against the machine."""
    about: int = 0
    """Members, queues of members, or whatever the machine is about, each held on its own."""
    hidden: int = 0
    """Steps of behaviours that no event shows."""
    widened: int = 0
    """Events for which a bound was widened, since a process stood still, or an answer came late."""
    most_states: int = 0
    shown: Counter[str] = field(default_factory=Counter)
    """Actions of the machine -> how often an event showed them; of monitors, rules and how often they were put."""
    rejected: list[Rejection] = field(default_factory=list)
    by: Counter[tuple[str, str]] = field(default_factory=Counter)
    """The declared machine's client, and the release of the member -> events that were held against it; empty where no
    behaviour is looked for."""

    def held(self, client: str, release: str) -> None:
        """Count an event that a behaviour of that client's machine explains."""
        self.events += 1
        self.by[client, release] += 1

    def reject(self, about: str, found: Unexplained) -> None:
        """Note what cannot be explained."""
        event = found.event
        self.rejected.append(Rejection(event.at, event.who, event.row, about, found.why, found.states, found.nearest))

    @property
    def accepted(self) -> bool:
        """Whether all events are explained."""
        return not self.rejected
