"""Proof that a shutdown releases the locks of all queues that were in the consumer's table."""

from collections.abc import Sequence

from rebalance_proofs.model.machine.copies import ME
from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Ordered
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.ordered.circumstances import PROMPT
from rebalance_proofs.proofs.ordered.configuration import is_kept, made, proof
from rebalance_proofs.proofs.ordered.invariant import Conjunct


def _mine(s: Ordered, limits: Limits) -> Bool:
    crashed = And(s.closed, Not(s.yielded))
    before = Or(s.present, s.adding, s.later, crashed)
    why = Or(s.unlocking, And(Not(s.yielded), before))
    return Implies(s.holder == ME, why)


def _nothing_else(s: Ordered, limits: Limits) -> Bool:
    shut = And(s.stopping, Or(s.yielded, Not(s.closed)))
    return And(Implies(s.yielded, s.stopping), Implies(shut, Not(Or(s.adding, s.later))))


ALL = (
    Conjunct(
        "mine",
        "The lock's owner has a process queue, adds one, unlocks now or later, or has crashed. After all unlocks, its "
        "unlock is under way.",
        _mine,
    ),
    Conjunct(
        "nothing-else",
        "A consumer that is shut down adds no queue and has no delayed unlock.",
        _nothing_else,
    ),
)


def obligations(client: OrderedClient, conjuncts: Sequence[Conjunct] = ALL) -> tuple[Obligation, ...]:
    """Return the obligations that a shutdown leaves no lock behind.

    They include that actions preserve the conjuncts of the invariant.
    """
    conclusion = "given-back", "the consumer does not hold the lock after its shutdown"
    return made(proof(client, PROMPT, conjuncts, is_kept, conclusion), client)
