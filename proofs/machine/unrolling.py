"""Symbolic unrolling of a machine along a schedule of actions.

An obligation can state that one of several schedules is possible.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.copies import Copies
from rebalance_proofs.model.machine.happens import Happens, Schedule
from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.record import C, L, S, V, names
from rebalance_proofs.model.machine.values import And, Bool, Int, term
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import folded
from rebalance_proofs.proofs.machine.configuration import OBSERVES, Configuration, read
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.unrolling import Unrolling

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
