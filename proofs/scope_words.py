"""Check that the id and the sentence of a claim match its assumptions (``world``)."""

from rebalance_proofs.model.machine.world import Premised
from rebalance_proofs.proofs.world import World

EVEN_IF, WITHOUT = "even if", "without-"


def without(world: World) -> str:
    """Return the end of a claim's id for a dropped assumption, such as ``without-distinct-ids``.

    Empty if ``world`` drops no assumption.
    """
    return f"{WITHOUT}{world.name}" if world.dropped else ""


def even_if(world: World) -> str:
    """Return the end of a claim's sentence for an unusual event that ``world`` allows.

    Empty if there is none.
    """
    return f", {EVEN_IF} {world.even_if}" if world.even_if else ""


def ending(world: Premised) -> str:
    """Return the end of a claim's sentence: the condition and the unusual event of ``world``."""
    return even_if(world) if world.dropped else f"{world.when}{even_if(world)}"


def misnamed(world: World, variant: str, sentence: str, premise: str = "") -> str:
    """Describe a mismatch between the claim's id or sentence and its assumptions.

    Empty if there is none. ``variant`` is the end of the id; ``premise`` is the assumption that the guarantee's own
    sentence mentions. Without this check, a claim could be proved under all assumptions although its sentence omits
    one.
    """
    last, said = variant.rpartition(".")[2], sentence.count(EVEN_IF)
    if world.dropped and last != without(world):
        return f"its world drops the assumption {world.name!r}, which its id does not name"
    if last.startswith(WITHOUT) and not world.even_if:
        return f"its id contains {last!r}, and its world drops nothing"
    if said and (said > 1 or not world.even_if or even_if(world)[2:] not in sentence):
        return f"its sentence mentions {EVEN_IF!r} with an event that its world excludes"
    if world.dropped and not said and premise != world.name:
        return f"its sentence does not mention that {world.even_if}"
    return ""
