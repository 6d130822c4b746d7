"""SMT-LIB texts that ask for a group that violates a guarantee."""

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import Groups, SymbolicGroup
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.texts import labelled_text


def counterexample(
    subject: str, guarantee: Guarantee, world: Groups, group: SymbolicGroup, queues_at_most: int | None = None
) -> str:
    """Return the text that is satisfiable if a group of n consumers violates the guarantee.

    The number of queues is that of the assumptions if they fix one, else bounded by ``queues_at_most`` or unbounded.
    """
    bound = "any number of" if queues_at_most is None else f"at most {queues_at_most}"
    if world.sized:
        bound = str(group.queues)
    where = f"without the assumption {world.name!r}" if world.dropped else f"in the case {world.name!r}"
    title = (
        f"{subject} / a group of {len(group.members)} consumers, {bound} queues\n"
        f"{guarantee.sentence}, {where}: sat = violated"
    )
    labelled = _violated(guarantee, group)
    if queues_at_most is not None:
        labelled["few queues"] = group.queues <= queues_at_most
    return labelled_text(title, labelled)


SIZE = smt.Int("size")


def violation_at(subject: str, guarantee: Guarantee, world: Groups, group: SymbolicGroup) -> str:
    """Return the text that asks for a violation with n consumers and ``size`` queues.

    ``size`` is an unknown in the text, which the function ``at`` fixes.
    """
    title = f"{subject} / a group of {len(group.members)} consumers and a given number of queues\nsat = violated there"
    return labelled_text(title, _violated(guarantee, group) | {"number of queues": group.queues == SIZE})


def at(text: str, q: int) -> str:
    """Return the text of ``violation_at`` with its number of queues fixed to q."""
    return text.replace("(check-sat)", f"(assert (= {SIZE} {q}))\n(check-sat)")


def _violated(guarantee: Guarantee, group: SymbolicGroup) -> dict[str, smt.BoolTerm]:
    constraints = {f"the group ({number})": constraint for number, constraint in enumerate(group.constraints)}
    return constraints | {"the guarantee is violated": guarantee.violated(group)}
