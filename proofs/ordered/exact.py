"""That the condition of time is exact: outside of it there is a run with two listeners, whatever the limits are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace

import z3

from rebalance_proofs.model.ordered.actions import OrderedEncoding
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import DEFAULTS, Limits
from rebalance_proofs.proofs.happens import Schedule
from rebalance_proofs.proofs.numerals import number
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.ordered.circumstances import IN_TIME, Circumstances
from rebalance_proofs.proofs.ordered.condition import Part, condition
from rebalance_proofs.proofs.ordered.inductive import possible
from rebalance_proofs.proofs.ordered.schedule import happens
from rebalance_proofs.proofs.ordered.timed import Timed, begins, reached
from rebalance_proofs.proofs.ordered.variables import limits_of

__all__ = ["example", "obligations"]

Time = z3.ArithRef
Example = tuple[Schedule, tuple[int, ...]]
"""With times in ms."""


@dataclass(frozen=True)
class _Outside:
    """Where one part of the condition does not hold."""

    part: Part
    name: str
    sentence: str
    runs: tuple[Callable[[Limits], Timed], ...]
    """One of them is possible."""


def _outside(client: OrderedClient, world: Circumstances) -> Iterator[_Outside]:
    """Of each part of the condition.

    The first consumer begins as late as it trusts in the lock; where the lock is to run out it is slow to stamp it,
    too. The other one is fast. Where renewals are in time, a rebalance takes the queue when the listener has begun: no
    renewal is due then, but for a client that renews marked entries.
    """
    zero, takes = z3.IntVal(0), happens(0, "revokes", False)
    marks = (takes,) if world.renewed and not client.renews_under_listener else ()
    taken = (takes, happens(0, "returned", False))

    def run(stamped: Time, started: Time, over: Time, marks: Schedule = (), taken: Schedule = ()) -> Timed:
        ends = z3.If(started > over, started, over)
        first = (*begins(0, client, world, zero, stamped), (happens(0, "starts", False), started))
        other = (*begins(1, client, world, ends, ends), (happens(1, "starts", False), ends))
        return (*first, *((mark, started) for mark in marks), *((take, ends) for take in taken), *other)

    def slow(limits: Limits) -> Timed:
        return run(limits.delay, limits.delay + world.trusted(limits).client, limits.broker + 1, marks)

    def late(limits: Limits) -> Timed:
        return run(zero, world.trusted(limits).client, limits.unlock + 1, marks, taken)

    def at_once(limits: Limits) -> Timed:
        # Where a mark so late would give the lock back itself.
        return run(zero, limits.unlock + 1, limits.unlock + 1, (), taken)

    kept, *not_forced = condition(client, world)
    yield _Outside(kept, "runs-out", "The lock runs out under the listener, and another takes it.", (slow,))
    for part in not_forced:
        given_back = "The lock is given back under the listener, and another takes it."
        yield _Outside(part, "forced", given_back, (late, at_once) if world.renewed else (late,))


def obligations(client: OrderedClient, world: Circumstances) -> Iterator[Obligation]:
    """One for each part of the condition: its runs, with times that are terms of the limits."""
    for outside in _outside(client, world):
        ways = "That run is" if len(outside.runs) == 1 else "One of two such runs is"
        sentence = f"{outside.sentence} {ways} possible wherever the condition does not hold."
        yield Obligation(outside.name, sentence, tuple(vars(DEFAULTS)), partial(_possible, outside, world))


def _possible(outside: _Outside, world: Circumstances, e: OrderedEncoding, v: SimpleNamespace) -> Statement:
    limits, ways = limits_of(v), []
    for run in outside.runs:
        found = reached(e, world, limits, run(limits))
        ways.append(z3.And(*found.constraints.values(), found.both))
    fails = {f"not so: {outside.part.sentence}": z3.Not(outside.part.holds(world.trusted(limits)))}
    return Statement(possible(limits) | fails, z3.Or(ways) if len(ways) > 1 else ways[0])


def example(client: OrderedClient, limits: Limits, world: Circumstances = IN_TIME) -> Example:
    """The run, with its times in ms, of the first part of the condition that does not hold for these limits.

    Raises ``LookupError`` where all of it holds.
    """
    terms = limits.terms()
    for outside in _outside(client, world):
        if z3.is_true(z3.simplify(outside.part.holds(world.trusted(terms)))):
            continue
        for run in outside.runs:
            timed = run(terms)
            found = reached(client.encoding, world, terms, timed)
            if all(map(z3.is_true, map(z3.simplify, (*found.constraints.values(), found.both)))):
                return tuple(happens for happens, _ in timed), tuple(number(z3.simplify(time)) for _, time in timed)
    raise LookupError("the condition holds")
