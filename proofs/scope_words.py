"""Words of a claim that say in which world it is made: they have to be the world's own."""

from rebalance_proofs.proofs.world import Premised, World

__all__ = ["ending", "even_if", "misnamed", "without"]

EVEN_IF, WITHOUT = "even if", "without-"


def without(world: World) -> str:
    """The end of the id of a claim in a world that drops a premise: ``without-distinct-ids``; empty for others."""
    return f"{WITHOUT}{world.name}" if world.dropped else ""


def even_if(world: World) -> str:
    """The end of the sentence of a claim in a world that lets something unusual happen; empty for others."""
    return f", {EVEN_IF} {world.even_if}" if world.even_if else ""


def ending(world: Premised) -> str:
    """The end of the sentence of a claim in that world: its condition, and the unusual event that it allows."""
    return even_if(world) if world.dropped else f"{world.when}{even_if(world)}"


def misnamed(world: World, variant: str, sentence: str, premise: str = "") -> str:
    """What a claim's id or sentence says about a world that is not its own; empty if nothing.

    ``variant``: the end of the id. ``premise``: the premise of which the guarantee's own sentence speaks. A claim could
    otherwise be proved under all premises, and say that it holds without one.
    """
    last, said = variant.rpartition(".")[2], sentence.count(EVEN_IF)
    if world.dropped and last != without(world):
        return f"its world drops the premise {world.name!r}, which its id does not name"
    if last.startswith(WITHOUT) and not world.even_if:
        return f"its id says {last!r}, and its world drops nothing"
    if said and (said > 1 or not world.even_if or even_if(world)[2:] not in sentence):
        return f"its sentence says {EVEN_IF!r} of what its world does not let happen"
    if world.dropped and not said and premise != world.name:
        return f"its sentence does not say that {world.even_if}"
    return ""
