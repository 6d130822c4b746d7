"""Possible failures in a scenario of a claim about rebalances, in words, from its limits."""

from collections.abc import Callable, Mapping

from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.model.transition.numbers import FAILED, LOCKS, PERSISTS, THROWN, UNANSWERED
from rebalance_proofs.proofs.transition.scenario import Action, Scenario

NOTHING = "nothing"


def failing(scenario: Scenario) -> str:
    """Return the possible failures, in any rebalance and of any queue: ``locks, unlocks``.

    The result is ``nothing`` if no failure is possible. A lock is denied, or the call fails; an unlock is lost; a
    broker's address is unknown; a query is answered with an error, or not at all; an offset cannot be sent or
    written. Only a user-defined store can throw an unexpected exception.
    """
    able = [words for words, fails in KINDS_OF_FAILURE.items() if any(fails(scenario, mode) for mode in scenario.modes)]
    said = [words for words in able if words in MET[scenario.action]]
    return ", ".join(said) or NOTHING


def _open(scenario: Scenario, name: str, value: int, mode: Mode) -> bool:
    """Return whether the scenario's limits allow that value of the variable in some rebalance."""
    limits = [limit for limit in scenario.limits if limit.name == name]
    rounds = range(scenario.rounds)
    return any(all(limit.admits(value, mode) for limit in limits if limit.round in (None, round_)) for round_ in rounds)


def _lock(scenario: Scenario, word: str, mode: Mode) -> bool:
    asks = mode.order or (mode.orderly and not mode.broadcasting)
    return bool(asks) and _open(scenario, "lock", LOCKS.index(word), mode)


def _can_throw(scenario: Scenario, mode: Mode) -> bool:
    throws = (("persist", PERSISTS.index("throw")), ("stored", THROWN), ("queried", THROWN))
    return bool(mode.own_store) and any(_open(scenario, name, value, mode) for name, value in throws)


def _stores(scenario: Scenario, mode: Mode, *, broadcasting: bool) -> bool:
    own = mode.own_store or bool(mode.broadcasting) is not broadcasting
    return not own and _open(scenario, "persist", PERSISTS.index("throw"), mode)


KINDS_OF_FAILURE: Mapping[str, Callable[[Scenario, Mode], bool]] = {
    "locks": lambda scenario, mode: _lock(scenario, "denied", mode) or _lock(scenario, "exc", mode),
    "unlocks": lambda scenario, mode: _lock(scenario, "unlockexc", mode),
    "broker addresses": lambda scenario, mode: _lock(scenario, "nobroker", mode),
    "offset queries": lambda scenario, mode: (
        _open(scenario, "stored", UNANSWERED, mode) or _open(scenario, "queried", FAILED, mode)
    ),
    "sending offsets": lambda scenario, mode: _stores(scenario, mode, broadcasting=False),
    "writing offsets": lambda scenario, mode: _stores(scenario, mode, broadcasting=True),
    "the user's store": _can_throw,
}
"""Failure in words -> function of scenario and mode of use: whether it is possible."""
MET = {Action.REBALANCES: tuple(KINDS_OF_FAILURE), Action.RENEWS: ("locks",), Action.UNSUBSCRIBES: ()}
"""Action of a client -> the failures that are possible during it.

A renewal of locks only requests locks, and unsubscribing sends no request to a broker.
"""
