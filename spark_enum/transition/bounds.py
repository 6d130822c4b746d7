"""Bounds of the enumeration of transitions."""

from dataclasses import dataclass

ALL = 10_000
"""More letters than any client has, so that no letter is left out."""


@dataclass(frozen=True)
class LetterBounds:
    """Number of representatives (letters) of a client and mode used in tables; see ``letters.Alphabet``."""

    pairs: int = ALL
    """Letters of each of two queues in one call of the client, with mqSet in both orders."""
    triples: int = 75
    """Letters of each of three queues in one call of the client."""
    table_pairs: int = ALL
    """Letters of each of two queues in the compiled terms of a table."""
    table_triples: int = 128
    """Letters of each of three queues in the compiled terms of a table."""


@dataclass(frozen=True)
class TransitionBounds:
    """Bounds for each client and mode."""

    every_case: bool = True
    """Whether one queue is tried in all possible modes of clients, or only in their actual modes."""
    throwing: LetterBounds = LetterBounds()
    """Bounds for modes where one queue's exception can end the rebalance of the others."""
    calm: LetterBounds = LetterBounds(pairs=200, triples=32, table_pairs=1_000, table_triples=64)
    """Bounds for modes where no queue can throw, as with Java's default stores.

    Queues do not interact then.
    """
    models: int = 128
    """Number of letters for which the solver finds every model."""
    depths: tuple[int, ...] = (3, 2)
    """Largest number of deviations from the defaults in cases for all claims: for one queue, for two queues."""
    deepest: int = 3
    """Largest number of deviations for a claim that is expected to fail and has not failed so far."""

    def letters(self, *, calm: bool) -> LetterBounds:
        """Return the bounds on letters for one client and mode."""
        return self.calm if calm else self.throwing


QUICK = TransitionBounds(
    every_case=False,
    throwing=LetterBounds(triples=16, table_pairs=128, table_triples=48),
    calm=LetterBounds(pairs=48, triples=10, table_pairs=96, table_triples=24),
    models=24,
    depths=(2, 1),
)
