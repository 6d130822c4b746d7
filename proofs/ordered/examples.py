"""Time limits for examples: in ms for counterexamples, and in ticks for explorations."""

from dataclasses import replace

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import DEFAULTS, Limits
from rebalance_proofs.proofs.ordered.circumstances import RENEWED_AS_SHIPPED, TIME, Circumstances, needed
from rebalance_proofs.proofs.ordered.waiting import least


def example(client: OrderedClient, world: Circumstances) -> Limits:
    """Return limits in ms for a counterexample: the defaults, unless ``world`` excludes them."""
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
    """Return the limits with a shutdown that waits long enough for its listener."""
    return replace(limits, wait=least(client.rules, limits) or 0)


def _until_pulled(client: OrderedClient, limits: Limits) -> int:
    """Return the longest time of a listener call, in ms, that meets the time condition.

    Renewals are in time, and all consumers delay first pulls.
    """
    trusted = min(number(limits.client), number(limits.renewal))
    within = limits.unlock if client.forces else limits.broker - limits.delay
    return number(within + limits.first_pull) - trusted


TICKS = Limits(delay=0, client=3, broker=6, listener=0, unlock=2, renewal=2, late=0, first_pull=0, wait=0, loop=6)
"""Default limits, in ticks of ten seconds.

Answers, first pulls and listeners end in the tick of their start.
"""
SEARCHED = replace(TICKS, listener=1, first_pull=1, loop=0)
"""Limits in ticks for searches: a delayed first pull takes a tick, and so does a listener.

A tick only orders events, and has no fixed length.
"""


def in_ticks(client: OrderedClient, world: Circumstances) -> Limits:
    """Return limits in ticks for a counterexample."""
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
