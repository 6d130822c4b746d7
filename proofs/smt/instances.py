"""What comes out when all that linearization adds to a text is evaluated with true products and quotients."""

from dataclasses import dataclass

__all__ = ["NO_INSTANCES", "Instances"]


@dataclass(frozen=True)
class Instances:
    """The test result for the definitions and lemma instances of one text."""

    tried: int
    """The number of definitions and instances, each evaluated at several hundred choices of numbers."""
    false: str
    """The first one that is false, with the numbers; empty if all are true. Wrongly rewritten formulas count too."""


NO_INSTANCES = Instances(0, "")
"""The result for a text in which nothing is named."""
