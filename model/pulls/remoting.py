"""Python code that sends a client's pull and calls back, by generation.

Mirror of ``NettyRemotingClient`` and ``MQClientAPIImpl.pullMessageAsync``, as far as a pull uses them.
"""

from collections.abc import Callable
from enum import Enum, auto
from typing import Protocol

from rebalance_proofs.model.client.process_queue_table import ProcessQueue


class JavaError(BaseException):
    """A ``Throwable`` that is not an ``Exception``."""


class RemotingException(Exception):
    """Any exception thrown while a pull is sent."""


class Trouble(Enum):
    """How a pull can fail while the client sends it."""

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
    """Sending of pulls up to 5.1.4: any failure before the pull is sent is an exception."""

    def invoke_async(self, entry: ProcessQueue, callback: PullCallback, trouble: Trouble) -> bool:
        """Send a pull; return whether it was sent. Raises ``RemotingException``."""
        self.before_hooks(trouble)
        if trouble is Trouble.CONNECTION:
            raise RemotingException("RemotingTooMuchRequestException")
        return True

    def before_hooks(self, trouble: Trouble) -> None:
        """Call the user's RPC hook (``doBeforeRpcHooks``). Raises what the hook throws."""
        if trouble is Trouble.HOOK:
            raise RemotingException("RPCHook")

    def operation_succeed(self, entry: ProcessQueue, callback: PullCallback, processed: Callable[[], None]) -> None:
        """Call the callback for an answered pull; an ``Error`` that it throws is only logged.

        Mirror of ``executeInvokeCallback``.
        """
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
    """Sending of pulls in 5.2.0: callbacks are stages of a ``CompletableFuture``."""

    def operation_succeed(self, entry: ProcessQueue, callback: PullCallback, processed: Callable[[], None]) -> None:
        """Call the callback for an answered pull; a failure of it counts as a failed pull.

        Mirror of ``thenAccept(operationSucceed).exceptionally(operationFail)``.
        """
        try:
            self._on_success(entry, callback, processed)
        except JavaError:
            callback.on_exception(entry)


class RemotingV5_3(RemotingV5_2):
    """Sending of pulls in 5.3.0 to 5.3.3, by a listener of the connection's future."""

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


class RemotingV5_4(RemotingV5_3):
    """Sending of pulls from 5.4.0 on: a pull that has timed out before its connection is made fails once."""

    def invoke_async(self, entry: ProcessQueue, callback: PullCallback, trouble: Trouble) -> bool:
        if trouble is Trouble.CONNECTION:
            callback.on_exception(entry)
            return False
        return super().invoke_async(entry, callback, trouble)
