"""Exactness of the time condition: if it is violated, some run ends with two listeners.

This is proved for any limits.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.happens import Schedule
from rebalance_proofs.model.machine.record import names
from rebalance_proofs.model.machine.values import Bool, Int, Not, term, truth
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs.machine.configuration import read
from rebalance_proofs.proofs.machine.kind import violated
from rebalance_proofs.proofs.numerals import number
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.ordered.circumstances import OUT_OF_TIME, Circumstances
from rebalance_proofs.proofs.ordered.condition import condition
from rebalance_proofs.proofs.ordered.configuration import runs
from rebalance_proofs.proofs.ordered.timed import Timed, reached
from rebalance_proofs.proofs.ordered.waiting import enough
from rebalance_proofs.proofs.ordered.ways import Ways

BOTH = violated(runs, every=True)
"""The condition that both consumers' listeners run at the end of a run."""
Example = tuple[Schedule, tuple[int, ...]]
"""A schedule of actions, with their times in ms."""


@dataclass(frozen=True)
class _Outside:
    """The case that one part of the time condition is violated."""

    name: str
    sentence: str
    asked: str
    """The violation of the part, in words."""
    holds: Callable[[Limits], Bool]
    ways: Callable[[Ways], tuple[Timed, ...]]
    """Runs to two running listeners; at least one of them is possible."""


def _outside(client: OrderedClient, world: Circumstances) -> Iterator[_Outside]:
    """Yield, for each part of the time condition, the case that it is violated."""
    kept, *not_forced = condition(client, world)
    out = "The lock expires under the listener, and another consumer takes it."
    yield _Outside("runs-out", out, kept.sentence, kept.holds, Ways.runs_out)
    for part in not_forced:
        given_back = "The lock is released under the listener, and another consumer takes it."
        yield _Outside("forced", given_back, part.sentence, part.holds, Ways.forced)


def obligations(client: OrderedClient, world: Circumstances) -> Iterator[Obligation]:
    """Yield, for each part of the time condition, the obligation that a violation allows a run.

    The run ends with two running listeners; its times are terms of the limits.
    """
    for outside in _outside(client, world):
        yield _possible(client, world, outside)


def waits(client: OrderedClient, world: Circumstances) -> Iterator[Obligation]:
    """Yield the obligation that too short a wait of a shutdown allows two running listeners."""
    sentence = "A shutdown releases the lock under the consumer's listener, and another consumer takes it."
    asked = "a shutdown waits until its listener is no longer called"
    enough_of = partial(enough, client.rules)
    yield _possible(client, world, _Outside("waits", sentence, asked, enough_of, Ways.shut_down))


def _possible(client: OrderedClient, world: Circumstances, outside: _Outside) -> Obligation:
    def state(encoding: Any, v: SimpleNamespace) -> Statement:
        limits, ways = read(Limits, v), []
        for run in outside.ways(Ways(client, world, limits)):
            found = reached(client, encoding, world, limits, run)
            ways.append(smt.And(*found.constraints.values(), BOTH(found)))
        fails = {f"not so: {outside.asked}": Not(outside.holds(world.trusted(limits)))}
        given = {words: term(so) for words, so in (world.given(limits) | world.soon(limits) | fails).items()}
        return Statement(given, smt.Or(ways) if len(ways) > 1 else ways[0])

    sentence = f"{outside.sentence} Such a run is possible whenever the condition does not hold."
    return Obligation(outside.name, sentence, names(Limits), state)


def example(client: OrderedClient, limits: Limits, world: Circumstances = OUT_OF_TIME) -> Example:
    """Return a run for the first part of the time condition that the limits violate.

    Times are in ms. Raises ``LookupError`` if no part is violated.
    """
    terms = limits.terms()
    for outside in _outside(client, world):
        if truth(outside.holds(world.trusted(limits))):
            continue
        for timed in outside.ways(Ways(client, world, terms)):
            found = reached(client, client.encoding, world, terms, timed)
            if all(map(smt.is_true, map(simplify, (*found.constraints.values(), BOTH(found))))):
                return tuple(happens for happens, _ in timed), tuple(map(_known, (time for _, time in timed)))
    raise LookupError("the condition holds")


def _known(time: Int) -> int:
    return time if isinstance(time, int) else number(simplify(time))
