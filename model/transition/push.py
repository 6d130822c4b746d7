"""Inputs of a rebalance of one queue of a push consumer, as SMT terms."""

from dataclasses import replace
from typing import Any

from rebalance_proofs.model.client.environment import OK
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import PUSH
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.truth import NO, YES
from rebalance_proofs.model.transition.numbers import KINDS, LOCKS, PERSISTS, WHERES
from rebalance_proofs.model.transition.step import Asked


def push(in_set: smt.BoolTerm, stored: smt.IntTerm, **others: Any) -> Asked:
    """Return inputs where nothing fails, with a concurrent listener and the default store.

    ``in_set``: whether the consumer owns the queue. ``stored``: answer to its offset query. ``others`` replaces any
    of the inputs.
    """
    usual = Asked(
        mine=YES,
        static=NO,
        in_set=in_set,
        lock=smt.IntVal(LOCKS.index(OK)),
        stored=stored,
        queried=smt.IntVal(0),
        persist=smt.IntVal(PERSISTS.index(OK)),
        kind=smt.IntVal(KINDS.index(PUSH)),
        order=NO,
        orderly=NO,
        broadcasting=NO,
        own_store=NO,
        where=smt.IntVal(WHERES.index(ConsumeFromWhere.LAST_OFFSET)),
        retry=NO,
    )
    return replace(usual, **others)
