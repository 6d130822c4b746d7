"""Check whether the models of two clients are the same, term by term, in all actions or in those of a claim."""

from collections.abc import Collection, Iterable
from functools import cache
from typing import Any

from rebalance_proofs.model.machine.values import term
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER


@cache
def _turn(client: Any, action: str) -> tuple[str, ...]:
    """Return an action's guard and resulting state as text."""
    machine = client.machine
    state, choices, limits = machine.state.symbols(), machine.choices.symbols("c."), machine.limits.symbols("lim.")
    turn = machine.turn(action, client, state, choices, limits)
    return (str(term(turn.guard)), *(f"{name} = {value}" for name, value in sorted(vars(turn.after).items())))


def same_machine(one: Any, other: Any, without: Collection[str] = ()) -> bool:
    """Return True if guards and effects of every action are the same terms, except for actions in ``without``."""
    if one.machine is not other.machine:
        return False
    return all(_turn(one, name) == _turn(other, name) for name in one.machine.actions if name not in without)


def twins(claim: Claim, clients: Iterable[str]) -> list[Claim]:
    """Return the same claim about other clients whose machine is the same, except for excluded actions.

    ``clients``: client names as in claim ids. Assumptions and sentence must be the same, too, except for the names.
    """
    (client,) = claim.subjects
    found = []
    for name in clients:
        try:
            one = LEDGER.named(claim.id.replace(f".{client.name}", f".{name}", 1))
        except LookupError:
            continue
        (other,) = one.subjects
        same = (one.world, one.holds) == (claim.world, claim.holds) and other is not client
        if same and one.sentence == claim.sentence.replace(client.rocketmq_name, other.rocketmq_name):
            found += [one] * same_machine(client, other, claim.world.excludes)
    return found
