"""TCP proxy between clients and a broker, which can delay all traffic."""

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from types import TracebackType
from typing import Any

from rebalance_proofs.recorded.live.ports import LOOPBACK

PIECE = 65_536
SECONDS = 10.0
"""Seconds within which the proxy must start, and within which it must end."""


class Proxy:
    """Context manager that forwards connections from ``port`` to ``target`` on loopback.

    It has its own thread.
    """

    def __init__(self, port: int, target: int) -> None:
        self._port, self._target = port, target
        self._delay = 0.0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=f"proxy-{port}", daemon=True)

    def __enter__(self) -> "Proxy":
        self._thread.start()
        self._server = self._do(asyncio.start_server(self._connected, LOOPBACK, self._port, reuse_address=True))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=SECONDS)
        self._loop.close()

    def delay(self, seconds: float) -> None:
        """Delay everything that is sent from now on by this time; the order stays the same."""
        self._delay = seconds

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(SECONDS)

    async def _end(self) -> None:
        self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        if others:
            await asyncio.wait(others, timeout=SECONDS / 2)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connect a client to the broker, or abort the connection if the broker is down."""
        try:
            there, back = await asyncio.open_connection(LOOPBACK, self._target)
        except OSError:
            writer.transport.abort()
            return
        try:
            await asyncio.gather(self._pass(reader, back), self._pass(there, writer))
        except asyncio.CancelledError:
            pass  # the proxy is being closed
        finally:
            for end in (writer, back):
                end.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one direction of a connection until it ends, then close the other end."""
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        sending = asyncio.ensure_future(self._send(pieces, writer))
        with suppress(OSError):
            while piece := await reader.read(PIECE):
                pieces.put_nowait((self._loop.time() + self._delay, piece))
        pieces.put_nowait((self._loop.time() + self._delay, b""))
        await sending

    async def _send(self, pieces: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while True:
                due, piece = await pieces.get()
                if (wait := due - self._loop.time()) > 0:
                    await asyncio.sleep(wait)
                if not piece:
                    break
                writer.write(piece)
                await writer.drain()
        writer.transport.abort()
