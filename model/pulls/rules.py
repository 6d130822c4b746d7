"""Differences in pulling between generations of the Java client."""

from dataclasses import dataclass

__all__ = ["PullRules"]


@dataclass(frozen=True)
class PullRules:
    """Differences between generations in pulling, each of one or two lines of the sources."""

    repairs_at_once: bool
    """Whether an illegal offset is repaired at once, not after 10 s.

    Mirror of ``executeTask`` and ``executeTaskLater``.
    """
    callback_survives: bool
    """Whether an ``Error`` in ``PullCallback.onSuccess`` reaches ``onException``.

    Otherwise it is only logged.
    """
    thread_survives: bool
    """Whether ``PullMessageService.run`` catches ``Throwable``; otherwise only ``Exception``."""
    hook_heard: bool
    """Whether an RPC hook's exception reaches the caller.

    Otherwise Netty logs it (``doBeforeRpcHooks``).
    """
    fails_twice: bool
    """Whether a pull that times out before its connection is made fails twice.

    ``NettyRemotingClient.invokeAsync`` continues after it reports the timeout, and fails again (5.3.0 to 5.3.3).
    """
