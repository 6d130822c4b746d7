"""That the condition of time is exact: outside of it there is a run with two listeners, whatever the limits are."""

from collections.abc import Iterator
from types import SimpleNamespace

import z3

from rebalance_proofs.model.ordered.actions import OrderedEncoding
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.proofs.numerals import number
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.ordered.circumstances import IN_TIME, condition
from rebalance_proofs.proofs.ordered.exclusive import possible
from rebalance_proofs.proofs.ordered.schedule import Happens, Schedule
from rebalance_proofs.proofs.ordered.situation import situation
from rebalance_proofs.proofs.ordered.variables import limits_of

__all__ = ["example", "obligations"]

LIMITS = ("delay", "client", "broker", "listener", "unlock")
YES, NO = True, False


def _begins(who: int, client: OrderedClient) -> Schedule:
    """From nothing to the lock's stamp, and messages to consume."""
    heard: Schedule = (Happens(who, "locks", (("heard", YES),)), Happens(who, "adds", (("found", YES),)))
    if not client.rebalance.new_locked:
        # Such an entry waits for the first renewal.
        heard = (heard[0], heard[1], Happens(who, "renews", (("heard", YES),)), Happens(who, "renewed"))
    return (*heard, Happens(who, "pulls"))


def _starts(who: int) -> Schedule:
    return (Happens(who, "starts", (("more", NO),)),)


def _runs(client: OrderedClient) -> Iterator[tuple[str, str, Schedule]]:
    """For each part of the condition the run that is possible where it does not hold: name, in words, schedule."""
    runs_out = (*_begins(0, client), *_starts(0), *_begins(1, client), *_starts(1))
    yield "runs-out", "The lock runs out under the listener, and another takes it.", runs_out
    if client.forces:
        forced = (Happens(0, "revokes", (("in_set", NO),)), Happens(0, "returned", (("more", NO),)))
        given_back = (*_begins(0, client), *_starts(0), *forced, *_begins(1, client), *_starts(1))
        yield "forced", "The lock is given back under the listener, and another takes it.", given_back


def obligations(client: OrderedClient) -> Iterator[Obligation]:
    """One for each part of the condition: its run, with times that are terms of the limits."""
    for part, (name, sentence, schedule) in enumerate(_runs(client)):
        yield _outside(client, part, name, sentence, schedule)


def example(client: OrderedClient, limits: Limits) -> tuple[Schedule, tuple[int, ...]]:
    """The run, with its times in ms, of the first part of the condition that does not hold for these limits.

    Raises ``LookupError`` where all of it holds.
    """
    values = SimpleNamespace(**vars(limits.terms()))
    for part, (holds, (_, _, schedule)) in enumerate(
        zip(condition(client, limits).values(), _runs(client), strict=True)
    ):
        if not holds:
            return schedule, tuple(number(z3.simplify(time)) for time in _times(values, schedule, part))
    raise LookupError("the condition holds")


def _times(v: SimpleNamespace, schedule: Schedule, part: int) -> list[z3.ArithRef]:
    """The first consumer is slow to stamp, and begins as late as it trusts in the lock; the other is fast."""
    stamped = v.delay if part == 0 else z3.IntVal(0)
    started = stamped + v.client
    over = (v.broker if part == 0 else v.unlock) + 1
    ends = z3.If(started > over, started, over)
    stamps = "renewed" if any(happens.action == "renewed" for happens in schedule) else "adds"
    times, began, heard = [], False, False
    for happens in schedule:
        heard = heard or happens.action == stamps
        first = not began and happens.who == 0
        if first and happens.action == "starts":
            times.append(started)
            began = True
        elif first:
            times.append(stamped if heard else z3.IntVal(0))
        else:
            times.append(ends)
    return times


def _outside(client: OrderedClient, part: int, name: str, sentence: str, schedule: Schedule) -> Obligation:
    def state(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        limits = limits_of(v)
        label, holds = list(condition(client, limits).items())[part]
        found = situation(e, IN_TIME, limits, schedule, _times(v, schedule, part))
        given = possible(limits) | {f"not so: {label}": z3.Not(holds)}
        return Statement(given, z3.And(*found.constraints.values(), found.both))

    return Obligation(name, f"{sentence} That run is possible wherever the condition does not hold.", LIMITS, state)
