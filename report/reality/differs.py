"""How visibly a wrong model of client code (a mutant) differs from the right one in a recording.

A ghost is a variable of the model that client code does not have, and that only claims use.
"""

from collections.abc import Collection, Iterable
from enum import StrEnum
from functools import cache
from typing import Any

from rebalance_proofs.model.machine.client import MachineClient
from rebalance_proofs.model.machine.machine import Turn, act_of
from rebalance_proofs.model.machine.record import variables
from rebalance_proofs.model.machine.values import And, Bool, Not, Or, term
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.smt.text import Assertion, render
from rebalance_proofs.proofs.solvers.answer import Outcome
from rebalance_proofs.proofs.solvers.z3_ import Z3

# Check whether the models of two clients are the same, term by term, in all actions or in those of a claim.


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


class Differs(StrEnum):
    """Kinds of differences between a mutant and the client's right model, the most visible first."""

    OTHERWISE = "does otherwise"
    """In some state, the mutant forbids a step of the client, or the step leads to another state."""
    MORE = "only allows more"
    """The mutant allows every step of the client, and more steps.

    Only a recording in which something did not happen, such as a denied lock, can reject it.
    """
    UNSEEN = "differs in ghosts alone"
    """The mutant differs only in ghosts, which no recorded event shows."""


def differs(client: MachineClient, mutant: Mutant, kept: frozenset[str] = frozenset()) -> Differs:
    """Return how a mutant of the client's model differs, over all states, choices and limits.

    ``kept``: names of ghosts that recorded events show nevertheless. Raises ``ValueError`` if the solver gives up.
    """
    machine = client.machine
    state, choices, limits = machine.state.symbols(), machine.choices.symbols("c."), machine.limits.symbols("lim.")
    more = False
    for name in machine.actions:
        right = machine.turn(name, client, state, choices, limits)
        wrong: Turn[Any] = act_of(mutant.encoding, name)(state, choices, limits)
        if _possible(
            f"{name} of {mutant.name}", And(right.guard, Or(Not(wrong.guard), _elsewhere(right, wrong, kept)))
        ):
            return Differs.OTHERWISE
        more = more or _possible(f"{name} of {mutant.name}, more", And(wrong.guard, Not(right.guard)))
    return Differs.MORE if more else Differs.UNSEEN


def _elsewhere(right: Turn[Any], wrong: Turn[Any], kept: frozenset[str]) -> Bool:
    """Return True if the states after the two steps differ in a variable that recorded events show."""
    known = variables(type(right.after)).items()
    seen = [name for name, variable in known if not variable.ghost or name in kept]
    return Or(False, *(getattr(right.after, name) != getattr(wrong.after, name) for name in seen))


def _possible(title: str, condition: Bool) -> bool:
    outcome, _, _ = Z3.solve(render(title, [Assertion(title, term(condition))]))
    if outcome not in (Outcome.SAT, Outcome.UNSAT):
        raise ValueError(f"the solver did not decide whether {title} differs")
    return outcome is Outcome.SAT
