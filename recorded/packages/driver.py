"""A child process, the driver, that calls a released client in the client's language.

Its source is in ``go``, ``node`` and ``rust``. Requests and answers are lines of JSON. A queue is ``[topic, brokerName,
queueId]``. A request has these keys:

- ``make``: a strategy's name and arguments, as in ``recorded.jar.shipped.Shipped``. The answer is ``"ready"``;
  ``"absent"`` if the client has no such strategy; or an error of the constructor.
- ``lists``, lists of queues; ``ids``, lists of client ids; and ``calls``. A call is a consumerGroup, a currentCID, and
  the indexes of its two lists. Each call has one line of answer: a list of positions in mqAll, with null or a whole
  queue for any other element; null; or an error.
- ``sorts``: objects with lists ``mq`` and ``cid``. Each has one line of answer: the object after the client has sorted
  both lists, or an error.

An error is ``{"x": type, "m": message}``.
"""

import json
import os
import queue
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from threading import Thread
from types import TracebackType
from typing import Any, Self

from rebalance_proofs.model.own.call import EXITS, HANGS, NULL, THROWS, Call, Gave, Held, Outcome, Refused
from rebalance_proofs.model.queues import MessageQueue

START = 20.0
"""Extra seconds for the first answer of a process."""
LIMIT = 20.0
"""Default time limit of one call, in seconds. It includes the time in which the driver reads a whole request."""
WRITES = Refused(EXITS, "writes into the pipe that carries its results")
ABSENT = "absent"

Lists = tuple[tuple[MessageQueue, ...], tuple[str, ...]]
"""mqAll and cidAll."""
Sorted = Lists | Refused


class NotConstructed(Exception):
    """Raised if the client has no such strategy, or its constructor throws."""

    def __init__(self, what: str, *, absent: bool = False) -> None:
        super().__init__(what)
        self.absent = absent


class Driver:
    """A worker (``model.own.worker``) for one strategy of an installed client, or for its sort orders.

    The process starts on entering. It is replaced after it has hung or ended.
    """

    holds: tuple[Held, ...] = ()

    def __init__(
        self, command: Sequence[str], folder: Path, make: Mapping[str, Any] | None = None, *, limit: float = LIMIT
    ) -> None:
        """Create the worker for a driver's command, which runs in that folder.

        ``make`` names the strategy and its arguments; None if only lists are sorted. ``limit`` is in seconds per call.
        """
        self._command, self._folder, self._make, self._limit = [*command], folder, make, limit
        self._child: _Child | None = None

    @property
    def name(self) -> str:
        """RocketMQ's name of the strategy."""
        return str(self._make["strategy"]) if self._make else "sort"

    def answers(self, calls: Sequence[Call]) -> list[Outcome]:
        """Make calls and return their outcomes, as in ``Worker.answers``. Raises ``NotConstructed`` at the start."""
        found: list[Outcome] = []
        for call, answer in zip(calls, self._answers(_request(calls), len(calls)), strict=False):
            found.append(_outcome(answer, call))
        return found

    def sorts(self, lists: Sequence[Lists]) -> list[Sorted]:
        """Let the client sort lists, and return the sorted lists in order.

        The result may be shorter than ``lists``: the driver stops after a failure that ends its process.
        """
        asked = [{"mq": mq_all, "cid": cid_all} for mq_all, cid_all in lists]
        return [_sorted(answer) for answer in self._answers({"sorts": asked}, len(lists))]

    def afresh(self) -> None:
        """Return None: the client's strategies are called in one process."""

    def _answers(self, request: Mapping[str, Any], count: int) -> Iterator[Any]:
        """Yield up to ``count`` answers; the last one is a ``Refused`` if the process has ended."""
        child = self._started()
        child.send(request)
        for _ in range(count):
            answer = child.answer(self._limit)
            yield answer
            if isinstance(answer, Refused):
                self._end()
                return

    def _started(self) -> "_Child":
        if self._child is None:
            self._child = _Child(self._command, self._folder)
            if self._make is not None:
                self._child.send({"make": self._make})
                answer = self._child.answer(self._limit)
                if isinstance(answer, Refused) or answer != "ready":
                    self._end()
                    raise _not_constructed(answer)
        return self._child

    def _end(self) -> None:
        if self._child:
            self._child.end()
            self._child = None

    def __enter__(self) -> Self:
        """Start the process and construct the strategy. Raises ``NotConstructed``."""
        self._started()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        self._end()


def _request(calls: Sequence[Call]) -> dict[str, Any]:
    """Return the request for calls. Lists that are the same object are sent once."""
    lists = {id(call.mq_all): call.mq_all for call in calls}
    ids = {id(call.cid_all): call.cid_all for call in calls}
    of_list, of_ids = ({key: place for place, key in enumerate(some)} for some in (lists, ids))
    asked = [
        (call.consumer_group, call.current_cid, of_list[id(call.mq_all)], of_ids[id(call.cid_all)]) for call in calls
    ]
    return {"lists": [*lists.values()], "ids": [*ids.values()], "calls": asked}


def _outcome(answer: Any, call: Call) -> Outcome:
    match answer:
        case Refused():
            return answer
        case None:
            return Refused(NULL, "returns null")
        case list():
            with suppress(ValueError, IndexError, TypeError):
                return Gave(tuple(_queue(one, call.mq_all) for one in answer))
    return _thrown(answer) or WRITES


def _queue(found: Any, mq_all: Sequence[MessageQueue]) -> MessageQueue | None:
    if found is None:
        return None
    if type(found) is int:
        if found < 0:
            raise IndexError(found)
        return mq_all[found]
    return _whole(found)


def _whole(found: Any) -> MessageQueue:
    match found:
        case [str(topic), str(broker_name), int(queue_id)]:
            return MessageQueue(topic, broker_name, queue_id)
    raise ValueError(found)


def _sorted(answer: Any) -> Sorted:
    match answer:
        case Refused():
            return answer
        case {"mq": list(mq_all), "cid": list(cid_all)}:
            with suppress(ValueError):
                return tuple(map(_whole, mq_all)), tuple(map(str, cid_all))
    return _thrown(answer) or WRITES


def _thrown(answer: Any) -> Refused | None:
    match answer:
        case {"x": str(kind), "m": str(message)}:
            return Refused(THROWS, f"throws {kind}: {message}")
    return None


def _not_constructed(answer: Any) -> NotConstructed:
    if answer == ABSENT:
        return NotConstructed("has no such strategy", absent=True)
    refused = answer if isinstance(answer, Refused) else _thrown(answer) or WRITES
    return NotConstructed(refused.what)


class _Child:
    """The process, in its own session, so that all processes that it starts can be ended."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self._start = START
        self._noise = TemporaryFile()  # noqa: SIM115  # closed in ``end``
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._noise,
            start_new_session=True,
        )
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        for work in (self._read, self._write):
            Thread(target=work, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout
        with suppress(OSError, ValueError):  # closed in ``end``
            for line in self._process.stdout:
                self._lines.put(line)
        self._lines.put(b"")

    def _write(self) -> None:
        assert self._process.stdin
        with suppress(OSError, ValueError):  # The end of the answers shows the reason.
            while request := self._requests.get():
                self._process.stdin.write(request)
                self._process.stdin.flush()

    def send(self, request: Mapping[str, Any]) -> None:
        self._requests.put(json.dumps(request).encode() + b"\n")

    def answer(self, seconds: float) -> Any:
        """Return the next answer; a ``Refused`` if the process has ended, or does not answer in time."""
        start, self._start = self._start, 0.0
        try:
            line = self._lines.get(timeout=seconds + start)
        except queue.Empty:
            return Refused(HANGS, f"has not returned after {seconds:g} s")
        if not line:
            return Refused(EXITS, self._how())
        try:
            return json.loads(line)
        except ValueError:
            return WRITES

    def _how(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(START)
        status = self._process.returncode
        if status is None:
            return "closes its pipes"
        how = f"with status {status}" if status >= 0 else f"(signal {-status})"
        self._noise.seek(0)
        lines = [line.strip() for line in self._noise.read(1 << 16).decode(errors="replace").splitlines()]
        said = next((f": {line[:200]}" for line in lines if line), "")
        return f"ends its process {how}{said}"

    def end(self) -> None:
        """Kill the process and those that it has started."""
        self._requests.put(b"")
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._noise.close()
