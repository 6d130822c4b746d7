"""Read one file of a recording: all events of one process name, including restarts."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rebalance_proofs.recorded.files import read
from rebalance_proofs.recorded.groups.beyond import Beyond
from rebalance_proofs.recorded.groups.error import RecordingError
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.line import Stamped, event, stamped


def lines(path: Path, who: str, beyond: Beyond | None = None) -> Iterator[Stamped]:
    """Yield the parsed lines of a file in order.

    Raises ``RecordingError`` for an invalid or missing line; lines are numbered by the process that writes them. With
    ``beyond``, unknown events are counted and skipped, and missing lines are recorded there instead.
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
    """Return the events of a file, sorted by time; events of one millisecond keep their order.

    ``start``: start of the run in milliseconds since 1970. Raises ``RecordingError``. With ``beyond``, parts that the
    format does not define are counted and skipped.
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
    """Check that no line is missing before the line with the number ``n``.

    ``last`` counts, for each last number, the processes that have written it. Raises ``ValueError`` for a gap. The next
    process of a name may begin while the previous one still writes.
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
