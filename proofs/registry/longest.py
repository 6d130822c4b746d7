"""Proofs that the time limits of the registry are sharp: runs that take that long.

The runs exist for all limits.
"""

from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.happens import Happens
from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.values import And, Bool, If, Not, Or, term
from rebalance_proofs.model.registry.clients import ALL
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import Member
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.machine.configuration import OBSERVES
from rebalance_proofs.proofs.machine.induction import about
from rebalance_proofs.proofs.machine.unrolling import unrolled
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.registry.bounds import BOUNDS, POLL
from rebalance_proofs.proofs.registry.configuration import CONFIGURATION
from rebalance_proofs.proofs.registry.membership import LEFT, POLLED, Membership

Terms = dict[str, smt.BoolTerm]
happens = CONFIGURATION.happens
SCANS = happens("scans", True, False, False, False)
"""The choices of a scan that removes no other channel, with no earlier close event."""


def _lost(s: Member, lim: Limits) -> Bool:
    """Return the condition that a host vanished after its last heartbeat, but is still listed.

    A scan has just come, too early to remove it.
    """
    busy = Or(s.alive, s.leaving, s.finding, s.copying)
    early = And(s.at <= s.scanned, s.scanned <= s.at + lim.expired)
    return And(s.mine, Not(busy), s.change == s.at, early, s.scanned == s.now)


def _asked(lim: Limits) -> Terms:
    more = {"the time between two scans is positive": lim.scan >= 1}
    return {words: term(so) for words, so in (LEFT.given(lim) | more).items()}


def _vanished(s: Member, lim: Limits, v: SimpleNamespace) -> Terms:
    return CONFIGURATION.truths(v) | _asked(lim) | {"a host has vanished": term(_lost(s, lim))}


def _ran(encoding: Any, world: Membership, lim: Limits, schedule: Sequence[tuple[Happens, Any]]) -> tuple[Bool, Member]:
    actions, times = zip(*schedule, strict=True)
    found = unrolled(CONFIGURATION, ALL, encoding, world, lim, actions, times)
    return And(*found.constraints.values()), found.state


def _begins(encoding: Any, v: SimpleNamespace) -> Statement:
    _, _, lim = CONFIGURATION.given(v)
    begin = (happens("starts"), happens("finds"), happens("puts", False, False), happens("vanishes"))
    possible, end = _ran(encoding, LEFT, lim, [(one, 0) for one in begin])
    return Statement(_asked(lim), term(And(possible, _lost(end, lim))))


def _goes_on(encoding: Any, v: SimpleNamespace) -> Statement:
    """State that the situation is the same after another late scan, before the host expires."""
    s, _, lim = CONFIGURATION.given(v)
    last = s.at + lim.expired
    until = If(s.now + lim.scan < last, s.now + lim.scan, last)
    given = s.at_time(until), CONFIGURATION.chosen(SCANS, lim).terms(), lim
    turn = act_of(encoding, SCANS.action)(*given)
    can = And(LEFT.waits(s, until, lim), turn.guard, LEFT.permits(SCANS.action, *given))
    then = And(can, _lost(turn.after, lim), turn.after.scanned == until, until > s.now)
    return Statement(_vanished(s, lim, v) | {"the host has not expired": term(s.now < last)}, term(then))


def _ends(encoding: Any, v: SimpleNamespace) -> Statement:
    s, _, lim = CONFIGURATION.given(v)
    over = {"the last scan came at the end of the expiry time": term(s.now == s.at + lim.expired)}
    return Statement(_vanished(s, lim, v) | over, term(LEFT.waits(s, BOUNDS["gone"].last(s, lim), lim)))


@cache
def of_hosts(world: Membership) -> tuple[Obligation, ...]:
    """Return the obligations that a vanished host can stay listed for the whole limit.

    They cover the start of the run, each early scan, and the wait for the last scan.
    """
    early = "Each scan, as late as possible but before the expiry, leaves the host in the list."
    return (
        about(
            CONFIGURATION, "host-vanishes", "A host vanishes just after its first heartbeat was registered.", _begins
        ),
        about(CONFIGURATION, "scan-too-early", early, _goes_on),
        about(
            CONFIGURATION,
            "scan-at-last",
            "After a scan just before the expiry, the next scan comes up to maxScanGap later.",
            _ends,
        ),
    )


@cache
def of_routes(world: Membership) -> tuple[Obligation, ...]:
    """Return the obligation that a route can stay outdated for the whole limit."""

    def state(encoding: Any, v: SimpleNamespace) -> Statement:
        _, _, lim = CONFIGURATION.given(v)
        run = (happens("polls"), 0), (happens("moves"), 0), (happens(OBSERVES), POLL.of(lim))
        possible, end = _ran(encoding, POLLED, lim, run)
        given = {words: term(so) for words, so in POLLED.given(lim).items()}
        return Statement(given, term(And(possible, Not(end.seen))))

    sentence = "The route changes just after an answer with the old route has come."
    return (about(CONFIGURATION, "polled-just-before", sentence, state),)
