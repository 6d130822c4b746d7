"""A round's inputs for a queue of a push consumer, as terms: nothing fails by default."""

from dataclasses import replace
from typing import Any

import z3

from rebalance_proofs.model.client.environment import OK
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import PUSH
from rebalance_proofs.model.terms.truth import NO, YES
from rebalance_proofs.model.transition.numbers import KINDS, LOCKS, PERSISTS, WHERES
from rebalance_proofs.model.transition.step import Asked

__all__ = ["push"]


def push(in_set: z3.BoolRef, stored: z3.ArithRef, **others: Any) -> Asked:
    """The inputs with a concurrent listener and the shipped offset store; ``others`` replaces any of them."""
    usual = Asked(
        mine=YES,
        static=NO,
        in_set=in_set,
        lock=z3.IntVal(LOCKS.index(OK)),
        stored=stored,
        queried=z3.IntVal(0),
        persist=z3.IntVal(PERSISTS.index(OK)),
        kind=z3.IntVal(KINDS.index(PUSH)),
        order=NO,
        orderly=NO,
        broadcasting=NO,
        own_store=NO,
        where=z3.IntVal(WHERES.index(ConsumeFromWhere.LAST_OFFSET)),
        retry=NO,
    )
    return replace(usual, **others)
