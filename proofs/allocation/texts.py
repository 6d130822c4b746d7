"""From groups to the texts that ask for a violation."""

import z3

from rebalance_proofs.model.worlds.groups import Groups, SymbolicGroup
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.texts import labelled_text


def counterexample(
    subject: str, guarantee: Guarantee, world: Groups, group: SymbolicGroup, queues_at_most: int | None = None
) -> str:
    """A group of n consumers that violates the guarantee: unsatisfiable when there is none, of any number of queues."""
    bound = "any number of" if queues_at_most is None else f"at most {queues_at_most}"
    if world.sized:
        bound = str(group.queues)
    where = f"without the premise {world.name!r}" if world.dropped else f"in the case {world.name!r}"
    title = (
        f"{subject} / a group of {len(group.members)} consumers, {bound} queues\n"
        f"{guarantee.sentence}, {where}: sat = violated"
    )
    labelled = _violated(guarantee, group)
    if queues_at_most is not None:
        labelled["few queues"] = group.queues <= queues_at_most
    return labelled_text(title, labelled)


SIZE = z3.Int("size")


def violation_at(subject: str, guarantee: Guarantee, world: Groups, group: SymbolicGroup) -> str:
    """A group of n consumers that violates the guarantee, with ``size`` queues; ``at`` fixes the size."""
    title = f"{subject} / a group of {len(group.members)} consumers and a given number of queues\nsat = violated there"
    return labelled_text(title, _violated(guarantee, group) | {"number of queues": group.queues == SIZE})


def at(text: str, q: int) -> str:
    """A text of ``violation_at`` for q queues."""
    return text.replace("(check-sat)", f"(assert (= {SIZE} {q}))\n(check-sat)")


def _violated(guarantee: Guarantee, group: SymbolicGroup) -> dict[str, z3.BoolRef]:
    constraints = {f"the group ({number})": constraint for number, constraint in enumerate(group.constraints)}
    return constraints | {"the guarantee is violated": guarantee.violated(group)}
