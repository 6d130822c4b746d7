"""Words of a claim that say in which world it is made: they have to be the world's own."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rebalance_proofs.proofs.claim import Claim

__all__ = ["misnamed"]

EVEN_IF, WITHOUT = "even if", "without-"


def misnamed(claim: "Claim") -> str:
    """What the claim's id or sentence says about a world that is not its own; empty if nothing.

    A claim could otherwise be proved under all premises, and say that it holds without one.
    """
    world, sentence = claim.world, claim.sentence
    last = claim.variant.rpartition(".")[2]
    if world.dropped and last != f"{WITHOUT}{world.name}":
        return f"its world drops the premise {world.name!r}, which its id does not name"
    if last.startswith(WITHOUT) and not world.even_if:
        return f"its id says {last!r}, and its world drops nothing"
    said = sentence.count(EVEN_IF)
    if said and (said > 1 or not world.even_if or f"{EVEN_IF} {world.even_if}" not in sentence):
        return f"its sentence says {EVEN_IF!r} of what its world does not let happen"
    if world.dropped and not said and claim.guarantee.premise != world.name:
        return f"its sentence does not say that {world.even_if}"
    return ""
