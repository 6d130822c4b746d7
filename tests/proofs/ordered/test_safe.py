"""Fixes for limits that are too long: the smallest change of one setting, compared with bisection."""

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers

from rebalance_proofs.model.machine.values import truth
from rebalance_proofs.model.machines.ordered.actions import V5_2
from rebalance_proofs.model.machines.ordered.assumptions import IN_TIME, condition
from rebalance_proofs.model.machines.ordered.state import DEFAULTS
from rebalance_proofs.model.ordered.versions import of_version
from rebalance_proofs.proofs.ordered.safe import LOWERED, SETTINGS, SHORTEST, _repairs

LARGE = 10**9
CLIENTS = [V5_2, of_version("4.9.8")]


def holds(client, limits):
    """Whether the condition holds."""
    return all(truth(part.holds(limits)) for part in condition(client, IN_TIME))


def suffices(client, limits, name):
    """The value of that setting that is nearest to what it is, and with which the condition holds; None without one."""
    good, bad = (SHORTEST if SETTINGS[name] == LOWERED else LARGE), getattr(limits, name)
    if (bad - good) * SETTINGS[name] > 0 or not holds(client, limits.but(**{name: good})):
        return None
    while abs(good - bad) > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if holds(client, limits.but(**{name: middle})) else (good, middle)
    return good


def alone(client, limits):
    """Setting -> its value, if a change of it alone suffices."""
    names = [name for name in SETTINGS if name not in client.rules.constants]
    return {name: value for name in names if (value := suffices(client, limits, name)) is not None}


def told(client, limits):
    """The same, as it is told."""
    return {change.setting: change.after for change, *more in _repairs(client, limits) if not more}


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
@settings(max_examples=30)
@given(client_ms=integers(1_000, 60_000), listener=integers(0, 90_000), broker=integers(20_000, 60_000))
def test_smallest_sufficient_change_of_each_setting_is_found(client, client_ms, listener, broker):
    limits = DEFAULTS.but(client=client_ms, listener=listener, broker=broker)
    if not holds(client, limits):
        assert told(client, limits) == alone(client, limits)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_limit_is_lowered_to_one_second_at_least(client):
    """With a broker limit for which one second is just short enough, and one millisecond less."""
    limits = DEFAULTS.but(listener=40_000, unlock=200_000)
    assert not holds(client, limits)
    spare = alone(client, limits)["client"] - SHORTEST
    at, beyond = (limits.but(broker=limits.broker - less) for less in (spare, spare + 1))
    assert told(client, at)["client"] == SHORTEST
    assert "client" not in told(client, beyond)
    assert told(client, beyond) == alone(client, beyond)
