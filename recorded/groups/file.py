"""One file of a recording: the lines of one name, of one process or of several after each other."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rebalance_proofs.recorded.files import read
from rebalance_proofs.recorded.groups.beyond import Beyond
from rebalance_proofs.recorded.groups.error import RecordingError
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.line import Stamped, event, stamped


def lines(path: Path, who: str, beyond: Beyond | None = None) -> Iterator[Stamped]:
    """The lines of the file, in its order.

    Raises ``RecordingError`` for a line that cannot be read, and where one is missing: each process numbers its lines.
    With ``beyond``, events of unknown names are left out and counted, and missing lines are noted there instead.
    """
    last: Counter[int] = Counter()
    for number, text in _texts(path):
        try:
            line = stamped(text, who, beyond, number)
        except ValueError as error:
            raise _problem(path, number, str(error)) from error
        try:
            _follow(last, line.n)
        except ValueError as error:
            if beyond is None:
                raise _problem(path, number, str(error)) from error
            beyond.missing.append((number, line.epoch, str(error)))
            last[line.n or 0] += 1
        if line.known:
            yield line


def events(path: Path, who: str, start: int, beyond: Beyond | None = None) -> list[Event]:
    """The events of a file, by time; those of one millisecond in the order of the file. Raises ``RecordingError``.

    With ``beyond``, what the format does not have is left out and counted.
    """
    made = []
    for line in lines(path, who, beyond):
        try:
            made.append(event(line, start, beyond))
        except ValueError as error:
            raise _problem(path, line.row, str(error)) from error
    return sorted(made, key=lambda each: each.at)


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    try:
        for line in read(path):
            if line.problem:
                raise _problem(path, line.number, line.problem)
            yield line.number, line.text
    except OSError as error:
        raise RecordingError(f"cannot read {path}: {error.strerror}") from error


def _follow(last: Counter[int], n: int | None) -> None:
    """Note a line's number; ``last`` has the last one of each process. Raises ``ValueError`` where one is missing.

    A name's next process may begin while its last one still writes.
    """
    if n is None:
        return
    if n != 0:
        if not last[n - 1]:
            raise ValueError(f'"n" is {n}, but the process has no earlier line {n - 1}')
        last[n - 1] -= 1
    last[n] += 1


def _problem(path: Path, number: int, why: str) -> RecordingError:
    return RecordingError(f"{path}, line {number}: {why}")
