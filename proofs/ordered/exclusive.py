"""Proof that the broker's lock is a consumer's own while its listener runs: action by action, for any number of
others."""

from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.copies import ME
from rebalance_proofs.model.machine.values import And, Bool, Not, term
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Ordered
from rebalance_proofs.proofs.machine.induction import about
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.ordered.circumstances import IN_TIME, Circumstances
from rebalance_proofs.proofs.ordered.condition import asked
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION, Proof, made, proof, runs
from rebalance_proofs.proofs.ordered.invariant import invariant
from rebalance_proofs.proofs.ordered.two import OTHERS, OTHERS_FLAGS, one, other
from rebalance_proofs.proofs.records import truths

__all__ = ["made", "obligations", "proved"]


def obligations(client: OrderedClient, world: Circumstances) -> Iterator[Obligation]:
    """All obligations: initiation, one for each action, for time and for what others do, and the conclusion.

    Worlds share the obligations that are touched by no premise in which the worlds differ.
    """
    own = {one.name: one for one in _made(client, world)}
    for shared in _made(client, IN_TIME):
        yield own[shared.name] if world.touches(shared.name) else shared


def _foreign(s: Ordered, limits: Limits) -> Bool:
    """Whether the listener runs, and the lock is not the consumer's."""
    return And(s.runs, s.holder != ME)


def proved(client: OrderedClient, world: Circumstances) -> Proof:
    """The proof in one world."""
    conclusion = "own-lock", "the lock is the consumer's while its listener runs"
    conjuncts = invariant(client, world)
    return proof(client, world, conjuncts, _foreign, conclusion, lambda limits: asked(client, world, limits))


def _one_runs(encoding: Any, v: SimpleNamespace) -> Statement:
    limits, own = CONFIGURATION.given(v)[2], "the lock is the consumer's while its listener runs"
    given = {
        f"{whose}: {own}": term(Not(_foreign(s, limits))) for whose, s in {"one": one(v), "other": other(v)}.items()
    }
    both = And(runs(one(v), limits), runs(other(v), limits))
    return Statement(CONFIGURATION.truths(v) | truths(v, OTHERS_FLAGS) | given, term(Not(both)))


ONE_RUNS = about(CONFIGURATION, "one-runs", "So the listener of only one of two consumers runs.", _one_runs, *OTHERS)
"""What the claim says of two consumers follows from what is proved of each: the lock is one's at most."""


@cache
def _made(client: OrderedClient, world: Circumstances) -> tuple[Obligation, ...]:
    return (*made(proved(client, world), client), ONE_RUNS)
