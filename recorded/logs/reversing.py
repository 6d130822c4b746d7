"""Read logs whose newest line comes first, as search pages export them."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from rebalance_proofs.recorded.logs.times import stamp

FEWEST = 3
"""Fewest different times that show the order of a log's lines, if they are close together."""
FEW = 4
"""Most lines of a log whose order two different times show; in a longer one, the clock can step back."""
STEP = 1_000
"""Two times alone show the order if they are further apart than this, in ms; threads write out of order by less."""
LARGEST = 64 << 20
"""Number of bytes up to which a log is turned round; a larger one is read as it is."""


def descends(times: Sequence[int]) -> bool:
    """Return True if the times of a log's lines fall from line to line, with none that rises."""
    short = 1 < len(times) <= FEW and max(times) - min(times) > STEP
    return (short or len(set(times)) >= FEWEST) and all(one >= other for one, other in pairwise(times))


def turned(pieces: Iterable[bytes]) -> tuple[bytes, list[int]]:
    """Return a log's content with its newest line last, and the original number of each line.

    Lines without a time stay behind the line that they follow.
    """
    lines = b"".join(pieces).splitlines()
    records: list[list[int]] = []
    for number, line in enumerate(lines, 1):
        if not records or stamp(line, 1970) is not None:
            records.append([])
        records[-1].append(number)
    numbers = [number for record in reversed(records) for number in record]
    return b"".join(lines[number - 1] + b"\n" for number in numbers), numbers
