"""Which groups are explored: of ``lock-lite``, by consumers, queues and messages."""

from dataclasses import dataclass

__all__ = ["FULL", "QUICK", "Size", "Sizes", "named"]

Size = tuple[int, int, int]


@dataclass(frozen=True)
class Sizes:
    """Of one run."""

    beside: tuple[Size, ...]
    """Beside SPIN; what is wanted of the number of transitions is wanted of the last one."""
    growing: tuple[Size, ...]
    """Each with about twice the states of the one before; in a folder too, with ``memory``."""
    memory: int
    """Bytes."""
    spark: tuple[Size, ...]
    wanted: Size
    """Of those on Spark, the one of which a number of transitions a second is wanted."""
    runs: int
    """Of which the middle one is told."""
    often: int
    """States; larger groups are explored once by each way that is no search of SPIN's."""


FULL = Sizes(
    beside=((3, 3, 2), (3, 4, 1)),
    growing=tuple((2, 3, messages) for messages in (3, 4, 5, 6, 7, 8, 9, 12)),
    memory=256 << 20,
    spark=((2, 3, 2), (3, 3, 1), (3, 3, 2), (3, 4, 1), (2, 3, 9), (2, 3, 12)),
    wanted=(3, 4, 1),
    runs=3,
    often=12_000_000,
)
QUICK = Sizes(
    beside=((2, 2, 1), (2, 3, 2)),
    growing=((2, 3, 1), (2, 3, 2), (2, 3, 3)),
    memory=16 << 20,
    spark=((2, 3, 2),),
    wanted=(2, 3, 2),
    runs=1,
    often=0,
)
"""A minute, to see that all of it runs."""


def named(size: Size) -> str:
    """For people."""
    consumers, queues, messages = size
    return f"{consumers} consumers, {queues} queues, {messages} message{'' if messages == 1 else 's'}"
