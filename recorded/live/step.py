"""Kinds of steps of a scenario. Times are in seconds, durations of listener calls in ms."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

Names = str | tuple[str, ...]
"""One name of a consumer or broker, or several names."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step of a scenario; the next step starts ``then`` seconds after this one is done."""

    do: ClassVar[str]
    """Name of the step in a scenario file."""
    then: float = 0.0

    @property
    def members(self) -> tuple[str, ...]:
        """Names of the consumers that the step applies to."""
        of: Names = getattr(self, "of", ())
        return (of,) if isinstance(of, str) else of


@dataclass(frozen=True, kw_only=True)
class _OfMembers(Step):
    of: Names


@dataclass(frozen=True, kw_only=True)
class _OfBroker(Step):
    of: str = "b0"

    @property
    def members(self) -> tuple[str, ...]:
        """Empty: the step applies to no consumers."""
        return ()


@dataclass(frozen=True, kw_only=True)
class Wait(Step):
    """Step: do nothing."""

    do = "wait"


@dataclass(frozen=True, kw_only=True)
class Ready(_OfMembers):
    """Step: start a consumer's process, which waits before it joins, so that joining is fast."""

    do = "ready"


@dataclass(frozen=True, kw_only=True)
class Join(_OfMembers):
    """Step: let a consumer join; the step is done when ``start()`` has returned."""

    do = "join"


@dataclass(frozen=True, kw_only=True)
class Renewed(Step):
    """Step: wait until a consumer's last lock renewal was ``age`` seconds ago."""

    do = "renewed"
    of: str
    age: float
    """Seconds since the consumer's last lock renewal."""


@dataclass(frozen=True, kw_only=True)
class Shutdown(_OfMembers):
    """Step: call ``shutdown()``.

    The process ends ``linger`` seconds after ``shutdown()`` has returned.
    """

    do = "shutdown"
    linger: float = 0.0
    wait: bool = True
    """True if the step is done when the process has ended; False if it is done at once."""


@dataclass(frozen=True, kw_only=True)
class Kill(_OfMembers):
    """Step: kill a consumer's process (SIGKILL)."""

    do = "kill"


@dataclass(frozen=True, kw_only=True)
class Stop(_OfMembers):
    """Step: pause a consumer's process (SIGSTOP) for ``for`` seconds, or until it is resumed."""

    do = "stop"
    for_: float | None = None


@dataclass(frozen=True, kw_only=True)
class Resume(_OfMembers):
    """Step: continue a paused process (SIGCONT)."""

    do = "resume"


@dataclass(frozen=True, kw_only=True)
class Listener(_OfMembers):
    """Step: change the duration of a consumer's listener calls per message."""

    do = "listener"
    ms: int


@dataclass(frozen=True, kw_only=True)
class Subscribe(_OfMembers):
    """Step: subscribe a consumer to another topic, or to other tags of a topic."""

    do = "subscribe"
    topic: str
    tags: str = "*"


@dataclass(frozen=True, kw_only=True)
class Unsubscribe(_OfMembers):
    """Step: unsubscribe a consumer from a topic."""

    do = "unsubscribe"
    topic: str


@dataclass(frozen=True, kw_only=True)
class Suspend(_OfMembers):
    """Step: call ``suspend()``, for ``for`` seconds or until the step ``unsuspend``."""

    do = "suspend"
    for_: float | None = None


@dataclass(frozen=True, kw_only=True)
class Unsuspend(_OfMembers):
    """Step: call ``resume()``, which rebalances before it returns."""

    do = "unsuspend"


@dataclass(frozen=True, kw_only=True)
class Throw(_OfMembers):
    """Step: let user code throw in a consumer's next pulls, or interrupt its thread."""

    do = "throw"
    where: str
    """Place of the exception.

    ``hook``: the RPC hook, as the pull is sent. ``store``: the offset store, when asked for the offset to commit.
    ``callback``: the handler of the answer. ``interrupt``: the handler's thread is interrupted before it puts the pull
    request back, if no message came.
    """
    times: int = 1
    error: bool = False
    """True for a Java ``Error``, False for an exception."""


@dataclass(frozen=True, kw_only=True)
class Queues(Step):
    """Step: give a topic more queues at each broker."""

    do = "queues"
    topic: str
    to: int
    """Number of queues that the topic then has at each broker."""


@dataclass(frozen=True, kw_only=True)
class StopBroker(_OfBroker):
    """Step: end a broker in an orderly way (SIGTERM)."""

    do = "stop-broker"


@dataclass(frozen=True, kw_only=True)
class KillBroker(_OfBroker):
    """Step: kill a broker (SIGKILL)."""

    do = "kill-broker"


@dataclass(frozen=True, kw_only=True)
class StartBroker(_OfBroker):
    """Step: restart a broker with its existing files, or start one for the first time.

    A broker whose first step this is does not run before, so that it joins later.
    """

    do = "start-broker"


@dataclass(frozen=True, kw_only=True)
class FreezeBroker(_OfBroker):
    """Step: pause a broker's process (SIGSTOP) for ``for`` seconds, or until it is thawed."""

    do = "freeze-broker"
    for_: float | None = None


@dataclass(frozen=True, kw_only=True)
class ThawBroker(_OfBroker):
    """Step: continue a paused broker's process (SIGCONT)."""

    do = "thaw-broker"


@dataclass(frozen=True, kw_only=True)
class Partition(_OfBroker):
    """Step: let no traffic pass between clients and a broker for ``for`` seconds.

    Connections stay open. What was sent meanwhile arrives afterwards.
    """

    do = "partition"
    for_: float


@dataclass(frozen=True, kw_only=True)
class Reset(Step):
    """Step: ask all brokers of a topic to reset a group's offsets, as an administrator does."""

    do = "reset"
    group: str
    topic: str
    to: str | float
    """``first`` or ``last`` for the first or last offset, or a number: the offset so many seconds ago."""


@dataclass(frozen=True, kw_only=True)
class Delay(_OfBroker):
    """Step: delay all traffic of a broker by ``ms``, for ``for`` seconds or until the next delay.

    A delay of 0 ms ends it.
    """

    do = "delay"
    ms: int
    for_: float | None = None


@dataclass(frozen=True, kw_only=True)
class Together(Step):
    """Step: run several lists of steps concurrently; done when all of them are done."""

    do = "together"
    lanes: tuple[tuple[Step, ...], ...]

    @property
    def members(self) -> tuple[str, ...]:
        """Names of the consumers that any of the concurrent steps applies to."""
        return tuple(name for lane in self.lanes for step in lane for name in step.members)


STEPS: Mapping[str, type[Step]] = {
    kind.do: kind
    for kind in (
        Wait,
        Ready,
        Join,
        Renewed,
        Shutdown,
        Kill,
        Stop,
        Resume,
        Listener,
        Subscribe,
        Unsubscribe,
        Suspend,
        Unsuspend,
        Throw,
        Queues,
        StopBroker,
        KillBroker,
        StartBroker,
        FreezeBroker,
        ThawBroker,
        Delay,
        Partition,
        Reset,
        Together,
    )
}
"""Name of a step in a scenario file -> its class."""
