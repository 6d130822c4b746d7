"""Limits of time for examples: in ms of a counterexample, and in ticks of an exploration."""

from dataclasses import replace

from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import DEFAULTS, Limits
from rebalance_proofs.proofs.ordered.circumstances import RENEWED_AS_SHIPPED, TIME, Circumstances

__all__ = ["TICKS", "example", "in_ticks"]


def example(client: OrderedClient, world: Circumstances) -> Limits:
    """Limits in ms for a counterexample: what client and broker ship with, as far as they do for it."""
    if world is RENEWED_AS_SHIPPED:
        return replace(DEFAULTS, listener=300)
    if world.keeps(TIME):
        return replace(DEFAULTS, unlock=DEFAULTS.client + DEFAULTS.listener) if client.forces else DEFAULTS
    if client.forces:
        return DEFAULTS
    return replace(DEFAULTS, listener=DEFAULTS.broker - DEFAULTS.client)


TICKS = Limits(delay=0, client=3, broker=6, listener=0, unlock=2, renewal=2, late=0)
"""As shipped, in ticks of ten seconds: answers arrive, and listeners return, in the tick in which they began."""


def in_ticks(client: OrderedClient, world: Circumstances) -> Limits:
    """Those of a counterexample."""
    if world is RENEWED_AS_SHIPPED:
        return replace(TICKS, listener=1)
    if world.keeps(TIME):
        return replace(TICKS, unlock=TICKS.client) if client.forces else TICKS
    return TICKS if client.forces else replace(TICKS, listener=4)
