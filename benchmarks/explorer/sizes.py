"""The sizes of the groups that are explored: of ``lock-lite``, by consumers, queues and messages."""

from dataclasses import dataclass

Size = tuple[int, int, int]


@dataclass(frozen=True)
class Sizes:
    """The sizes of one run."""

    beside: tuple[Size, ...]
    """Groups that are explored beside SPIN; the last one has the target for the number of transitions."""
    growing: tuple[Size, ...]
    """Groups, each with about twice the states of the one before; also explored in a folder, with ``memory``."""
    memory: int
    """Bytes of memory for explorations in a folder."""
    spark: tuple[Size, ...]
    wanted: Size
    """The group of ``spark`` that has the target for transitions a second."""
    runs: int
    """The number of runs, of which the median is given."""
    often: int
    """Groups with more states than this are explored once by each way other than SPIN's."""


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
"""Sizes for a run of a minute, to see that all of it works."""


def named(size: Size) -> str:
    """The size in words."""
    consumers, queues, messages = size
    return f"{consumers} consumers, {queues} queues, {messages} message{'' if messages == 1 else 's'}"
