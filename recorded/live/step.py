"""What can be done to a group: one record for each kind of step. Times are in seconds, those of listeners in ms."""

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
    """One step; the next one comes ``then`` seconds after it is done."""

    do: ClassVar[str]
    """The step's name in a file."""
    then: float = 0.0

    @property
    def members(self) -> tuple[str, ...]:
        """The members that it is done to."""
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
        """None."""
        return ()


@dataclass(frozen=True, kw_only=True)
class Wait(Step):
    """Nothing is done."""

    do = "wait"


@dataclass(frozen=True, kw_only=True)
class Ready(_OfMembers):
    """A member's process is started, and waits to join, so that joining takes no time."""

    do = "ready"


@dataclass(frozen=True, kw_only=True)
class Join(_OfMembers):
    """A member is started; the step is done when ``start()`` has returned."""

    do = "join"


@dataclass(frozen=True, kw_only=True)
class Renewed(Step):
    """Waits until a member's last renewal of its locks is so old."""

    do = "renewed"
    of: str
    age: float
    """In seconds."""


@dataclass(frozen=True, kw_only=True)
class Shutdown(_OfMembers):
    """``shutdown()`` is called; the process ends when it has returned, and ``linger`` seconds are over."""

    do = "shutdown"
    linger: float = 0.0
    wait: bool = True
    """Whether the step is done when the process has ended, or at once."""


@dataclass(frozen=True, kw_only=True)
class Kill(_OfMembers):
    """A member's process is killed (SIGKILL)."""

    do = "kill"


@dataclass(frozen=True, kw_only=True)
class Stop(_OfMembers):
    """A member's process stands still (SIGSTOP): for so many seconds, or until it is resumed."""

    do = "stop"
    for_: float | None = None


@dataclass(frozen=True, kw_only=True)
class Resume(_OfMembers):
    """A stopped process goes on (SIGCONT)."""

    do = "resume"


@dataclass(frozen=True, kw_only=True)
class Listener(_OfMembers):
    """Listeners take another time for each message from now on."""

    do = "listener"
    ms: int


@dataclass(frozen=True, kw_only=True)
class Subscribe(_OfMembers):
    """A member subscribes one more topic, or one of its topics with other tags."""

    do = "subscribe"
    topic: str
    tags: str = "*"


@dataclass(frozen=True, kw_only=True)
class Unsubscribe(_OfMembers):
    """A member unsubscribes a topic."""

    do = "unsubscribe"
    topic: str


@dataclass(frozen=True, kw_only=True)
class Suspend(_OfMembers):
    """``suspend()`` is called: for so many seconds, or until it is unsuspended."""

    do = "suspend"
    for_: float | None = None


@dataclass(frozen=True, kw_only=True)
class Unsuspend(_OfMembers):
    """``resume()`` is called, which rebalances before it returns."""

    do = "unsuspend"


@dataclass(frozen=True, kw_only=True)
class Throw(_OfMembers):
    """The next pulls of a member throw, in code that users can give the client, or are interrupted."""

    do = "throw"
    where: str
    """``hook``: its RPC hook, as the pull is sent; ``store``: its offset store, asked which offset to commit;
    ``callback``: where the answer is worked on; ``interrupt``: there the thread is interrupted, before it puts the
    request back, if no message came."""
    times: int = 1
    error: bool = False
    """Whether it is an ``Error``, and not an exception."""


@dataclass(frozen=True, kw_only=True)
class Queues(Step):
    """A topic gets more queues at each broker."""

    do = "queues"
    topic: str
    to: int
    """How many there are then."""


@dataclass(frozen=True, kw_only=True)
class StopBroker(_OfBroker):
    """A broker is told to end (SIGTERM), and ends in order."""

    do = "stop-broker"


@dataclass(frozen=True, kw_only=True)
class KillBroker(_OfBroker):
    """A broker is killed (SIGKILL)."""

    do = "kill-broker"


@dataclass(frozen=True, kw_only=True)
class StartBroker(_OfBroker):
    """A broker that has ended is started again, with the files that it had."""

    do = "start-broker"


@dataclass(frozen=True, kw_only=True)
class Delay(_OfBroker):
    """All that clients and a broker send each other comes so many ms later: for so many seconds, or until 0 ms."""

    do = "delay"
    ms: int
    for_: float | None = None


@dataclass(frozen=True, kw_only=True)
class Together(Step):
    """Several lists of steps at the same time; done when all of them are."""

    do = "together"
    lanes: tuple[tuple[Step, ...], ...]

    @property
    def members(self) -> tuple[str, ...]:
        """Those of all lanes."""
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
