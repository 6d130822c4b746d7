"""Settings for the state machine of pull requests: bad states, example limits, bounds."""

from collections.abc import Mapping

from rebalance_proofs.model.machine.conjunct import Predicate
from rebalance_proofs.model.machine.values import And, Bool, Or
from rebalance_proofs.model.pulls.limits import DEFAULTS, Limits
from rebalance_proofs.model.pulls.machine import PULLS
from rebalance_proofs.model.pulls.state import Pulls, live
from rebalance_proofs.proofs.machine.configuration import Configuration

__all__ = ["BAD", "CONFIGURATION", "Bad"]

Bad = Predicate[Pulls, Limits]


def _several(s: Pulls, lim: Limits) -> Bool:
    return And(s.present, s.waiting + s.pulling + s.asking > 1)


def _without(s: Pulls, lim: Limits) -> Bool:
    return And(live(s), Or(s.ended, s.waiting + s.pulling + s.asking == 0))


def _not_healed(s: Pulls, lim: Limits) -> Bool:
    return Or(s.hasty, And(live(s), Or(s.kept > lim.limit, And(s.ended, s.waiting > 0))))


def _late(s: Pulls, lim: Limits) -> Bool:
    return s.late


def _hit(s: Pulls, lim: Limits) -> Bool:
    return s.hit


def _wrote(s: Pulls, lim: Limits) -> Bool:
    return s.wrote


def _cut(s: Pulls, lim: Limits) -> Bool:
    return s.cut


def _begun(s: Pulls, lim: Limits) -> Bool:
    return s.begun


def _stale(s: Pulls, lim: Limits) -> Bool:
    return s.stale


BAD: Mapping[str, Bad] = {
    "one-request": _several,
    "has-request": _without,
    "healed": _not_healed,
    "dies": _late,
    "hits-own-entry": _hit,
    "repairs-while-held": _wrote,
    "only-lost": _cut,
    "rests": _begun,
    "lets-go": _stale,
}
"""Name of a guarantee -> the bad states that it rules out."""

CONFIGURATION = Configuration(
    PULLS,
    lambda claim: BAD[claim.guarantee.name],
    DEFAULTS,
    ticks=Limits(limit=1),
    limit=10,
    gives_up=True,
    numbers=lambda limits: {"span": limits.limit + 1},
)
"""The settings for proofs and explorations of this machine.

When time passes in an exploration, it is one ms more than the limit.
"""
