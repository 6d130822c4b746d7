"""The differences in pulling between generations of the Java client."""

from dataclasses import dataclass

__all__ = ["PullRules"]


@dataclass(frozen=True)
class PullRules:
    """Differences, each of a line or two of the client's sources."""

    repairs_at_once: bool
    """An illegal offset is repaired at once (``executeTask``), and not after 10 s (``executeTaskLater``)."""
    callback_survives: bool
    """An ``Error`` in ``PullCallback.onSuccess`` comes to ``onException``, and not only to the log."""
    thread_survives: bool
    """``PullMessageService.run`` catches ``Throwable``, and not only ``Exception``."""
    hook_heard: bool
    """An exception of an RPC hook reaches the caller of the pull; else Netty logs it (``doBeforeRpcHooks``)."""
    fails_twice: bool
    """``NettyRemotingClient.invokeAsync`` goes on after reporting that the pull's time is over, and fails again."""
