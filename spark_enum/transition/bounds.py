"""Bounds for the enumeration of transitions: how many states of queues are combined."""

from dataclasses import dataclass

ALL = 10_000
"""A number of representatives (letters) larger than any client has, so that none is left out."""


@dataclass(frozen=True)
class LetterBounds:
    """How many representative cases (letters) of a queue are combined with each other.

    A letter represents all cases in which a rebalance has the same effect on the queue; see ``letters.Alphabet``.
    """

    pairs: int = ALL
    """Letters for each of two queues in one call of the client, with mqSet in both orders."""
    triples: int = 75
    """Letters for each of three queues in one call of the client."""
    table_pairs: int = ALL
    """Letters for each of two queues in one evaluation of the formulas."""
    table_triples: int = 128
    """Letters for each of three queues in one evaluation of the formulas."""


@dataclass(frozen=True)
class TransitionBounds:
    """Bounds for each client and mode; a mode is the consumer type, listener and message model."""

    every_case: bool = True
    """True to try one queue in all possible modes, False to try only the modes that clients have."""
    throwing: LetterBounds = LetterBounds()
    """Bounds for modes in which an exception about one queue can end the others' rebalance."""
    calm: LetterBounds = LetterBounds(pairs=200, triples=32, table_pairs=1_000, table_triples=64)
    """Bounds for modes in which no queue can cause an exception, as with Java's default stores.

    Then one queue has no influence on another.
    """
    models: int = 128
    """Number of letters for which the solver finds every model of the formulas."""
    depths: tuple[int, ...] = (3, 2)
    """Largest number of non-default values in cases for all claims: for one queue, for two queues."""
    deepest: int = 3
    """Largest number of non-default values for a claim that should fail and has not failed so far."""

    def letters(self, *, calm: bool) -> LetterBounds:
        """Return the bounds for a mode; ``calm``: no queue can cause an exception there."""
        return self.calm if calm else self.throwing


QUICK = TransitionBounds(
    every_case=False,
    throwing=LetterBounds(triples=16, table_pairs=128, table_triples=48),
    calm=LetterBounds(pairs=48, triples=10, table_pairs=96, table_triples=24),
    models=24,
    depths=(2, 1),
)
