"""Differences in pulling between generations of the Java client."""

from dataclasses import dataclass

__all__ = ["PullRules"]


@dataclass(frozen=True)
class PullRules:
    """Differences, each of one or two lines of the client's sources."""

    repairs_at_once: bool
    """Whether an illegal offset is repaired at once (``executeTask``), not after 10 s (``executeTaskLater``)."""
    callback_survives: bool
    """Whether an ``Error`` in ``PullCallback.onSuccess`` reaches ``onException``; otherwise it is only logged."""
    thread_survives: bool
    """Whether ``PullMessageService.run`` catches ``Throwable``; otherwise only ``Exception``."""
    hook_heard: bool
    """Whether an RPC hook's exception reaches the caller; otherwise Netty logs it (``doBeforeRpcHooks``)."""
    fails_twice: bool
    """Whether ``NettyRemotingClient.invokeAsync`` continues after it reports a timeout, and fails again."""
