"""Short texts for sets of queues: ``0-3 5``."""

from collections.abc import Iterable


def ranges(numbers: Iterable[int]) -> str:
    """Return the numbers in ascending order, with runs of three or more as ranges: ``0 1 4-9``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return " ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(map(str, run)) for run in runs)
