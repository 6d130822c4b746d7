"""How far the enumeration of transitions goes."""

from dataclasses import dataclass

ALL = 10_000
"""More letters than any client has."""


@dataclass(frozen=True)
class TransitionBounds:
    """How many letters of each client and mode are used; see ``letters.Alphabet``."""

    every_case: bool = True
    """One queue is tried in every way in which clients could be used; else only in those in which they are."""
    pairs: int = ALL
    """Behaviours of each of two queues in one call of the client, mqSet in both orders."""
    triples: int = 75
    """Behaviours of each of three queues."""
    table_pairs: int = ALL
    """Outcomes of each of two queues in the compiled terms of a table."""
    table_triples: int = 128
    """Outcomes of each of three queues."""
    models: int = 128
    """Outcomes of which the solver finds every model."""
    depths: tuple[int, ...] = (3, 2)
    """Departures from a benign round, of one queue and of two, up to which every claim is tried."""
    deepest: int = 3
    """The same for a claim that is expected to fail and has not yet."""


QUICK = TransitionBounds(every_case=False, triples=16, table_pairs=128, table_triples=48, models=24, depths=(2, 1))
