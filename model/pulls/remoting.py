"""Code of ``NettyRemotingClient`` and ``MQClientAPIImpl.pullMessageAsync`` that a pull uses, by generation."""

from collections.abc import Callable
from enum import Enum, auto
from typing import Protocol

from rebalance_proofs.model.client.process_queue import ProcessQueue

__all__ = ["JavaError", "PullCallback", "Remoting", "RemotingV5_2", "RemotingV5_3", "Trouble"]


class JavaError(BaseException):
    """A ``Throwable`` that is not an ``Exception``."""


class RemotingException(Exception):
    """Any exception thrown while a pull is sent."""


class Trouble(Enum):
    """Failures of a pull while it is sent."""

    NONE = auto()
    HOOK = auto()
    """The RPC hook throws an exception."""
    CONNECTION = auto()
    """The pull has timed out when the connection is made."""


class PullCallback(Protocol):
    """The consumer's callback for a failed pull."""

    def on_exception(self, entry: ProcessQueue) -> None:
        """Handle the failed pull of a process queue."""


class Remoting:
    """Up to 5.1.4: the sender gets an exception for any failure before the pull is sent."""

    def invoke_async(self, entry: ProcessQueue, callback: PullCallback, trouble: Trouble) -> bool:
        """Send a pull; return whether it was sent. Raises ``RemotingException``."""
        self.before_hooks(trouble)
        if trouble is Trouble.CONNECTION:
            raise RemotingException("RemotingTooMuchRequestException")
        return True

    def before_hooks(self, trouble: Trouble) -> None:
        """``doBeforeRpcHooks``. Raises what the hook throws."""
        if trouble is Trouble.HOOK:
            raise RemotingException("RPCHook")

    def operation_succeed(self, entry: ProcessQueue, callback: PullCallback, processed: Callable[[], None]) -> None:
        """``executeInvokeCallback``: an ``Error`` of the callback is logged."""
        try:
            self._on_success(entry, callback, processed)
        except JavaError:
            return

    def _on_success(self, entry: ProcessQueue, callback: PullCallback, processed: Callable[[], None]) -> None:
        try:
            processed()
        except Exception:
            callback.on_exception(entry)


class RemotingV5_2(Remoting):
    """5.2.0: callbacks are stages of a ``CompletableFuture``."""

    def operation_succeed(self, entry: ProcessQueue, callback: PullCallback, processed: Callable[[], None]) -> None:
        """``thenAccept(operationSucceed).exceptionally(operationFail)``."""
        try:
            self._on_success(entry, callback, processed)
        except JavaError:
            callback.on_exception(entry)


class RemotingV5_3(RemotingV5_2):
    """5.3.0 to 5.3.3: requests are sent by a listener of the connection's future."""

    def invoke_async(self, entry: ProcessQueue, callback: PullCallback, trouble: Trouble) -> bool:
        if trouble is Trouble.CONNECTION:
            callback.on_exception(entry)
            # No return: invokeAsyncImpl is called with no time left, and fails.
            callback.on_exception(entry)
            return False
        try:
            self.before_hooks(trouble)
        except RemotingException:
            # Netty logs exceptions of a future's listener.
            return False
        return True
