"""Strategies as a client ships them, for rows that do not say who ships what."""

from typing import Any

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import Profile


def shipped(profile: Profile, rocketmq_name: str) -> Strategy:
    """The strategy of that name, of a client that ships one."""
    strategy = profile.strategy(rocketmq_name)
    if strategy is None:
        raise LookupError(f"{profile.name} ships no {rocketmq_name}")
    return strategy


def configured(profile: Profile, rocketmq_name: str, **arguments: Any) -> Strategy:
    """The same, constructed with these arguments."""
    return profile.configured(shipped(profile, rocketmq_name), **arguments)
