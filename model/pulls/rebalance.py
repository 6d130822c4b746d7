"""One rebalance of one queue of a push consumer, as far as it concerns pull requests.

It is computed from the SMT encoding in ``model.transition``, for truth values as well as for terms.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from rebalance_proofs.model.client.effects import DROP, PULL_REQUEST
from rebalance_proofs.model.client.process_queue_table import FREE
from rebalance_proofs.model.machine.values import Bool, term, truth
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import NO, simplify
from rebalance_proofs.model.transition.numbers import NO_OFFSET, UNANSWERED
from rebalance_proofs.model.transition.step import (
    NOTHING_THROWN,
    PULL_IDLE_LIMIT,
    Asked,
    Entry,
    Step,
    Thrown,
    happens,
    push,
)

Transition = Callable[[Entry, Asked, Thrown], Step]
"""SMT encoding of a client's rebalance of one queue, as in claims ``transition.*``."""


@dataclass(frozen=True)
class Rebalanced:
    """The result of a rebalance of one queue."""

    present: Bool
    """Whether the queue has a process queue afterwards."""
    dropped: Bool
    """Whether that process queue is dropped."""
    marked: Bool
    """Whether the rebalance has dropped the process queue that existed before."""
    asked: Bool
    """Whether the rebalance has made a pull request for a new process queue."""


def rebalanced(
    transition: Transition, present: Bool, dropped: Bool, overdue: Bool, in_set: Bool, silent: Bool
) -> Rebalanced:
    """Return the result of a rebalance of a queue whose listener does not run.

    ``overdue``: its last pull is longer ago than ``pullMaxIdleTime``. ``silent``: the query for the start offset of a
    new process queue is not answered.
    """
    given = present, dropped, overdue, in_set, silent
    if any(map(smt.is_expr, given)):
        return _of_terms(transition, *map(term, given))
    return _of_values(transition, *map(truth, given))


def _of_terms(
    transition: Transition,
    present: smt.BoolTerm,
    dropped: smt.BoolTerm,
    overdue: smt.BoolTerm,
    in_set: smt.BoolTerm,
    silent: smt.BoolTerm,
) -> Rebalanced:
    zero = smt.IntVal(0)
    entry = Entry(
        present=present,
        dropped=dropped,
        locked=NO,
        pull_age=smt.If(overdue, PULL_IDLE_LIMIT + 1, zero),
        lock_age=zero,
        consume_lock=smt.IntVal(FREE),
        cached=NO,
        tries=zero,
        memory=smt.IntVal(NO_OFFSET),
    )
    done = transition(entry, push(in_set, smt.If(silent, smt.IntVal(UNANSWERED), zero)), NOTHING_THROWN)
    return Rebalanced(
        done.after.present, done.after.dropped, happens(done.removal, DROP), happens(done.addition, PULL_REQUEST)
    )


@cache
def _of_values(transition: Transition, *given: bool) -> Rebalanced:
    done = _of_terms(transition, *map(term, given))
    return Rebalanced(*(smt.is_true(simplify(term(value))) for value in vars(done).values()))
