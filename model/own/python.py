"""A worker that calls a user's Python function in a child process."""

import atexit
import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import Any, BinaryIO, Self

from rebalance_proofs.model.own.call import (
    ENDING,
    EXITS,
    HANGS,
    LIMIT,
    MEMORY_MB,
    PLACE,
    WORKING,
    Call,
    Gave,
    Held,
    Outcome,
    Refused,
    Worker,
)
from rebalance_proofs.model.own.named import Named, StrategyError
from rebalance_proofs.model.own.surroundings import NONE, Surroundings, hide
from rebalance_proofs.model.queues import MessageQueue

LOADING = 20.0
"""Time limit for loading the user's file, in seconds."""
LOOKED = 0.02
"""Seconds between two checks of a child that has not answered."""
GONE = 5.0
"""Seconds within which a process must end after it closed its pipes."""
BUSY = ("R", "D")
"""Linux's state letters of a process that works, or that waits for the CPU or the disk."""
LONGEST = 16 * 2**20
"""The maximum number of bytes of one line from the child.

A child that the strategy does not disturb sends far fewer at once.
"""
SENDING = 2.0
"""Extra seconds for a call if the child has sent data since the call's start.

A long answer may then be under way.
"""
PATIENCE = 5.0
"""Factor by which a call's elapsed time may exceed its limit if it gets too little CPU time."""
CLOSES = "closes its pipes"
WRITES = "writes into the pipe that carries its results"
"""The reason why a child cannot be used any more although it still runs."""

Sent = Mapping[str, Any]


class PythonWorker:
    """A worker (``model.own.worker.Worker``) for a strategy written in Python.

    ``seed`` is the child's PYTHONHASHSEED; None leaves it random.
    """

    holds = tuple(Held)

    def __init__(
        self,
        named: Named,
        *,
        limit: float = LIMIT,
        memory_mb: int = MEMORY_MB,
        seed: int | None = None,
        held: Collection[Held] = (),
        surroundings: Surroundings = NONE,
    ) -> None:
        self.named = named
        self.surroundings = surroundings
        self.limit, self.memory_mb = limit, memory_mb
        self.seed = 0 if Held.SEED in held else seed
        self.held = tuple(held)
        self._child: _Child | None = None
        self._spent = 0.0

    @property
    def name(self) -> str:
        """The strategy's name as the user typed it."""
        return self.named.text

    @property
    def arguments(self) -> int:
        """The number of the user's function's arguments: RocketMQ's 4, or 3.

        Raises ``StrategyError`` if it cannot be loaded.
        """
        return self._started().arguments

    def afresh(self) -> "Worker | None":
        """Return a worker that answers each batch in a fresh copy of the child.

        See ``Worker.afresh``. None if loading the user's code has started threads or left files open: a copy would lack
        the threads, and all copies would share the read positions.
        """
        return _Afresh(self) if self._started().copies else None

    def renewed(self) -> "Worker | None":
        """Return a worker whose batches do not affect each other; None if the child cannot be copied."""
        return self.afresh()

    def answers(self, calls: Sequence[Call], copied: bool = False) -> list[Outcome]:
        """Make calls in the child and return their outcomes, as in ``Worker.answers``.

        With ``copied``, copies of the child make the calls, and the child stays unchanged.
        """
        outcomes: list[Outcome] = []
        while len(outcomes) < len(calls):
            rest = calls[len(outcomes) :]
            sent = _sent(self.surroundings.called(rest))
            found, at, ended = self._started().ask({**sent, "copied": copied}, self.limit)
            if ended is None:
                given = _outcomes(rest, found)
                outcomes += given
                if not given or _ends(given[-1]):
                    self._end()
                    break
                continue  # The batch may have stopped because its answers are long.
            self._end()
            at = at if at <= len(rest) else 1  # The user's code may overwrite this value.
            if at > 1:  # Earlier calls are repeated, because their answers were not sent yet.
                outcomes += self.answers(rest[: at - 1], copied)
                if len(outcomes) < len(calls) - len(rest) + at - 1:
                    break
            outcomes.append(ended)
            break
        return outcomes

    def seconds(self) -> float:
        """Return the seconds that calls have used.

        These are CPU time, and idle time except waits for the CPU.
        """
        return self._spent + (self._child.seconds() if self._child else 0.0)

    def __enter__(self) -> Self:
        self._started()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _started(self) -> "_Child":
        if self._child is None:
            self._child = _Child(self.named, self.memory_mb, self.seed, self.held, self.surroundings)
        return self._child

    def _end(self) -> None:
        if self._child is not None:
            self._spent += self._child.seconds()
            self._child.end()
            self._child = None


class _Afresh:
    """A worker whose batches are each answered by a copy of another worker's child."""

    def __init__(self, worker: PythonWorker) -> None:
        self._worker = worker
        self.name, self.holds = worker.name, worker.holds

    def answers(self, calls: Sequence[Call]) -> list[Outcome]:
        return self._worker.answers(calls, copied=True)

    def afresh(self) -> Worker:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        """Do nothing: the child belongs to the other worker, which ends it."""


_LIVING: set[int] = set()
"""Child processes that still run, which an exit handler ends.

A second Ctrl-C can interrupt the code that ends them.
"""


@atexit.register
def _kill_all() -> None:
    for child in _LIVING:
        _kill(child)


def _kill(child: int) -> None:
    """Kill the child with the processes that it has started in its own process group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)


def _stat(pid: int) -> tuple[str, float]:
    """Return a process's state letter in Linux, and its CPU time in seconds.

    They are empty and 0 if the system does not report them. The seconds include those of children that the process
    has waited for.
    """
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        return fields[0], sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return "", 0.0


class _Time:
    """The time that one call has used, without waits for a busy CPU up to a limit."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._began = self._looked = monotonic()
        self._before = _stat(pid)[1]
        self._idle = 0.0

    def over(self, limit: float) -> bool:
        """Return whether the call has used more than ``limit`` seconds.

        Call it often: it samples the process's state.
        """
        now = monotonic()
        state, cpu = _stat(self._pid)
        if state not in BUSY:
            self._idle += now - self._looked
        self._looked = now
        wall = now - self._began
        return wall > limit and (cpu - self._before + self._idle > limit or wall > limit * PATIENCE)


class _Child:
    """One child process, as its parent sees it."""

    def __init__(
        self, named: Named, memory_mb: int, seed: int | None, held: Collection[Held], surroundings: Surroundings
    ) -> None:
        questions, self._questions = os.pipe()
        self._answers, answers = os.pipe()
        self._place: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115  # closed in ``end``
        self._place.write(bytes(PLACE))
        self._place.flush()
        given = (questions, answers, self._place.fileno())
        still = ",".join(one.value for one in held)
        arguments = [named.where, named.what, str(memory_mb), still, *map(str, given)]
        environment = surroundings.variables()
        hide()
        if seed is not None:
            environment["PYTHONHASHSEED"] = str(seed)
        self._process = subprocess.Popen(
            # -P: the user's files must not hide modules that the child needs
            [sys.executable, "-P", "-m", "rebalance_proofs.model.own.child", *arguments],
            stdin=subprocess.DEVNULL,
            pass_fds=given,
            env=environment,
            start_new_session=True,
        )
        _LIVING.add(self._process.pid)
        os.close(questions)
        os.close(answers)
        self._read = bytearray()
        self._batches, self._idle = 0, 0.0
        self._send(
            {
                "source": named.source,
                "property": named.judges,
                "settings": [(one.kind, one.name, one.value) for one in surroundings.settings],
            }
        )
        self._ready(named, surroundings)

    def _ready(self, named: Named, surroundings: Surroundings) -> None:
        try:
            said, ended = self._line(LOADING)
        except BaseException:
            self.end()
            raise
        if said is None:
            self.end()
            how = "ends the process"
            if ended is not None and (ended.kind == HANGS or ended.what in (CLOSES, WRITES)):
                how = f"takes more than {LOADING:g} s" if ended.kind == HANGS else ended.what
            raise StrategyError(f"{named.where} cannot be loaded: its code {how}")
        if said[0] == "error":
            self.end()
            missing = re.search(r"KeyError: '(\w+)'$", said[1])
            if missing and surroundings.withheld([missing[1]]):
                raise StrategyError(f"{said[1]}; --env {missing[1]} passes that variable")
            raise StrategyError(said[1])
        self.arguments: int = said[1]
        self.copies: bool = said[2]

    def ask(self, sent: Sent, limit: float) -> tuple[list[Any], int, Refused | None]:
        """Send calls to the child. Return the answers, the current call's number, and a failure.

        The number counts from 1. The failure says how the child ended; it is None if the child still runs.
        """
        self._batches += 1
        self._place.seek(0)
        self._place.write(bytes(8))
        self._place.flush()
        self._send(sent)
        found, ended = self._line(limit, len(sent["calls"]))
        return (found or []), max(1, self._at()), ended

    def _send(self, what: Sent | str) -> None:
        data = memoryview(json.dumps(what, separators=(",", ":")).encode("ascii") + b"\n")
        with suppress(BrokenPipeError):
            while data:
                data = data[os.write(self._questions, data) :]

    def _at(self) -> int:
        return int.from_bytes(os.pread(self._place.fileno(), 8, 0), sys.byteorder)

    def _working(self) -> int:
        """Return the process that makes the calls: the child, or its copy.

        The number of a copy may be wrong, because the user's code may overwrite the shared memory.
        """
        copy = int.from_bytes(os.pread(self._place.fileno(), 8, 8 * WORKING), sys.byteorder)
        return copy or self._process.pid

    def _line(self, limit: float, calls: int = 0) -> tuple[list[Any] | None, Refused | None]:
        """Return the child's next line of answers, or the failure by which the child ended.

        A call that takes too long counts as an end.
        """
        at, time, sends, searched = 0, _Time(self._working()), 0.0, 0
        while (end := self._read.find(b"\n", searched)) < 0:
            searched = len(self._read)
            gone = self._process.poll() is not None  # A forked process may hold the pipe open.
            looked = monotonic()
            if select.select([self._answers], [], [], LOOKED)[0]:
                more = os.read(self._answers, 1 << 20)
                if not more:
                    return None, self._ended(min(limit, GONE))
                self._read += more
                sends = SENDING
            elif gone:
                return None, self._ended(min(limit, GONE))
            elif calls and _stat(self._working())[0] not in BUSY:
                self._idle += monotonic() - looked
            if len(self._read) > LONGEST:
                return None, Refused(EXITS, WRITES)
            if at < (now := self._at()) <= calls:
                at, time, sends = now, _Time(self._working()), 0.0
            elif time.over(limit + sends):
                hangs = Refused(HANGS, f"has not returned after {limit:g} s")
                return None, Refused(EXITS, WRITES) if self._read else hangs
        line = bytes(self._read[:end])
        del self._read[: end + 1]
        said = _said(line, self._batches)
        return said, Refused(EXITS, WRITES) if said is None else None

    def _ended(self, limit: float) -> Refused:
        """Return the failure for a child that has closed its pipes."""
        try:
            status = self._process.wait(limit)
        except subprocess.TimeoutExpired:
            return Refused(EXITS, CLOSES)
        how = f"with status {status}" if status >= 0 else f"(signal {-status})"
        return Refused(EXITS, f"ends its process {how}")

    def seconds(self) -> float:
        """Return the seconds that the child's calls have used: CPU time, plus idle time.

        CPU time is included as far as the system reports it.
        """
        return _stat(self._process.pid)[1] + self._idle

    def end(self) -> None:
        """End the process, and those that it has started in its own process group."""
        if self._place.closed:
            return
        _kill(self._process.pid)
        self._process.wait()
        _LIVING.discard(self._process.pid)
        for file in (self._questions, self._answers):
            os.close(file)
        self._place.close()


def _ends(outcome: Outcome) -> bool:
    return isinstance(outcome, Refused) and outcome.kind in ENDING


def _said(line: bytes, number: int) -> list[Any] | None:
    """Return the answers in a line if it is the child's answer to the batch of that number.

    None for any other line, which the child has not written.
    """
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, list) or len(found) != 2 or found[0] != number or not isinstance(found[1], list):
        return None
    return found[1]


def _sent(calls: Sequence[Call]) -> Sent:
    """Return the request for these calls, as it is sent to the child.

    It has each list once, and calls refer to lists by index.
    """
    lists: dict[int, tuple[int, Any]] = {}
    ids: dict[int, tuple[int, Any]] = {}
    asked = []
    for call in calls:
        which = lists.setdefault(id(call.mq_all), (len(lists), call.mq_all))[0]
        listed = ids.setdefault(id(call.cid_all), (len(ids), call.cid_all))[0]
        asked.append((call.consumer_group, call.current_cid, which, listed))
    return {
        "lists": [queues for _, queues in lists.values()],
        "ids": [one for _, one in ids.values()],
        "calls": asked,
    }


def _outcomes(calls: Sequence[Call], found: Sequence[Any]) -> list[Outcome]:
    return [_outcome(call, *said) for call, said in zip(calls, found, strict=False)]


def _outcome(call: Call, kind: str, what: Any, printed: Sequence[str] = (), changed: str = "") -> Outcome:
    if kind != "gave":
        return Refused(kind, what, tuple(printed), changed)
    queues = call.mq_all
    given = tuple(queues[one] if type(one) is int else None if one is None else MessageQueue(*one) for one in what)
    return Gave(given, tuple(printed), changed)
