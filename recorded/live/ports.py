"""Reserve ports of 127.0.0.1 for the duration of a run."""

import random
import socket
import sys
from contextlib import ExitStack
from types import TracebackType

from rebalance_proofs.recorded.live.error import LiveError

LOOPBACK = "127.0.0.1"
LOWEST, HIGHEST = 20_000, 32_000
"""Range of ports to reserve, below the system's range for outgoing connections."""
TRIES = 200


class Ports:
    """Context manager that reserves ports until it ends.

    On Linux a bound socket that does not listen reserves a port. A server that reuses addresses, as Netty does, can
    bind to the port as well, also after a restart; the system gives it to no other process. Elsewhere the port is only
    known to be free.
    """

    def __init__(self) -> None:
        self._sockets = ExitStack()

    def __enter__(self) -> "Ports":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._sockets.close()

    def reserve(self, *beside: int) -> int:
        """Reserve a free port such that the ports at the distances ``beside`` are free, too.

        Return it. Raises ``LiveError`` if there is none.
        """
        for _ in range(TRIES):
            port = random.randrange(LOWEST, HIGHEST)
            with ExitStack() as taken:
                try:
                    for each in (port, *(port + distance for distance in beside)):
                        _reserve(each, taken)
                except OSError:
                    continue
                if sys.platform == "linux":  # elsewhere the server could not bind to it as well
                    self._sockets.push(taken.pop_all())
                return port
        raise LiveError(f"no free ports between {LOWEST} and {HIGHEST} on {LOOPBACK}")


def _reserve(port: int, taken: ExitStack) -> None:
    """Reserve a port until ``taken`` is closed.

    Raises ``OSError`` if another process uses the port, on any address.
    """
    with socket.socket() as probe:  # no address reuse, so another reservation fails
        probe.bind(("", port))
    held = taken.enter_context(socket.socket())
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind((LOOPBACK, port))
