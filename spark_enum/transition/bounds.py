"""How far the enumeration of transitions goes."""

from dataclasses import dataclass

ALL = 10_000
"""More letters than any client has."""


@dataclass(frozen=True)
class LetterBounds:
    """How many letters of one client and mode are used for tables of several queues; see ``letters.Alphabet``."""

    pairs: int = ALL
    """Behaviours of each of two queues in one call of the client, mqSet in both orders."""
    triples: int = 75
    """Behaviours of each of three queues."""
    table_pairs: int = ALL
    """Outcomes of each of two queues in the compiled terms of a table."""
    table_triples: int = 128
    """Outcomes of each of three queues."""


@dataclass(frozen=True)
class TransitionBounds:
    """How much of each client and mode is looked at."""

    every_case: bool = True
    """One queue is tried in every way in which clients could be used; else only in those in which they are."""
    throwing: LetterBounds = LetterBounds()
    """Where one queue can make an exception end the rebalance of the others."""
    calm: LetterBounds = LetterBounds(pairs=200, triples=32, table_pairs=1_000, table_triples=64)
    """Where none can, as with the offset stores that Java ships: no queue has anything to do with another."""
    models: int = 128
    """Outcomes of which the solver finds every model."""
    depths: tuple[int, ...] = (3, 2)
    """Departures from a benign round, of one queue and of two, up to which every claim is tried."""
    deepest: int = 3
    """The same for a claim that is expected to fail and has not yet."""

    def letters(self, *, calm: bool) -> LetterBounds:
        """For one client and mode."""
        return self.calm if calm else self.throwing


QUICK = TransitionBounds(
    every_case=False,
    throwing=LetterBounds(triples=16, table_pairs=128, table_triples=48),
    calm=LetterBounds(pairs=48, triples=10, table_pairs=96, table_triples=24),
    models=24,
    depths=(2, 1),
)
