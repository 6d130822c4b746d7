"""Lemma that a rebalance may be modelled as two steps, split at its lock request."""

from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.client.environment import DENIED, OK
from rebalance_proofs.model.client.process_queue import FREE, HELD
from rebalance_proofs.model.machine.record import names
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.rebalance import asked
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.numbers import UNANSWERED
from rebalance_proofs.model.transition.step import NOTHING_THROWN, Entry
from rebalance_proofs.proofs.obligation import Obligation, Statement, truth_values

FLAGS = ("present", "dropped", "locked", "held", "cached", "in_set", "found")
ENTRY = ("present", "dropped", "locked", "lock_age", "cached")
NAMES = (*FLAGS, "pull_age", "lock_age", *names(Limits))


def _halves(e: Any, v: SimpleNamespace) -> Statement:
    zero = smt.IntVal(0)
    entry = Entry(
        present=v.present == 1,
        dropped=v.dropped == 1,
        locked=v.locked == 1,
        pull_age=v.pull_age,
        lock_age=v.lock_age,
        consume_lock=smt.If(v.held == 1, HELD, FREE),
        cached=v.cached == 1,
        tries=zero,
        memory=zero,
    )
    in_set, stored = v.in_set == 1, smt.If(v.found == 1, 0, UNANSWERED)
    whole = e.step(entry, asked(in_set, OK, stored, v.unlock), NOTHING_THROWN).after
    first = e.step(entry, asked(in_set, DENIED, stored, v.unlock), NOTHING_THROWN).after
    second = e.step(first, asked(in_set, OK, stored, v.unlock), NOTHING_THROWN).after
    both = {name: smt.If(first.present, getattr(first, name), getattr(second, name)) for name in ENTRY}
    same = [getattr(whole, name) == both[name] for name in ENTRY if name != "present"]
    present = whole.present == both["present"]
    ages = smt.And(v.pull_age >= 0, v.lock_age >= 0, v.unlock >= 0)
    given = truth_values(v, *FLAGS) | {"no time is negative": ages}
    return Statement(given, smt.And(present, smt.Implies(whole.present, smt.And(same))))


HALVES = Obligation(
    "halves",
    "A rebalance with a granted lock leaves the process queue that one with a denied lock leaves, or if that leaves "
    "none, the one that a further granted rebalance adds.",
    NAMES,
    _halves,
    goals=lambda v, bound: (
        (f"{name} beyond the bound", getattr(v, name) >= bound) for name in ("pull_age", "lock_age", "unlock")
    ),
)
