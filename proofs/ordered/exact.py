"""That the condition of time is exact: outside of it there is a run with two listeners, whatever the limits are."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace

import z3

from rebalance_proofs.model.ordered.actions import OrderedEncoding
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import DEFAULTS, Limits
from rebalance_proofs.proofs.numerals import number
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.ordered.circumstances import IN_TIME, Circumstances
from rebalance_proofs.proofs.ordered.condition import condition
from rebalance_proofs.proofs.ordered.inductive import possible
from rebalance_proofs.proofs.ordered.schedule import Happens, Schedule
from rebalance_proofs.proofs.ordered.situation import situation
from rebalance_proofs.proofs.ordered.variables import limits_of

__all__ = ["begins", "example", "obligations"]

LIMITS = tuple(vars(DEFAULTS))
Timed = tuple[tuple[Happens, z3.ArithRef], ...]
"""What happens, and when."""
Example = tuple[Schedule, tuple[int, ...]]
"""With times in ms."""


@dataclass(frozen=True)
class _Outside:
    """Where one part of the condition does not hold."""

    name: str
    sentence: str
    runs: tuple[Timed, ...]
    """One of them is possible."""


def begins(who: int, client: OrderedClient, world: Circumstances, granted: z3.ArithRef, stamped: z3.ArithRef) -> Timed:
    """From nothing to the lock's stamp, and messages to consume."""
    locks = Happens(who, "locks", (("heard", True),))
    adds = Happens(who, "adds", (("found", True),))
    pulls = Happens(who, "pulls")
    if client.rebalance.new_locked:
        return ((locks, granted), (adds, stamped), (pulls, stamped))
    # Such an entry waits for the first renewal.
    renews, renewed = Happens(who, "renews", (("heard", True),)), Happens(who, "renewed")
    if world.renewed:
        # The delay may be longer than the limit for renewals: then that one was asked for by an earlier entry.
        return ((locks, granted), (renews, granted), (adds, stamped), (renewed, stamped), (pulls, stamped))
    return ((locks, granted), (adds, granted), (renews, granted), (renewed, stamped), (pulls, stamped))


def _outside(client: OrderedClient, world: Circumstances, limits: Limits) -> Iterator[_Outside]:
    """Of each part of the condition.

    The first consumer begins as late as it trusts in the lock; where the lock is to run out it is slow to stamp it,
    too. The other one is fast. Where renewals are in time, a rebalance takes the queue when the listener has begun: no
    renewal is due then, but for a client that renews marked entries.
    """
    zero, trusted = z3.IntVal(0), world.trusted(limits).client
    starts = [Happens(who, "starts", (("more", False),)) for who in (0, 1)]
    takes = Happens(0, "revokes", (("in_set", False),))
    marks = (takes,) if world.renewed and not client.renews_under_listener else ()

    def run(
        stamped: z3.ArithRef,
        started: z3.ArithRef,
        over: z3.ArithRef,
        marks: Sequence[Happens] = (),
        taken: Sequence[Happens] = (),
    ) -> Timed:
        ends = z3.If(started > over, started, over)
        first = (
            *begins(0, client, world, zero, stamped),
            (starts[0], started),
            *((happens, started) for happens in marks),
        )
        other = (*begins(1, client, world, ends, ends), (starts[1], ends))
        return (*first, *((happens, ends) for happens in taken), *other)

    slow = run(limits.delay, limits.delay + trusted, limits.broker + 1, marks)
    yield _Outside("runs-out", "The lock runs out under the listener, and another takes it.", (slow,))
    if client.forces:
        over, taken = limits.unlock + 1, (takes, Happens(0, "returned", (("more", False),)))
        late = run(zero, trusted, over, marks, taken)
        # A mark so late would give the lock back itself.
        at_once = run(zero, over, over, (), taken)
        given_back = "The lock is given back under the listener, and another takes it."
        yield _Outside("forced", given_back, (late, at_once) if world.renewed else (late,))


def obligations(client: OrderedClient, world: Circumstances) -> Iterator[Obligation]:
    """One for each part of the condition: its runs, with times that are terms of the limits."""
    for place, outside in enumerate(_outside(client, world, DEFAULTS.terms())):
        ways = "That run is" if len(outside.runs) == 1 else "One of two such runs is"
        sentence = f"{outside.sentence} {ways} possible wherever the condition does not hold."
        yield Obligation(outside.name, sentence, LIMITS, _possible(client, world, place))


def _possible(
    client: OrderedClient, world: Circumstances, place: int
) -> Callable[[OrderedEncoding, SimpleNamespace], Statement]:
    part = condition(client, world)[place]

    def state(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        limits = limits_of(v)
        outside = list(_outside(client, world, limits))[place]
        ways = []
        for timed in outside.runs:
            found = situation(e, world, limits, _schedule(timed), [time for _, time in timed])
            ways.append(z3.And(*found.constraints.values(), found.both))
        fails = {f"not so: {part.sentence}": z3.Not(part.holds(world.trusted(limits)))}
        return Statement(possible(limits) | fails, z3.Or(ways) if len(ways) > 1 else ways[0])

    return state


def example(client: OrderedClient, limits: Limits, world: Circumstances = IN_TIME) -> Example:
    """The run, with its times in ms, of the first part of the condition that does not hold for these limits.

    Raises ``LookupError`` where all of it holds.
    """
    terms = limits.terms()
    for part, outside in zip(condition(client, world), _outside(client, world, terms), strict=True):
        if z3.is_false(z3.simplify(part.holds(world.trusted(terms)))):
            for timed in outside.runs:
                schedule, times = _schedule(timed), [z3.simplify(time) for _, time in timed]
                found = situation(client.encoding, world, limits, schedule, times)
                if all(map(z3.is_true, map(z3.simplify, (*found.constraints.values(), found.both)))):
                    return schedule, tuple(map(number, times))
    raise LookupError("the condition holds")


def _schedule(timed: Timed) -> Schedule:
    return tuple(happens for happens, _ in timed)
