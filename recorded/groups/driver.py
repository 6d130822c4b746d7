"""Recorded events of the driver, which starts, commands and ends a run's processes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rebalance_proofs.recorded.groups.event import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact(Event):
    """Event: processes of the run use this jar of RocketMQ, as released.

    A run without such events used jars that the user named, or built.
    """

    jar: str
    """File name of the jar, such as ``rocketmq-client-5.5.0.jar``."""
    sha256: str
    of: str | None = None
    """The consumer that alone uses the jar; None if all clients, or all servers, use it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartNameServer(Event):
    """Event: the name server's process is started; it records no events of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartBroker(Event):
    """Event: a broker's process is started."""

    of: str
    settings: Mapping[str, bool | int | float | str] = field(default_factory=dict)
    """The broker's non-default settings, from the keys ``set_...`` of the recorded line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerEnded(Event):
    """Event: a broker's process has ended after a signal."""

    of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Topics(Event):
    """Event: topics have been created."""

    spec: str
    """Topics with their numbers of queues: ``T1:8,T2:8``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartProducer(Event):
    """Event: a producer's process is started."""

    topics: str
    rate: int
    """Number of messages that the producer sends per second."""
    tags: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartConsumer(Event):
    """Event: a consumer's process is started."""

    of: str
    id: str
    """The instance name, from which the client id is made."""
    ms: int
    """Duration of a listener call per message, in milliseconds."""
    group: str = "G"
    mode: str = "concurrent"
    sub: str = "T1"
    """Topics, with tags if there are any: ``T1:A,T2``."""
    strategy: str = "AllocateMessageQueueAveragely"
    from_: str = "FIRST"
    """``FIRST`` or ``LAST``: ``consumeFromWhere``."""
    hold: int = 0
    """1 if the process waits for the driver's ``start`` command, else 0."""
    produces: int = 0
    """1 if the process also has a producer, which keeps its client instance, else 0."""
    client: str | None = None
    """Short name of the release, ``53`` or ``49``, if a run has clients of 5.3.3 and 4.9.8."""
    props: Mapping[str, str | int] | None = None
    """Java system properties of the process."""
    settings: Mapping[str, int | str]
    """Setters of the consumer and their values, from the keys ``set_...`` of the recorded line."""

    def numbers(self, of: Mapping[str, str]) -> dict[str, int]:
        """Return numbers from system properties and setters, without those of unset ones.

        ``of``: name -> system property or setter; the result has the same names. Raises ``ValueError`` for a value that
        is not a number.
        """
        props = {**self.settings, **(self.props or {})}
        return {name: int(props[key]) for name, key in of.items() if key in props}


@dataclass(frozen=True, slots=True, kw_only=True)
class StartAgain(Event):
    """Event: a consumer's process is started again, because its ``start()`` had thrown."""

    of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told(Event):
    """Event: a command is written to a consumer's standard input.

    Its first word names the event.
    """

    of: str
    line: str


class Start(Told):
    """Event: a consumer's process that waits gets the command to start."""

    __slots__ = ()


class Shutdown(Told):
    """Event: a consumer gets the command to call ``shutdown()``."""

    __slots__ = ()


class Quit(Told):
    """Event: a consumer's process gets the command to end."""

    __slots__ = ()


class Ms(Told):
    """Event: a consumer gets the command to change its listener's duration."""

    __slots__ = ()


class Subscribe(Told):
    """Event: a consumer gets the command to subscribe to another topic."""

    __slots__ = ()


class Unsubscribe(Told):
    """Event: a consumer gets the command to unsubscribe from a topic."""

    __slots__ = ()


class Suspend(Told):
    """Event: a consumer gets the command to call ``suspend()``."""

    __slots__ = ()


class Unsuspend(Told):
    """Event: a consumer gets the command to call ``resume()``."""

    __slots__ = ()


class Throw(Told):
    """Event: a consumer gets the command to let user code throw in its next pulls."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal(Event):
    """Event: a signal is sent to a process."""

    of: str
    signal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended(Event):
    """Event: a consumer's process has ended."""

    of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RenewalAge(Event):
    """Event: the driver has waited until a consumer's last lock renewal was ``age`` seconds ago."""

    of: str
    age: float
    """Seconds since the consumer's last lock renewal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delay(Event):
    """Event: from now on, all traffic between clients and a broker is delayed.

    The delay applies in both directions.
    """

    of: str
    ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition(Event):
    """Event: from now on, no traffic passes between clients and a broker, or everything passes again."""

    of: str
    held: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset(Event):
    """Event: the producer gets the command to ask a topic's brokers to reset a group's offsets."""

    group: str
    topic: str
    timestamp: int
    """Milliseconds since 1970 of the message to which offsets are reset; 0 for the first one, -1 for the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StopProducer(Event):
    """Event: the producer gets the command to stop sending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calm(Event):
    """Event: the run is calm, and the recording ends.

    Every group has consumed all messages that it subscribes to, no listener runs, and nothing changes any more.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class NotCalm(Event):
    """Event: nothing changes any more, although messages remain or a listener runs.

    The recording ends.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed(Event):
    """Event: the scenario failed and ends."""

    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd(Event):
    """Event: all processes of the run are killed."""
