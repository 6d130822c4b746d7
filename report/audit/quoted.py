"""Read the log lines that findings cite, for the page."""

from collections.abc import Iterable, Sequence

from rebalance_proofs.recorded.audit.told import Where
from rebalance_proofs.recorded.logs.pieces import UNREADABLE, pieces
from rebalance_proofs.recorded.logs.plain import decoded, plain
from rebalance_proofs.recorded.logs.sources import Source
from rebalance_proofs.recorded.rows import printable

LARGEST = 256 << 20
"""Files are read up to this many bytes; lines that come later are not quoted."""
MOST = 400
"""Longest quotation in characters."""


def quoted(found: Sequence[Source], wanted: Iterable[Where]) -> dict[Where, str]:
    """Return the texts of log lines, by (file, line number). Lines that cannot be read are left out."""
    numbers: dict[str, set[int]] = {}
    for file, number in wanted:
        numbers.setdefault(file, set()).add(number)
    said: dict[Where, str] = {}
    for source in {one.whole or one.name: one for one in found}.values():
        name = source.whole or source.name
        if name in numbers:
            try:
                for number, line in _lines(source, numbers[name]):
                    said[name, number] = line
            except (OSError, *UNREADABLE):
                continue  # the audit reports damaged files itself
    return said


def _lines(source: Source, numbers: set[int]) -> Iterable[tuple[int, str]]:
    before, read = 0, 0
    waiting = sorted(numbers, reverse=True)
    for piece in pieces(source.path):
        ends = piece.count(b"\n") + (not piece.endswith(b"\n"))
        if waiting and waiting[-1] <= before + ends:
            lines = piece.split(b"\n")
            while waiting and waiting[-1] <= before + ends:
                number = waiting.pop()
                yield number, _short(lines[number - before - 1])
        before += ends
        read += len(piece)
        if not waiting or read > LARGEST:
            return


def _short(line: bytes) -> str:
    text = printable(decoded(plain(line[: 8 * MOST])).strip())
    return text if len(text) <= MOST else f"{text[: MOST - 1]}…"
