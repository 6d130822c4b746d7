"""Bounds of the enumeration of transitions."""

from dataclasses import dataclass

ALL = 10_000
"""More letters than any client has, so that none is left out."""


@dataclass(frozen=True)
class LetterBounds:
    """How many representatives (letters) of one client and mode are used in tables; see ``letters.Alphabet``."""

    pairs: int = ALL
    """Behaviours of each of two queues in one call of the client, with mqSet in both orders."""
    triples: int = 75
    """Behaviours of each of three queues in one call of the client."""
    table_pairs: int = ALL
    """Outcomes of each of two queues in the compiled terms of a table."""
    table_triples: int = 128
    """Outcomes of each of three queues in the compiled terms of a table."""


@dataclass(frozen=True)
class TransitionBounds:
    """Bounds for each client and mode."""

    every_case: bool = True
    """Whether one queue is tried in all ways in which clients could be used, or only in those in which they are."""
    throwing: LetterBounds = LetterBounds()
    """Bounds where one queue can make an exception end the rebalance of the others."""
    calm: LetterBounds = LetterBounds(pairs=200, triples=32, table_pairs=1_000, table_triples=64)
    """Bounds where no queue can throw, as with the offset stores that Java ships, so that queues do not interact."""
    models: int = 128
    """Outcomes for which the solver finds every model."""
    depths: tuple[int, ...] = (3, 2)
    """For one queue and for two, the most deviations from the defaults in cases in which every claim is tried."""
    deepest: int = 3
    """The most deviations for a claim that is expected to fail and has not failed so far."""

    def letters(self, *, calm: bool) -> LetterBounds:
        """The bounds on letters for one client and mode."""
        return self.calm if calm else self.throwing


QUICK = TransitionBounds(
    every_case=False,
    throwing=LetterBounds(triples=16, table_pairs=128, table_triples=48),
    calm=LetterBounds(pairs=48, triples=10, table_pairs=96, table_triples=24),
    models=24,
    depths=(2, 1),
)
