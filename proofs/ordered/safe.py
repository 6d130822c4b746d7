"""Check whether two listeners can run on one queue with given time limits.

If so, report a run in which they do, and changed settings that prevent it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from rebalance_proofs.model.machine.run import Run, Schedule, times_of
from rebalance_proofs.model.machine.values import term, truth
from rebalance_proofs.model.machines.ordered.actions import OrderedClient
from rebalance_proofs.model.machines.ordered.assumptions import (
    ALIKE,
    IN_CONDITION,
    IN_TIME,
    NOT_BACK,
    OUT_OF_TIME,
    RENEWED,
    SHUTS_IDLE,
    WITHOUT,
    Circumstances,
    Part,
    asked,
    condition,
    enough,
    needed,
)
from rebalance_proofs.model.machines.ordered.state import Limits, Ordered
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Optimize, Solver, sat, unsat
from rebalance_proofs.proofs.machine.declared import guarantee
from rebalance_proofs.proofs.machine.kind import apart
from rebalance_proofs.proofs.machine.run import ran, unrolled
from rebalance_proofs.proofs.named import number
from rebalance_proofs.proofs.ordered.two import BOTH, CONFIGURATION, example

RAISED, LOWERED = 1, -1
SETTINGS = {"unlock": RAISED, "broker": RAISED, "client": LOWERED, "listener": LOWERED}
"""The user's settings in the order of trial, each with the direction of change that helps.

The lock delay is no setting.
"""
SHORTEST = 1_000
"""Smallest value of a setting in ms that is tried; shorter ones are useless."""


@dataclass(frozen=True)
class Change:
    """A change of one setting, the smallest that suffices, in ms."""

    setting: str
    """The name of a field of ``Limits``."""
    before: int
    after: int


Repair = tuple[Change, ...]
"""Changes of settings that together exclude two running listeners."""


@dataclass(frozen=True)
class Answer:
    """The answer for one client and its time limits: can two listeners run on one queue?"""

    client: OrderedClient
    limits: Limits
    unmet: tuple[Part, ...]
    """Parts of the time condition that do not hold."""
    proved: bool
    """Whether Z3 decided every obligation of the proof with these numbers, and all hold.

    Then two listeners never run on one queue, under the assumptions. False if the condition does not hold.
    """
    renewed: bool
    """Whether it is proved that two listeners never run if renewals come in their period.

    Each renewal must also be recorded within the delay.
    """
    renewed_alike: bool
    """Whether two listeners provably never run if all consumers delay first pulls, too.

    As for ``renewed``, renewals must come in their period. A first pull is that of a new process queue.
    """
    premises: tuple[Circumstances, ...]
    """Further assumptions of the guarantee.

    Each is given as the set of assumptions without it.
    """
    run: Run[Ordered, Limits] | None
    """A run of the client's code that ends with two listeners on one queue.

    None if the time condition holds.
    """
    repairs: tuple[Repair, ...]
    """Changes of settings; each alternative suffices.

    Combinations of changes are given only if no single change suffices.
    """

    @property
    def waits_enough(self) -> bool:
        """Return whether a shutdown waits until its listener is no longer called.

        The number of remaining messages is arbitrary.
        """
        return truth(enough(self.client.rules, self.limits))

    @property
    def exceptions(self) -> tuple[Circumstances, ...]:
        """Return the assumptions that an ordinary rolling restart can break."""
        unsure = (NOT_BACK,) if self.waits_enough else (NOT_BACK, SHUTS_IDLE)
        return tuple(world for world in self.premises if world.gone in unsure)


def safe(client: OrderedClient, limits: Limits) -> Answer:
    """Check the time limits, in ms, of a client."""
    unmet = tuple(part for part in condition(client, IN_TIME) if not truth(part.holds(limits)))
    proved = _proved(client, limits, IN_TIME)
    # A proof that allows late renewals covers renewals in time.
    in_period = limits.but(renewal=limits.renewal + limits.delay)
    renewed = proved or _proved(client, in_period, RENEWED)
    return Answer(
        client,
        limits,
        unmet,
        proved,
        renewed,
        renewed or (client.pulls_later and _proved(client, in_period, ALIKE)),
        tuple(world for world in WITHOUT if world.gone is not IN_CONDITION and needed(client, world)),
        _run(client, limits) if unmet else None,
        tuple(_repairs(client, limits)) if unmet else (),
    )


def longest_listener(client: OrderedClient, limits: Limits) -> int | None:
    """Return the longest time of a listener call, in ms, that meets the time condition.

    None if no time does.
    """
    listener = smt.Int("listener")
    solver = Optimize()
    solver.add(listener >= 0, *_holds(client, limits.but(listener=listener)))
    solver.maximize(listener)
    return number(solver.model().eval(listener)) if solver.check() == sat else None


def _proved(client: OrderedClient, limits: Limits, world: Circumstances) -> bool:
    """Return whether all obligations hold for these limits, under the assumptions ``world``."""
    if not all(map(truth, asked(client, world, limits).values())):
        return False
    numbers = vars(limits)
    for obligation in guarantee("ordered", client, "exclusive").obligations(world):
        statement = obligation.statement(client.encoding, numbers)
        solver = Solver()
        solver.add(*statement.given.values(), smt.Not(statement.then))
        if solver.check() != unsat:
            return False
    return True


def _run(client: OrderedClient, limits: Limits) -> Run[Ordered, Limits]:
    """Return a run for the first part of the time condition that the limits violate.

    The actions come one after another if the limits leave time for that.
    """
    schedule, times = example(client, limits)
    return ran(CONFIGURATION, client, OUT_OF_TIME, limits, schedule, _apart(client, limits, schedule) or times)


def _apart(client: OrderedClient, limits: Limits, schedule: Schedule) -> Sequence[int] | None:
    """Return times at which each action comes later than the one before.

    None if there are none.
    """
    times = times_of(schedule)
    found = unrolled(CONFIGURATION, client, client.encoding, OUT_OF_TIME, limits, schedule, times)
    return apart(times, (*found.constraints.values(), BOTH(found)))


def _holds(client: OrderedClient, limits: Limits) -> list[smt.BoolTerm]:
    return [term(part.holds(limits)) for part in condition(client, IN_TIME)]


def _repairs(client: OrderedClient, limits: Limits) -> Iterator[Repair]:
    """Yield single changes of settings that suffice; if there are none, pairs, and so on."""
    told = {name for part in condition(client, IN_TIME) for name in (*part.summands, part.within)}
    names = [name for name in SETTINGS if name in told and name not in client.rules.constants]
    for count in range(1, len(names) + 1):
        found = [repair for chosen in combinations(names, count) if (repair := _repair(client, limits, chosen))]
        if found:
            yield from found
            return


def _repair(client: OrderedClient, limits: Limits, names: Sequence[str]) -> Repair | None:
    """Return changes of all settings in ``names`` that suffice, with the least sum.

    None if there are none, or if one of the settings needs no change.
    """
    terms = {name: smt.Int(name) for name in names}
    solver = Optimize()
    solver.add(*_holds(client, limits.but(**terms)))
    changes = []
    for name, value in terms.items():
        change = SETTINGS[name] * (value - getattr(limits, name))
        solver.add(value >= SHORTEST, change >= 0)
        changes.append(change)
    solver.minimize(smt.Sum(changes))
    if solver.check() != sat:
        return None
    model = solver.model()
    found = tuple(Change(name, getattr(limits, name), number(model.eval(term))) for name, term in terms.items())
    return found if all(change.before != change.after for change in found) else None
