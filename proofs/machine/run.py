"""Runs of the client's code together with its machine, along a schedule or in one state."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rebalance_proofs.model.machine.client import does
from rebalance_proofs.model.machine.copies import Copies
from rebalance_proofs.model.machine.happens import Schedule
from rebalance_proofs.model.machine.machine import Act, Turn
from rebalance_proofs.model.machine.record import C, L, R, S, V
from rebalance_proofs.model.machine.run import Run, Seen
from rebalance_proofs.model.machine.values import truth
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.possible import Impossible, need
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.configuration import OBSERVES, Configuration
from rebalance_proofs.proofs.named import value


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
