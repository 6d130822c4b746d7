"""That no shorter times can be promised: runs that take so long, whatever the limits are."""

from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import z3

from rebalance_proofs.model.registry.actions import RegistryEncoding
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import Said, State
from rebalance_proofs.model.terms.truth import NO, YES
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.registry.inductive import about
from rebalance_proofs.proofs.registry.membership import LEFT, POLLED, Membership
from rebalance_proofs.proofs.registry.schedule import happens
from rebalance_proofs.proofs.registry.situation import situation
from rebalance_proofs.proofs.registry.variables import flags, limits_of, state_of

__all__ = ["of_hosts", "of_routes"]

NOTHING = Said(more=YES, keeps=NO, first=NO, off=NO, later=NO)


def _lost(state: State, limits: Limits) -> z3.BoolRef:
    """A scan was done just now; a host has vanished when its last heartbeat had come, and is listed: it is early."""
    me = state.me
    busy = z3.Or(me.alive, me.leaving, me.finding, me.copying)
    return z3.And(
        me.mine,
        z3.Not(busy),
        me.change == me.at,
        me.at <= me.scanned,
        me.scanned <= me.at + limits.expired,
        me.scanned == state.now,
    )


def _limits(v: SimpleNamespace) -> dict[str, z3.BoolRef]:
    more = {"there is some time between two scans": v.scan >= 1}
    return LEFT.limited(limits_of(v)) | more


def _begins(e: RegistryEncoding, v: SimpleNamespace) -> Statement:
    limits, zero = limits_of(v), z3.IntVal(0)
    told = {"off": False, "later": False}
    schedule = (
        happens("starts"),
        happens("finds"),
        happens("puts", **told),
        happens("vanishes"),
    )
    found = situation(e, LEFT, limits, schedule, (zero,) * len(schedule))
    return Statement(_limits(v), z3.And(*found.constraints.values(), _lost(found.state, limits)))


def _goes_on(e: RegistryEncoding, v: SimpleNamespace) -> Statement:
    """One scan later, or when it is late enough."""
    limits, before = limits_of(v), state_of(v)
    last = before.me.at + limits.expired
    until = z3.If(before.now + limits.scan < last, before.now + limits.scan, last)
    later = replace(before, now=until)
    turn = e.scans(later, NOTHING, limits)
    can = z3.And(LEFT.waits(before, until, limits), turn.can, LEFT.allows("scans", later, NOTHING, limits))
    moves = z3.And(turn.after.me.scanned == until, until > before.now)
    given = flags(v) | _limits(v) | {"a host has vanished": _lost(before, limits), "it is too early": before.now < last}
    return Statement(given, z3.And(can, _lost(turn.after, limits), moves))


def _ends(e: RegistryEncoding, v: SimpleNamespace) -> Statement:
    limits, before = limits_of(v), state_of(v)
    until = before.me.change + limits.expired + limits.scan
    now = {"the last scan came just when the time was not over": before.now == before.me.at + limits.expired}
    given = flags(v) | _limits(v) | {"a host has vanished": _lost(before, limits)} | now
    return Statement(given, LEFT.waits(before, until, limits))


@cache
def of_hosts(world: Membership) -> tuple[Obligation, ...]:
    """It begins so; each scan but the last one comes as late as it may; and then there is that time again."""
    return (
        about("host-vanishes", "A host vanishes just when its first heartbeat was registered.", _begins),
        about(
            "scan-too-early", "Each scan, as late as it may be, leaves it, until the time is just not over.", _goes_on
        ),
        about("scan-at-last", "From then on the next scan may be as far away as two scans are.", _ends),
    )


@cache
def of_routes(world: Membership) -> tuple[Obligation, ...]:
    """One run."""

    def state(e: RegistryEncoding, v: SimpleNamespace) -> Statement:
        limits, zero = limits_of(v), z3.IntVal(0)
        found = situation(e, POLLED, limits, (happens("polls"), happens("moves")), (zero, zero))
        waits = POLLED.waits(found.state, limits.poll, limits)
        return Statement(
            POLLED.limited(limits), z3.And(*found.constraints.values(), waits, z3.Not(found.state.me.seen))
        )

    return (about("polled-just-before", "The route changes just when an answer about it has come.", state),)
