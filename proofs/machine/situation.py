"""A schedule of a machine whose times are unknown, as terms; and the obligation that some schedules are possible."""

from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import Any

import z3

from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.record import C, L, S, V, names
from rebalance_proofs.model.machine.values import And, Bool, Int, term
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.machine.configuration import OBSERVES, Configuration, read
from rebalance_proofs.proofs.machine.world import MachineWorld
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.timed_situation import Situation, situated

__all__ = ["Timed", "reaches", "situation"]


Timed = Sequence[tuple[Happens, Int]]
"""A schedule with its times."""


def situation(
    configuration: Configuration[S, C, L, V],
    variant: V,
    encoding: Any,
    world: MachineWorld[S, C, L],
    limits: L,
    schedule: Schedule,
    times: Sequence[Int],
) -> Situation[S, L]:
    """The schedule at those times, of a machine that was started at 0; limits and times are numbers or terms."""
    machine, limits = configuration.machine, limits.terms()

    def waits(state: S, until: z3.ArithRef, limits: L) -> z3.BoolRef:
        return term(world.waits(state, until, limits))

    def acts(happens: Happens, before: S, at: z3.ArithRef) -> tuple[Sequence[z3.BoolRef], S]:
        state = before.at_time(at)
        if happens.action == OBSERVES:
            return (), state
        given = state, configuration.chosen(happens, limits).terms(), limits
        turn = act_of(encoding, happens.action)(*given)
        return (term(turn.can), term(world.permits(happens.action, *given))), turn.after

    first = machine.begun(limits, variant).terms()
    return situated(first, limits, schedule, [at if z3.is_expr(at) else z3.IntVal(at) for at in times], waits, acts)


def reaches(
    configuration: Configuration[S, C, L, V],
    variant: V,
    world: MachineWorld[S, C, L],
    name: str,
    sentence: str,
    ways: Callable[[L], Iterable[Timed]],
    so: Callable[[S, L], Iterable[Bool]],
) -> Obligation:
    """That whatever the limits are, one of these schedules is possible, and all of this is so in the end."""

    def state(encoding: Any, v: SimpleNamespace) -> Statement:
        limits, found = read(configuration.machine.limits, v), []
        for way in ways(limits):
            schedule, times = zip(*way, strict=True)
            end = situation(configuration, variant, encoding, world, limits, schedule, times)
            found.append(term(And(*end.constraints.values(), *so(end.state, limits))))
        given = {words: term(one) for words, one in world.given(limits).items()}
        return Statement(given, z3.Or(found) if len(found) > 1 else found[0])

    return Obligation(name, sentence, names(configuration.machine.limits), state)
