"""Ports of 127.0.0.1 that nobody else is given as long as a run takes."""

import random
import socket
import sys
from contextlib import ExitStack
from types import TracebackType

from rebalance_proofs.recorded.live.error import LiveError

LOOPBACK = "127.0.0.1"
LOWEST, HIGHEST = 20_000, 32_000
"""Below those that the system gives to connections."""
TRIES = 200


class Ports:
    """Context manager: reserved ports.

    On Linux a port is reserved by a socket that has it and does not listen: a server that reuses addresses, as Netty's
    do, can have it as well, also after a restart, and nobody else is given it. Elsewhere it is only known to be free.
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
        """A free port, of which those at these distances are free, too. Raises ``LiveError`` when there is none."""
        for _ in range(TRIES):
            port = random.randrange(LOWEST, HIGHEST)
            with ExitStack() as taken:
                try:
                    for each in (port, *(port + distance for distance in beside)):
                        _reserve(each, taken)
                except OSError:
                    continue
                if sys.platform == "linux":  # elsewhere the server could not have it as well
                    self._sockets.push(taken.pop_all())
                return port
        raise LiveError(f"no free ports between {LOWEST} and {HIGHEST} on {LOOPBACK}")


def _reserve(port: int, taken: ExitStack) -> None:
    """Raises ``OSError`` if somebody has the port, on any address."""
    with socket.socket() as probe:  # without reuse: another reservation is noticed
        probe.bind(("", port))
    held = taken.enter_context(socket.socket())
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind((LOOPBACK, port))
