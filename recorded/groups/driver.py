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
    """The broker's non-default settings: the keys ``set_...`` of the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerEnded(Event):
    """A broker's process has ended after a signal."""

    of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Topics(Event):
    """Topics have been created."""

    spec: str
    """``T1:8,T2:8``: names with numbers of queues."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartProducer(Event):
    """A producer's process is started."""

    topics: str
    rate: int
    """Messages per second."""
    tags: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartConsumer(Event):
    """A consumer's process is started."""

    of: str
    id: str
    """The instance name, from which the client id is made."""
    ms: int
    """Duration of a listener call per message, in milliseconds."""
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
    """1 if the process also has a producer, which keeps its client instance, else 0."""
    client: str | None = None
    """``53`` or ``49`` if a run has clients of two versions: 5.3.3 and 4.9.8."""
    props: Mapping[str, str | int] | None = None
    """Java system properties."""
    settings: Mapping[str, int | str]
    """Setters of the consumer that were called, and their values: the keys ``set_...`` of the line."""

    def numbers(self, of: Mapping[str, str]) -> dict[str, int]:
        """Return the numbers in system properties by name; names of unset properties are missing.

        ``of``: name -> system property. Raises ``ValueError`` for a value that is not a number.
        """
        props = self.props or {}
        return {name: int(props[key]) for name, key in of.items() if key in props}


@dataclass(frozen=True, slots=True, kw_only=True)
class StartAgain(Event):
    """A consumer's process is started again, because its start had failed."""

    of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told(Event):
    """A command is written to a consumer's standard input; its first word is the event's name."""

    of: str
    line: str


class Start(Told):
    """A held consumer must start."""

    __slots__ = ()


class Shutdown(Told):
    """A consumer must call ``shutdown()``."""

    __slots__ = ()


class Quit(Told):
    """A consumer's process must end."""

    __slots__ = ()


class Ms(Told):
    """A listener must change its duration."""

    __slots__ = ()


class Subscribe(Told):
    """A consumer must subscribe to another topic."""

    __slots__ = ()


class Unsubscribe(Told):
    """A consumer must unsubscribe from a topic."""

    __slots__ = ()


class Suspend(Told):
    """A consumer must call ``suspend()``."""

    __slots__ = ()


class Unsuspend(Told):
    """A consumer must call ``resume()``."""

    __slots__ = ()


class Throw(Told):
    """Pulls of a consumer must throw."""

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
    """The driver has waited until a consumer's last renewal of its locks had this age."""

    of: str
    age: float
    """The age in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delay(Event):
    """From now on, all traffic between clients and a broker is delayed, in both directions."""

    of: str
    ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StopProducer(Event):
    """The producer must stop sending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calm(Event):
    """Every group has consumed all messages that it wants, no listener runs, and nothing changes any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotCalm(Event):
    """Nothing changes any more, although the run is not calm; the recording ends here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed(Event):
    """The scenario failed and ends here."""

    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd(Event):
    """All processes are killed."""
