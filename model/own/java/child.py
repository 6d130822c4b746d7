"""A JVM as a child process: start it with one strategy, call the strategy, end the JVM."""

import mmap
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from select import POLLIN, POLLOUT, poll
from tempfile import TemporaryDirectory, TemporaryFile
from time import monotonic
from typing import NamedTuple

from rebalance_proofs.model.own.call import ENDING, EXITS, HANGS, MEMORY, Call, Limits, Outcome, Refused
from rebalance_proofs.model.own.java import protocol
from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.own.surroundings import NONE, Surroundings, hide

CLASSES = Path(__file__).resolve().parent
"""The folder that contains ``rebalance``, this project's Java classes for the child."""
RUNNER = "rebalance.Runner"

OPTIONS = (
    "-XX:+UseSerialGC",  # The serial collector starts fastest, and uses one core.
    "-XX:-UsePerfData",
    "-XX:+ExitOnOutOfMemoryError",
    "-XX:-OmitStackTraceInFastThrow",  # Exceptions that are thrown often keep their messages.
    "-XX:ErrorFile=/dev/null",
    "-XX:-CreateCoredumpOnCrash",
    "-XX:+IgnoreUnrecognizedVMOptions",  # Not every vendor's JVM knows all of these options.
    "-Dfile.encoding=UTF-8",  # The default from Java 18 on. RocketMQ up to 4.9 hashes bytes in the platform's charset.
)
OUT_OF_MEMORY = "Terminating due to "
"""The start of a JVM's last line when it is out of memory; the reason follows."""

STARTED = -1
"""Value of the shared number of started calls while the JVM constructs the strategy."""
START = 20.0
"""Extra seconds for the start of a JVM, besides the limit of a call.

On a busy machine it takes a few.
"""
GONE = 5.0
"""Seconds within which a process must end after it closed its pipes."""
SENDING = 2.0
"""Extra seconds for a call if the JVM has sent data since the call's start.

A long answer may then be under way.
"""
LONGEST = 256 * 2**20
"""The maximum number of bytes of one piece of the answers.

An answer to one call is never split.
"""
WRITES = Refused(EXITS, "writes into the pipe that carries its results")
"""The reason why a JVM cannot be used any more although it still runs."""
TICK = 0.05
"""Seconds between two checks of the number of started calls."""
NOISE = 4096
"""The maximum number of bytes of the JVM's own output that are stored."""


class Asked(NamedTuple):
    """The outcomes of a batch of calls, and the call that has ended the child, if any."""

    outcomes: list[Outcome]
    """The outcomes of the first calls of the batch; of all calls if the child still runs."""
    culprit: int = 0
    """The index of the call that has ended the child, if any.

    Outcomes of calls between ``outcomes`` and this call are lost.
    """
    refused: Refused | None = None
    """The outcome of the call that ended the child; None if the child still runs."""


class _Ended(Exception):
    """Raised when the child has ended, or was ended."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused)
        self.refused = refused


class Child:
    """A JVM that runs one strategy, in its own session.

    So signals to the terminal's processes cannot end it unnoticed.
    """

    def __init__(
        self,
        name: str,
        words: Sequence[str],
        classpath: Sequence[str],
        java: Sequence[str],
        limits: Limits,
        surroundings: Surroundings = NONE,
    ) -> None:
        """Start the JVM and construct the strategy. Raises ``StrategyError`` if either fails.

        ``java`` is the command, with options.
        """
        self._limits = limits
        self._noise = b""
        self._received = bytearray()
        self._logs = TemporaryDirectory(prefix="rebalance-")
        self._shared_file = TemporaryFile()  # noqa: SIM115  # closed in ``end``
        self._shared_file.truncate(protocol.SHARED)
        self._shared = mmap.mmap(self._shared_file.fileno(), protocol.SHARED)
        requests, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        self._noises, noises = os.pipe()
        paths = [f"/dev/fd/{number}" for number in (requests, answers, self._shared_file.fileno())]
        logs = [f"-D{name}={self._logs.name}" for name in ("rocketmq.client.logRoot", "rocketmq.log.root")]
        options = [f"-Xmx{limits.memory_mb}m", *OPTIONS, *logs, "-cp", os.pathsep.join([str(CLASSES), *classpath])]
        hide()
        try:
            self._process = subprocess.Popen(
                [*java, *options, RUNNER, *paths],
                env=surroundings.variables(),
                stdin=subprocess.DEVNULL,
                stdout=noises,
                stderr=noises,
                pass_fds=(requests, answers, self._shared_file.fileno()),
                start_new_session=True,
            )
        finally:
            for number in (requests, answers, noises):
                os.close(number)
        for number in (self._requests, self._answers, self._noises):
            os.set_blocking(number, False)
        try:
            self.made = self._construct(name, words)
        except BaseException:
            self.end()
            raise

    def _construct(self, name: str, words: Sequence[str]) -> protocol.Made:
        try:
            found = protocol.made(next(self._pieces(protocol.construction(words), START + self._limits.seconds)))
        except _Ended as ended:
            kind, what = ended.refused.kind, ended.refused.what
            if protocol.begun(self._shared) != STARTED and kind == EXITS:
                lines = self._noise.decode(errors="replace").splitlines()
                said = [line for line in lines if "Picked up" not in line]  # a JVM's note on options in the environment
                raise StrategyError(f"the JVM did not start: {said[0] if said else what}") from None
            raise StrategyError(f"{name} cannot be constructed: it {what}") from None
        except protocol.UnreadableError:
            raise StrategyError(f"{name} cannot be constructed: it {WRITES.what}") from None
        if isinstance(found, str):
            raise StrategyError(found)
        return found

    def ask(self, calls: Sequence[Call], renewed: bool = False) -> Asked:
        """Make all these calls and return their outcomes; with ``renewed``, construct the strategy again before.

        If one of them has ended the child, the child cannot be used any more.
        """
        self._shared[: protocol.SHARED_HEAD.size] = protocol.SHARED_HEAD.pack(0, 0)
        found: list[Outcome] = []
        waiting = iter(calls)
        pieces = self._pieces(protocol.batch(calls, renewed), self._limits.seconds)
        try:
            while len(found) < len(calls):
                for outcome in protocol.outcomes(next(pieces), waiting):
                    found.append(outcome)
                    if isinstance(outcome, Refused) and outcome.kind in ENDING:
                        self.end()
                        return Asked(found[:-1], len(found) - 1, outcome)
        except _Ended as ended:
            self.end()
            return Asked(found, self._culprit(found, calls), ended.refused)
        except protocol.UnreadableError:
            self.end()
            return Asked(found, self._culprit(found, calls), WRITES)
        except BaseException:
            self.end()
            raise
        return Asked(found)

    def _culprit(self, found: Sequence[Outcome], calls: Sequence[Call]) -> int:
        """Return the index of the call that was running when the child ended.

        The strategy may overwrite the memory that holds it, so the index is corrected to a possible value.
        """
        return max(min(protocol.begun(self._shared_copy), len(calls)) - 1, len(found))

    def _pieces(self, request: bytes, seconds: float) -> Iterator[bytes]:
        """Send the request and yield the answers, piece by piece.

        Raises ``_Ended``, also after ``seconds`` without progress.
        """
        left = memoryview(request)
        waiting = poll()
        waiting.register(self._answers, POLLIN)
        waiting.register(self._noises, POLLIN)
        waiting.register(self._requests, POLLOUT)
        begun, since, sends = protocol.begun(self._shared), monotonic(), 0.0
        while True:
            for number, _ in waiting.poll(TICK * 1000):
                if number == self._requests:
                    try:
                        left = left[os.write(number, left) :]
                    except BrokenPipeError:
                        left = left[:0]  # The end of the answers shows the reason.
                    since = monotonic()
                    if not left:
                        waiting.unregister(number)
                elif number == self._noises:
                    if not self._listen():
                        waiting.unregister(number)
                else:
                    read = os.read(number, 1 << 16)
                    if not read:
                        raise _Ended(self._how())
                    self._received += read
                    sends = SENDING
                    for piece in self._whole():
                        before = monotonic()
                        yield piece
                        since += monotonic() - before  # The caller's own time does not count as the strategy's.
            if (now := protocol.begun(self._shared)) != begun:
                begun, since, sends = now, monotonic(), 0.0
            elif monotonic() - since > (seconds if begun > 0 else max(seconds, START)) + sends:
                if self._received:
                    raise _Ended(WRITES)
                what = f"has not returned after {seconds:g} s"
                raise _Ended(Refused(HANGS, what, protocol.printed_last(self._shared[:])))

    def _whole(self) -> Iterator[bytes]:
        while len(self._received) >= 4:
            end = 4 + int.from_bytes(self._received[:4], "little")
            if end > LONGEST:
                raise _Ended(WRITES)
            if len(self._received) < end:
                return
            piece = bytes(self._received[4:end])
            del self._received[:end]
            yield piece

    def _listen(self) -> bool:
        """Read and store the beginning of the JVM's own output. Return whether more can come."""
        with suppress(BlockingIOError):
            read = os.read(self._noises, 1 << 16)
            self._noise = (self._noise + read)[:NOISE]
            return bool(read)
        return True

    def _how(self) -> Refused:
        """Return the failure for a child that has closed its pipes."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GONE)
        end = monotonic() + GONE
        while self._listen() and monotonic() < end and len(self._noise) < NOISE:
            pass
        printed = protocol.printed_last(self._shared[:])
        for line in self._noise.decode(errors="replace").splitlines():
            if line.startswith(OUT_OF_MEMORY):
                said = line.removeprefix(OUT_OF_MEMORY)
                what = f"uses more than {self._limits.memory_mb:,} MB of memory: {said}"
                return Refused(MEMORY, what, printed)
        status = self._process.returncode
        if status is None:
            return Refused(EXITS, "closes its pipes", printed)
        how = f"with status {status}" if status >= 0 else f"(signal {-status})"
        return Refused(EXITS, f"ends its process {how}", printed)

    def end(self) -> None:
        """Kill the JVM and the processes that it has started. May be called again."""
        if not self._shared.closed:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            for number in (self._requests, self._answers, self._noises):
                os.close(number)
            self._shared_copy = self._shared[:]
            self._shared.close()
            self._shared_file.close()
            self._logs.cleanup()
