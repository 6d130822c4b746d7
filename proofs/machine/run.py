"""Runs of the client's code together with its machine, along a schedule or in one state."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.client import does
from rebalance_proofs.model.machine.copies import Copies
from rebalance_proofs.model.machine.machine import Act, Turn, act_of
from rebalance_proofs.model.machine.record import C, L, R, S, V, names
from rebalance_proofs.model.machine.run import Happens, Run, Schedule, Seen
from rebalance_proofs.model.machine.values import And, Bool, Int, term, truth
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.possible import Impossible, need
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import folded
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.configuration import OBSERVES, Configuration, read
from rebalance_proofs.proofs.named import value
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.timed_search import Unrolling

# Symbolic unrolling of a machine along a schedule of actions.
# An obligation can state that one of several schedules is possible.

Timed = Sequence[tuple[Happens, Int]]
"""A schedule of actions, and their times."""


def unrolled(
    configuration: Configuration[S, C, L, V],
    variant: V,
    encoding: Any,
    world: MachineWorld[S, C, L],
    limits: L,
    schedule: Schedule,
    times: Sequence[Int],
) -> Unrolling[S, L]:
    """Unroll the machine along a schedule that starts at time 0.

    Limits and times are numbers or terms.
    """
    machine, limits, world = configuration.machine, limits.terms(), world.beside(encoding)
    state = world.first(machine.begun(limits, variant).terms(), limits)
    copies = Copies.begun(state, configuration.copies, twins=world.twins)
    constraints: dict[str, smt.BoolTerm] = {}
    for place, (happens, time) in enumerate(zip(schedule, times, strict=True), start=1):
        at = time if smt.is_expr(time) else smt.IntVal(time)
        takes = [term(world.waits(view, at, limits)) for view in copies.views]
        copies = copies.at_time(at)
        if happens.action != OBSERVES:
            who = configuration.acting(happens)
            given = copies.view(who), configuration.chosen(happens, limits).terms(), limits
            turn = act_of(encoding, happens.action)(*given)
            takes += [term(turn.guard), term(world.lets(happens.action, *given))]
            copies = copies.acted(who, turn.after)
        constraints[f"{place}: {configuration.words(happens)}"] = folded(smt.And(takes))
    return Unrolling(constraints, copies.view(0), limits, copies.views)


def reaches(
    configuration: Configuration[S, C, L, V],
    variant: V,
    world: MachineWorld[S, C, L],
    name: str,
    sentence: str,
    ways: Callable[[L], Iterable[Timed]],
    so: Callable[[S, L], Iterable[Bool]],
    given: Callable[[L], Mapping[str, Bool]] = lambda limits: {},
    every: Callable[[Any, Sequence[S], L], Iterable[Bool]] = lambda encoding, states, limits: (),
) -> Obligation:
    """Return the obligation that one of the schedules ``ways`` is possible for all limits.

    ``so``: a condition that must be true at the end, for the first copy; ``every``: one for all copies. ``given``:
    further assumptions about the limits, by sentence.
    """

    def state(encoding: Any, v: SimpleNamespace) -> Statement:
        limits, found = read(configuration.machine.limits, v), []
        for way in ways(limits):
            schedule, times = zip(*way, strict=True)
            end = unrolled(configuration, variant, encoding, world, limits, schedule, times)
            ends = (*so(end.state, limits), *every(encoding, end.states, limits))
            found.append(term(And(*end.constraints.values(), *ends)))
        asked = {**world.given(limits), **given(limits)}
        return Statement({words: term(one) for words, one in asked.items()}, smt.Or(found))

    return Obligation(name, sentence, names(configuration.machine.limits), state)


def run(configuration: Configuration[S, C, L, V], claim: Claim, schedule: Schedule, values: Sequence[int]) -> Run[S, L]:
    """Run the schedule on the client's code, at the times ``values`` in ms.

    Without a clock, ``values`` are the limits instead. Raises ``Impossible`` if the code cannot follow the schedule,
    or an assumption of the claim excludes it.
    """
    limits, times = configuration.known(claim, schedule, values)
    return ran(configuration, claim.subjects[0], claim.world, limits, schedule, times)


def ran(
    configuration: Configuration[S, C, L, V],
    client: Any,
    premises: MachineWorld[S, C, L],
    limits: L,
    schedule: Schedule,
    times: Sequence[int],
) -> Run[S, L]:
    """Run the schedule on the client's code with the given limits; see ``run``."""
    machine, world, seen = configuration.machine, premises.beside(client.encoding), []
    begun = machine.begun(limits, client)
    first = world.first(begun, limits)
    copies = Copies.begun(first, configuration.copies, twins=world.twins)
    made = client.code.objects(limits, copies.numbers)
    for one, view in zip(made if first != begun else (), copies.views, strict=False):
        client.code.put(one, view, machine.choices.blank())
    for happens, at in zip(schedule, times, strict=True):
        need(all(truth(world.waits(view, at, limits)) for view in copies.views))
        copies = copies.at_time(at)
        if happens.action != OBSERVES:
            who, choices = configuration.acting(happens), configuration.chosen(happens, limits)
            state = copies.view(who)
            need(truth(world.lets(happens.action, state, choices, limits)))
            done = does(machine, client.code, client, made[who], happens.action, state, choices, limits)
            copies = copies.acted(who, done)
        seen.append(Seen(at, happens, copies.views))
    return Run(client, premises, limits, first, tuple(seen))


def act(
    configuration: Configuration[S, C, L, V],
    client: Any,
    name: str,
    state: S,
    choices: C,
    limits: L,
) -> S | None:
    """Return the state after the code performs an action; None if the code does not perform it."""
    made = client.code.made(limits)
    client.code.put(made, state, choices)
    try:
        after: S = does(configuration.machine, client.code, client, made, name, state, choices, limits)
    except Impossible:
        return None
    return after


def observed(configuration: Configuration[S, C, L, V], client: Any) -> Any:
    """Return an encoding that runs the client's code; all arguments must be numerals."""
    parts = {name: _observed(configuration, client, name) for name in configuration.machine.actions}
    asks = {name: _asked(configuration, client, name) for name in client.code.asks}
    return replace(client.encoding, **parts, **asks)


def _asked(configuration: Configuration[S, C, L, V], client: Any, name: str) -> Callable[[S], smt.BoolTerm]:
    def part(state: S) -> smt.BoolTerm:
        made = client.code.made(configuration.examples)
        client.code.put(made, _values(state), configuration.machine.choices.blank())
        return smt.BoolVal(client.code.asks[name](made))

    return part


def _observed(configuration: Configuration[S, C, L, V], client: Any, name: str) -> Act[S, C, L]:
    def part(state: S, choices: C, limits: L) -> Turn[S]:
        found = act(configuration, client, name, _values(state), _values(choices), _values(limits))
        return Turn(smt.BoolVal(False), state) if found is None else Turn(smt.BoolVal(True), found.terms())

    return part


def _values(record: R) -> R:
    return record.numbers({name: value(one) for name, one in vars(record).items()})
