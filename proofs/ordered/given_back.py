"""What a consumer that is shut down leaves behind: whether the lock of a queue that was in its table is given back."""

from collections.abc import Iterator
from types import SimpleNamespace

import z3

from rebalance_proofs.model.ordered.actions import OrderedEncoding
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import State
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.ordered.circumstances import PROMPT
from rebalance_proofs.proofs.ordered.inductive import about, kept, rely, well
from rebalance_proofs.proofs.ordered.invariant import Conjunct
from rebalance_proofs.proofs.ordered.variables import ME

__all__ = ["obligations"]


def _mine(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    crashed = z3.And(me.closed, z3.Not(me.yielded))
    before = z3.Or(me.present, me.adding, me.later, crashed)
    why = z3.Or(me.unlocking, z3.And(z3.Not(me.yielded), before))
    return z3.Implies(state.lock.holder == me.client_id, why)


def _nothing_else(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    shut = z3.And(me.stopping, z3.Or(me.yielded, z3.Not(me.closed)))
    return z3.And(z3.Implies(me.yielded, me.stopping), z3.Implies(shut, z3.Not(z3.Or(me.adding, me.later))))


ALL = (
    Conjunct(
        "mine",
        "Whose lock it is has an entry, or is adding one, or its return is under way or put off; or has crashed. When "
        "all locks were given back, it is under way.",
        _mine,
    ),
    Conjunct(
        "nothing-else",
        "While a consumer is shut down it adds nothing, and no return is put off.",
        _nothing_else,
    ),
)
CONJUNCTS = {conjunct.name: conjunct for conjunct in ALL}


def obligations(client: OrderedClient) -> Iterator[Obligation]:
    """Each action keeps the conjuncts; and so nothing is left behind."""

    def free(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        over = {"its shutdown is over": z3.And(v.yielded == 1, v.closed == 1), "it has arrived": v.unlocking == 0}
        return Statement(well(CONJUNCTS, PROMPT, v) | over, v.holder != ME)

    yield from kept(CONJUNCTS, PROMPT, never=client.never)
    yield rely()
    yield about("given-back", "Where all is well, the lock is not the consumer's when its shutdown is over.", free)
