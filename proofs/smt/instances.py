"""Result of checking the formulas that linearization adds to an SMT-LIB text.

They are checked with true products and quotients.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Instances:
    """Result of checking the definitions and lemma instances of one SMT-LIB text."""

    tried: int
    """The number of definitions and instances that were evaluated.

    Each was evaluated at several hundred random assignments.
    """
    false: str
    """The first false definition or instance, with its numbers; empty if all are true.

    Wrongly rewritten formulas count too.
    """


NO_INSTANCES = Instances(0, "")
"""The result for a text without named products or quotients."""
