"""In what the generations of the Java client differ when they pull."""

from dataclasses import dataclass

__all__ = ["PullRules"]


@dataclass(frozen=True)
class PullRules:
    """Each is a line or two of its sources."""

    repairs_at_once: bool
    """What repairs an illegal offset is done at once (``executeTask``), and not after 10 s (``executeTaskLater``)."""
    callback_survives: bool
    """An ``Error`` in ``PullCallback.onSuccess`` comes to ``onException``, and not only to the log."""
    thread_survives: bool
    """``PullMessageService.run`` catches ``Throwable``, and not only ``Exception``."""
    hook_heard: bool
    """What an RPC hook throws comes to the caller of the pull; else Netty logs it (``doBeforeRpcHooks``)."""
    fails_twice: bool
    """``NettyRemotingClient.invokeAsync`` goes on after it has told that the pull's time is over, and fails again."""
