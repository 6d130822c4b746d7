"""Run the rebalance classes of a Java client's jar with scripted answers (``java/step``)."""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.recorded.live.jvms import OPTIONS

CLASSES = Path(__file__).resolve().parent / "java"
"""Folder that contains the compiled Java package ``step``."""
MAIN = "step.Main"
MEGABYTES = 256
PATIENCE = 900.0
"""Seconds within which the JVM must have performed all cases.

It takes a few, and minutes on a busy machine.
"""
SEPARATOR = "\x01"
"""Separates the effects, or process queues, of one cell."""


@dataclass(frozen=True)
class Operation:
    """The results of one operation of a case, in the notation of ``recorded.transition``."""

    returned: str
    """``true``, ``false``, a number, ``void``, or ``-`` if the operation threw."""
    thrown: str
    """The exception's class and message; ``-`` if there is none."""
    effects: tuple[str, ...]
    """The effects in order; those about a queue end with ``@`` and its name."""
    table: Mapping[str, str]
    """Queue -> its process queue, such as ``N:d0l1t0``."""
    old: Mapping[str, str]
    """Queue -> the process queue that existed before the case, such as ``d1l1t0``."""
    pending: int
    """Number of delayed tasks that have not run."""
    memory: Mapping[str, str]
    """Queue -> its offset in the memory of the client's own offset store."""


@dataclass(frozen=True)
class Run:
    """One run of a case, with one choice of the scripted answers."""

    operations: tuple[Operation, ...]
    answers: Mapping[tuple[str, str], str]
    """(Queue, question) -> the answer, for the questions that the client asked and the case scripts."""


@dataclass(frozen=True)
class Broken:
    """The reason why a case could not be performed with this client."""

    kind: str
    """``class``: a class is missing; ``unknown``: a member of a class is missing; ``failed``: anything else."""
    what: str
    """The name of the class, or a description."""

    @cached_property
    def absent(self) -> str:
        """The missing class of the client's jar; empty if no class is missing, or one of another jar."""
        return self.what if self.kind == "class" and self.what.startswith("org.apache.rocketmq.client.") else ""


def perform(classpath: str, java: str, cases: Sequence[str]) -> list[list[Run] | Broken]:
    """Perform all cases in one JVM, and return the runs of each.

    ``classpath`` has the form of ``java -cp``; ``java`` is the command. A case is a line as ``step.Main`` reads it.
    Raises ``StrategyError`` if the JVM does not perform the cases.
    """
    with TemporaryDirectory(prefix="rebalance-") as home, TemporaryFile() as lines, TemporaryFile() as errors:
        lines.write("".join(f"{case}\n" for case in cases).encode())
        lines.seek(0)
        # In its own session: processes that the client starts end with it.
        jvm = subprocess.Popen(
            command(classpath, java, home), stdin=lines, stdout=subprocess.PIPE, stderr=errors, start_new_session=True
        )
        try:
            out, _ = jvm.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise StrategyError(f"the client's rebalance has not returned after {PATIENCE:g} s") from None
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(jvm.pid, signal.SIGKILL)
            jvm.wait()
        errors.seek(0)
        said = errors.read(1 << 16).decode(errors="replace").splitlines()
    try:
        found = list(_read(out.decode(errors="replace").split("\n")[:-1]))
    except ValueError:
        raise StrategyError("the client's jar writes into the pipe that carries the results of its rebalance") from None
    if found and isinstance(found[-1], Broken):
        found += [found[-1]] * (len(cases) - len(found))
    if len(found) != len(cases):
        why = next((line for line in said if "Exception" in line or "Error" in line), f"status {jvm.returncode}")
        raise StrategyError(f"the JVM ended before the client's rebalance returned: {why}")
    return found


def command(classpath: str, java: str, home: str) -> list[str]:
    """Return the command of the JVM; ``home`` is the folder of the client's logs."""
    props = dict.fromkeys(("user.home", "rocketmq.client.logRoot", "rocketmq.log.root"), home)
    props |= {"rocketmq.client.logLevel": "ERROR", "rocketmq.client.logUseSlf4j": "false"}
    return [
        java,
        f"-Xmx{MEGABYTES}m",
        *OPTIONS,
        *(f"-D{key}={value}" for key, value in props.items()),
        "-cp",
        os.pathsep.join([str(CLASSES), classpath]),
        MAIN,
    ]


def _read(lines: Sequence[str]) -> Iterator[list[Run] | Broken]:
    runs: list[Run] = []
    operations: list[Operation] = []
    for line in lines:
        kind, _, rest = line.partition("\t")
        if kind == ".":
            yield runs
            runs = []
        elif kind.startswith("!"):
            yield Broken(kind[1:], rest)
            runs, operations = [], []
        elif kind == "=":
            runs.append(Run(tuple(operations), dict(map(_answer, filter(None, rest.split("\t"))))))
            operations = []
        else:
            operations.append(_operation(line.split("\t")))


def _answer(text: str) -> tuple[tuple[str, str], str]:
    queue, question, answer = text.split(" ")
    return (queue, question), answer


def _operation(cells: Sequence[str]) -> Operation:
    returned, thrown, effects, table, old, pending, memory = cells
    return Operation(
        returned,
        thrown,
        tuple(_parts(effects)),
        dict(_pairs(table)),
        dict(_pairs(old)),
        int(pending),
        dict(_pairs(memory)),
    )


def _parts(cell: str) -> list[str]:
    return cell.split(SEPARATOR) if cell else []


def _pairs(cell: str) -> Iterator[tuple[str, str]]:
    for part in _parts(cell):
        name, _, value = part.partition("=")
        yield name, value
