"""In what the generations of the Java client differ when they pull."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Hook", "PullRules"]


class Hook(StrEnum):
    """What becomes of a pull whose RPC hook throws (``doBeforeRpcHooks``)."""

    CAUGHT = "the caller of the pull hears of it"
    UNCALLED = "no RPC hook is called for pulls"
    LOGGED = "Netty logs it, and nobody hears of it"


@dataclass(frozen=True)
class PullRules:
    """Each is a line or two of its sources."""

    repairs_at_once: bool
    """What repairs an illegal offset is done at once (``executeTask``), and not after 10 s (``executeTaskLater``)."""
    callback_survives: bool
    """An ``Error`` in ``PullCallback.onSuccess`` comes to ``onException``, and not only to the log."""
    thread_survives: bool
    """``PullMessageService.run`` catches ``Throwable``, and not only ``Exception``."""
    hook: Hook
    fails_twice: bool
    """``NettyRemotingClient.invokeAsync`` goes on after it has told that the pull's time is over, and fails again."""
