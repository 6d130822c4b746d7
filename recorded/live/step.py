"""Kinds of steps of a scenario. Times are in seconds, listener durations in ms."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

__all__ = [
    "STEPS",
    "Delay",
    "Join",
    "Kill",
    "KillBroker",
    "Listener",
    "Queues",
    "Ready",
    "Renewed",
    "Resume",
    "Shutdown",
    "StartBroker",
    "Step",
    "Stop",
    "StopBroker",
    "Subscribe",
    "Suspend",
    "Throw",
    "Together",
    "Unsubscribe",
    "Unsuspend",
    "Wait",
]

Names = str | tuple[str, ...]
"""One name, or several."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step; the next one starts ``then`` seconds after it is done."""

    do: ClassVar[str]
    """The step's name in a file."""
    then: float = 0.0

    @property
    def members(self) -> tuple[str, ...]:
        """Consumers that the step applies to."""
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
        """No consumers."""
        return ()


@dataclass(frozen=True, kw_only=True)
class Wait(Step):
    """Do nothing."""

    do = "wait"


@dataclass(frozen=True, kw_only=True)
class Ready(_OfMembers):
    """Start a consumer's process, which waits before it joins, so that joining is fast."""

    do = "ready"


@dataclass(frozen=True, kw_only=True)
class Join(_OfMembers):
    """Start a consumer; the step is done when ``start()`` has returned."""

    do = "join"


@dataclass(frozen=True, kw_only=True)
class Renewed(Step):
    """Wait until a consumer's last renewal of its locks has this age."""

    do = "renewed"
    of: str
    age: float
    """Age in seconds."""


@dataclass(frozen=True, kw_only=True)
class Shutdown(_OfMembers):
    """Call ``shutdown()``; the process ends ``linger`` seconds after it has returned."""

    do = "shutdown"
    linger: float = 0.0
    wait: bool = True
    """True if the step ends with the process; False if it ends at once."""


@dataclass(frozen=True, kw_only=True)
class Kill(_OfMembers):
    """Kill a consumer's process (SIGKILL)."""

    do = "kill"


@dataclass(frozen=True, kw_only=True)
class Stop(_OfMembers):
    """Pause a consumer's process (SIGSTOP) for ``for`` seconds, or until it is resumed."""

    do = "stop"
    for_: float | None = None


@dataclass(frozen=True, kw_only=True)
class Resume(_OfMembers):
    """Continue a paused process (SIGCONT)."""

    do = "resume"


@dataclass(frozen=True, kw_only=True)
class Listener(_OfMembers):
    """Change the listener's duration per message."""

    do = "listener"
    ms: int


@dataclass(frozen=True, kw_only=True)
class Subscribe(_OfMembers):
    """Subscribe a consumer to another topic, or to other tags of a topic."""

    do = "subscribe"
    topic: str
    tags: str = "*"


@dataclass(frozen=True, kw_only=True)
class Unsubscribe(_OfMembers):
    """Unsubscribe a consumer from a topic."""

    do = "unsubscribe"
    topic: str


@dataclass(frozen=True, kw_only=True)
class Suspend(_OfMembers):
    """Call ``suspend()`` for ``for`` seconds, or until it is unsuspended."""

    do = "suspend"
    for_: float | None = None


@dataclass(frozen=True, kw_only=True)
class Unsuspend(_OfMembers):
    """Call ``resume()``, which rebalances before it returns."""

    do = "unsuspend"


@dataclass(frozen=True, kw_only=True)
class Throw(_OfMembers):
    """Make a consumer's next pulls throw in user code, or interrupt their thread."""

    do = "throw"
    where: str
    """Place of the exception.

    ``hook``: its RPC hook, as the pull is sent. ``store``: its offset store, when asked for the offset to commit.
    ``callback``: the handler of the answer. ``interrupt``: the handler's thread is interrupted before it puts the
    request back, if no message came.
    """
    times: int = 1
    error: bool = False
    """True for an ``Error``, False for an exception."""


@dataclass(frozen=True, kw_only=True)
class Queues(Step):
    """Give a topic more queues at each broker."""

    do = "queues"
    topic: str
    to: int
    """New number of queues."""


@dataclass(frozen=True, kw_only=True)
class StopBroker(_OfBroker):
    """End a broker in an orderly way (SIGTERM)."""

    do = "stop-broker"


@dataclass(frozen=True, kw_only=True)
class KillBroker(_OfBroker):
    """Kill a broker (SIGKILL)."""

    do = "kill-broker"


@dataclass(frozen=True, kw_only=True)
class StartBroker(_OfBroker):
    """Restart a broker with its existing files."""

    do = "start-broker"


@dataclass(frozen=True, kw_only=True)
class Delay(_OfBroker):
    """Delay all traffic of a broker by ``ms``, for ``for`` seconds or until it is set to 0 ms."""

    do = "delay"
    ms: int
    for_: float | None = None


@dataclass(frozen=True, kw_only=True)
class Together(Step):
    """Run several lists of steps concurrently; done when all of them are done."""

    do = "together"
    lanes: tuple[tuple[Step, ...], ...]

    @property
    def members(self) -> tuple[str, ...]:
        """Consumers of all lanes."""
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
        Delay,
        Together,
    )
}
"""Name -> kind of step."""
