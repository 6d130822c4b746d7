"""That the condition of time is exact: outside of it there is a run with two listeners, whatever the limits are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace

import z3

from rebalance_proofs.model.ordered.actions import OrderedEncoding
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import DEFAULTS, Limits
from rebalance_proofs.proofs.numerals import number
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.ordered.circumstances import IN_TIME
from rebalance_proofs.proofs.ordered.condition import condition
from rebalance_proofs.proofs.ordered.exclusive import possible
from rebalance_proofs.proofs.ordered.schedule import Happens, Schedule
from rebalance_proofs.proofs.ordered.situation import situation
from rebalance_proofs.proofs.ordered.variables import limits_of

__all__ = ["example", "obligations"]

LIMITS = tuple(vars(DEFAULTS))
Timed = tuple[tuple[Happens, z3.ArithRef], ...]
"""What happens, and when."""


@dataclass(frozen=True)
class _Way:
    """The run that is possible where one part of the condition does not hold."""

    name: str
    sentence: str
    timed: Timed

    @property
    def schedule(self) -> Schedule:
        return tuple(happens for happens, _ in self.timed)

    @property
    def times(self) -> tuple[z3.ArithRef, ...]:
        return tuple(z3.simplify(time) for _, time in self.timed)


def _begins(who: int, client: OrderedClient, granted: z3.ArithRef, stamped: z3.ArithRef) -> Timed:
    """From nothing to the lock's stamp, and messages to consume."""
    locks = Happens(who, "locks", (("heard", True),))
    adds = Happens(who, "adds", (("found", True),))
    pulls = Happens(who, "pulls")
    if client.rebalance.new_locked:
        return ((locks, granted), (adds, stamped), (pulls, stamped))
    # Such an entry waits for the first renewal.
    renews, renewed = Happens(who, "renews", (("heard", True),)), Happens(who, "renewed")
    return ((locks, granted), (adds, granted), (renews, granted), (renewed, stamped), (pulls, stamped))


def _ways(client: OrderedClient, limits: Limits) -> Iterator[_Way]:
    """One for each part of the condition.

    The first consumer begins as late as it trusts in the lock; where the lock is to run out it is slow to stamp it,
    too. The other one is fast.
    """
    zero = z3.IntVal(0)
    starts = [Happens(who, "starts", (("more", False),)) for who in (0, 1)]

    def ways(name: str, sentence: str, stamped: z3.ArithRef, over: z3.ArithRef, *between: Happens) -> _Way:
        started = stamped + limits.client
        ends = z3.If(started > over, started, over)
        first = (*_begins(0, client, zero, stamped), (starts[0], started))
        other = (*_begins(1, client, ends, ends), (starts[1], ends))
        return _Way(name, sentence, (*first, *((happens, ends) for happens in between), *other))

    runs_out = "The lock runs out under the listener, and another takes it."
    yield ways("runs-out", runs_out, limits.delay, limits.broker + 1)
    if client.forces:
        taken = Happens(0, "revokes", (("in_set", False),)), Happens(0, "returned", (("more", False),))
        given_back = "The lock is given back under the listener, and another takes it."
        yield ways("forced", given_back, zero, limits.unlock + 1, *taken)


def obligations(client: OrderedClient) -> Iterator[Obligation]:
    """One for each part of the condition: its run, with times that are terms of the limits."""
    for place, way in enumerate(_ways(client, DEFAULTS.terms())):
        sentence = f"{way.sentence} That run is possible wherever the condition does not hold."
        yield Obligation(way.name, sentence, LIMITS, _outside(client, place))


def example(client: OrderedClient, limits: Limits) -> tuple[Schedule, tuple[int, ...]]:
    """The run, with its times in ms, of the first part of the condition that does not hold for these limits.

    Raises ``LookupError`` where all of it holds.
    """
    for part, way in zip(condition(client), _ways(client, limits.terms()), strict=True):
        if not part.holds(limits):
            return way.schedule, tuple(map(number, way.times))
    raise LookupError("the condition holds")


def _outside(client: OrderedClient, place: int) -> Callable[[OrderedEncoding, SimpleNamespace], Statement]:
    part = condition(client)[place]

    def state(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        limits = limits_of(v)
        way = tuple(_ways(client, limits))[place]
        found = situation(e, IN_TIME, limits, way.schedule, [time for _, time in way.timed])
        given = possible(limits) | {f"not so: {part.sentence}": z3.Not(part.holds(limits))}
        return Statement(given, z3.And(*found.constraints.values(), found.both))

    return state
