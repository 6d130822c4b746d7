"""Limits of time for examples: in ms for counterexamples, and in ticks for explorations."""

from dataclasses import replace

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import DEFAULTS, Limits
from rebalance_proofs.proofs.ordered.circumstances import RENEWED_AS_SHIPPED, TIME, Circumstances, needed
from rebalance_proofs.proofs.ordered.waiting import least

__all__ = ["TICKS", "example", "in_ticks"]


def example(client: OrderedClient, world: Circumstances) -> Limits:
    """Limits in ms for a counterexample: what client and broker ship with, unless that does not fit the world."""
    if world.name == RENEWED_AS_SHIPPED.name or world.prompt:
        return DEFAULTS
    if world.alike:
        return _waited(client, replace(DEFAULTS, listener=_until_pulled(client, DEFAULTS)))
    if world.keeps(TIME):
        fits = replace(DEFAULTS, unlock=DEFAULTS.client + DEFAULTS.listener) if client.forces else DEFAULTS
        return fits if needed(client, world.name) else _waited(client, fits)
    if client.forces:
        return DEFAULTS
    return replace(DEFAULTS, listener=DEFAULTS.broker - DEFAULTS.client)


def _waited(client: OrderedClient, limits: Limits) -> Limits:
    """The limits, with a shutdown that waits for long enough."""
    return replace(limits, wait=least(client.rules, limits) or 0)


def _until_pulled(client: OrderedClient, limits: Limits) -> int:
    """The longest listener that meets the condition, if renewals are in time and everybody puts first pulls off."""
    trusted = min(number(limits.client), number(limits.renewal))
    within = limits.unlock if client.forces else limits.broker - limits.delay
    return number(within + limits.first_pull) - trusted


TICKS = Limits(delay=0, client=3, broker=6, listener=0, unlock=2, renewal=2, late=0, first_pull=0, wait=0, loop=6)
"""Limits as shipped, in ticks of ten seconds. Answers arrive, first pulls are sent, and listeners return in the tick in
which they began."""
SEARCHED = replace(TICKS, listener=1, first_pull=1, loop=0)
"""Limits in ticks for searches: a first pull that is put off takes a tick, and a listener one. A tick is no fixed time
then: it orders what happens."""


def in_ticks(client: OrderedClient, world: Circumstances) -> Limits:
    """Limits in ticks for a counterexample."""
    if world.name == RENEWED_AS_SHIPPED.name:
        return replace(SEARCHED, listener=2)
    if world.prompt:
        return SEARCHED
    if world.alike:
        return _waited(client, replace(SEARCHED, listener=_until_pulled(client, SEARCHED)))
    if world.keeps(TIME):
        fits = replace(SEARCHED, unlock=SEARCHED.client + SEARCHED.listener) if client.forces else SEARCHED
        return fits if needed(client, world.name) else _waited(client, fits)
    if client.forces:
        return SEARCHED
    return replace(SEARCHED, listener=SEARCHED.broker - SEARCHED.client + 1 + client.pulls_later)
