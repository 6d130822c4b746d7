"""Events of the driver, which starts processes, sends them commands, and ends them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rebalance_proofs.recorded.groups.event import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class StartNameServer(Event):
    """The name server's process is started; it has no events of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartBroker(Event):
    """A broker's process is started."""

    of: str
    settings: Mapping[str, bool | int | float | str] = field(default_factory=dict)
    """The broker's settings that are not as shipped -> values: the keys ``set_...`` of the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerEnded(Event):
    """A broker's process has ended after a signal."""

    of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Topics(Event):
    """Topics have been made."""

    spec: str
    """``T1:8,T2:8``: names with numbers of queues."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartProducer(Event):
    """A producer's process is started."""

    topics: str
    rate: int
    """Messages a second."""
    tags: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartConsumer(Event):
    """A consumer's process is started."""

    of: str
    id: str
    """The instance name, from which the client id is made."""
    ms: int
    """The time that a listener takes for each message, in milliseconds."""
    group: str = "G"
    mode: str = "concurrent"
    sub: str = "T1"
    """``T1:A,T2``: topics, with tags where there are any."""
    strategy: str = "AllocateMessageQueueAveragely"
    from_: str = "FIRST"
    """``FIRST`` or ``LAST``: ``consumeFromWhere``."""
    hold: int = 0
    """1 if the process waits for the driver's ``start``, else 0."""
    produces: int = 0
    """1 if the process has a producer, too, by which its client instance stays, else 0."""
    client: str | None = None
    """``53`` or ``49`` where a run has clients of two versions: 5.3.3, 4.9.8."""
    props: Mapping[str, str | int] | None = None
    """Java's system properties."""
    settings: Mapping[str, int | str]
    """Setters of the consumer that were called -> values: the keys ``set_...`` of the line."""

    def numbers(self, of: Mapping[str, str]) -> dict[str, int]:
        """Name -> the number that its system property says; ``of`` has the properties, and those not set are missing.

        Raises ``ValueError`` for one that is no number.
        """
        props = self.props or {}
        return {name: int(props[key]) for name, key in of.items() if key in props}


@dataclass(frozen=True, slots=True, kw_only=True)
class StartAgain(Event):
    """A consumer's process is started once more, since its start had failed."""

    of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told(Event):
    """A line is written to a consumer's standard input; its first word is the event's name."""

    of: str
    line: str


class Start(Told):
    """A consumer that was held is to start."""

    __slots__ = ()


class Shutdown(Told):
    """A consumer is to call ``shutdown()``."""

    __slots__ = ()


class Quit(Told):
    """A consumer's process is to end."""

    __slots__ = ()


class Ms(Told):
    """A listener is to take another time."""

    __slots__ = ()


class Subscribe(Told):
    """A consumer is to subscribe one more topic."""

    __slots__ = ()


class Unsubscribe(Told):
    """A consumer is to unsubscribe a topic."""

    __slots__ = ()


class Suspend(Told):
    """A consumer is to call ``suspend()``."""

    __slots__ = ()


class Unsuspend(Told):
    """A consumer is to call ``resume()``."""

    __slots__ = ()


class Throw(Told):
    """Pulls of a consumer are to throw."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal(Event):
    """A signal is sent to a process."""

    of: str
    signal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended(Event):
    """A consumer's process has ended."""

    of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RenewalAge(Event):
    """The driver has waited until a consumer's last renewal of its locks was that old, and goes on."""

    of: str
    age: float
    """The age in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delay(Event):
    """What clients and a broker send each other comes later from now on, in each direction."""

    of: str
    ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StopProducer(Event):
    """The producer is to send nothing more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calm(Event):
    """All that was sent has been begun by each group that wants it, no listener runs, and nothing moves any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotCalm(Event):
    """Nothing moves, although it is not calm: the recording ends without having seen how that goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed(Event):
    """The scenario did not go as it was meant to; it ends here."""

    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd(Event):
    """All processes are killed."""
