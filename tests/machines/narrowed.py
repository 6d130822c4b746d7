"""What a world's premises exclude of what a client could do, flag by flag: pinned, so that it does not grow unseen.

``make pins`` writes the pins.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache

from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.record import flags
from rebalance_proofs.model.machine.values import term
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, sat
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.machine.induction import Induction
from rebalance_proofs.proofs.machine.kind import ProvedByInduction
from rebalance_proofs.proofs.obligation import Obligation
from tests.machines.registered import MACHINES
from tests.pins.pin import FOLDER

FILE, PREMISED_FILE = FOLDER / "excluded.json", FOLDER / "excluded_beside.json"
TIME = "time-passes"
FLAGS = {
    kind: frozenset(
        name
        for machine in MACHINES
        if machine.kind == kind
        for record in (machine.configuration.machine.state, machine.configuration.machine.choices)
        for name in flags(record)
    )
    for kind in {machine.kind for machine in MACHINES}
}
"""Kind -> the names of its machines' flags."""
PINNED: Mapping[str, Mapping[str, list[str]]] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
"""``client of kind`` -> world -> ``action flag=value``, ``*`` for all actions that the world does not exclude."""


PREMISED: Mapping[str, Mapping[str, list[str]]] = (
    json.loads(PREMISED_FILE.read_text(encoding="utf-8")) if PREMISED_FILE.exists() else {}
)
"""Claim -> obligation that states premises of its own -> ``flag=value``."""
ABOUT_ONE = [claim for claim in LEDGER if claim.holds and claim.kind in FLAGS and len(claim.subjects) == 1]
"""The claims about a machine that are proved, but for those about two clients."""


def inductions() -> Mapping[str, Mapping[str, Induction]]:
    """An induction of each client in each world in which something is proved of it by one."""
    found: dict[str, dict[str, Induction]] = {}
    for claim in LEDGER:
        if claim.holds and isinstance(claim.guarantee, ProvedByInduction):
            (client,) = claim.subjects
            induction = claim.guarantee.induction(claim.world)
            found.setdefault(f"{client.name} of {claim.kind}", {}).setdefault(claim.world.name, induction)
    return found


def excluded(induction: Induction) -> list[str]:
    """What the client can do with a flag set, or not set, and the world's premises do not let happen.

    Actions that the world excludes altogether have a premise with a sentence, and are not looked at. Of time: in which
    states it does not pass at all.
    """
    of, world, encoding = induction.configuration, induction.world, induction.variant.encoding
    v = of.unknowns()
    state, choices, limits = of.given(v)
    known = flags(of.machine.state) | flags(of.machine.choices)
    values = tuple((name, value, getattr(v, name) == value) for name in of.names if name in known for value in (0, 1))
    formed = [*of.truths(v).values(), *of.form(state, limits).values(), *of.named(state).values()]
    formed += [term(so) for so in world.given(limits).values()]

    def possible(*given: smt.BoolTerm) -> frozenset[str]:
        return _possible((*formed, *given), values)

    found: dict[str, frozenset[str]] = {}
    for name in induction.actions:
        guard = term(act_of(encoding, name)(state, choices, limits).guard)
        allowed = term(world.beside(encoding).permits(name, state, choices, limits))
        if not smt.is_true(allowed):
            found[name] = possible(guard) - possible(guard, allowed)
    if of.clock:
        until = smt.Int("until")
        waits = term(world.beside(encoding).waits(state, until, limits))
        found[TIME] = possible() - possible(until > state.now, waits)
    return list(_rows(found, induction.actions))


@cache
def _possible(given: tuple[smt.BoolTerm, ...], values: tuple[tuple[str, int, smt.BoolTerm], ...]) -> frozenset[str]:
    """Return which values flags can have; worlds of a client ask the same about its guards."""
    solver = Solver()
    solver.add(given)
    return frozenset(f"{name}={value}" for name, value, so in values if solver.check(so) == sat)


def beside(claim: Claim) -> list[Obligation]:
    """The claim's obligations that the engine does not make: each states premises of its own."""
    induced = isinstance(claim.guarantee, ProvedByInduction)
    made = {one.name for one in claim.guarantee.induction(claim.world).obligations()} if induced else set()
    return [one for one in claim.obligations if one.name not in made]


def premised(claim: Claim) -> Mapping[str, list[str]]:
    """For each of these obligations, the flags that its premises exclude, as ``flag=value``."""
    encoding, found = claim.subjects[0].encoding, {}
    for obligation in beside(claim):
        solver = Solver()
        solver.add(*obligation.statement(encoding).given.values())
        known = [name for name in obligation.variables if name.removeprefix("other_") in FLAGS[claim.kind]]
        cases = [(name, value) for name in known for value in (0, 1)]
        found[obligation.name] = [
            f"{name}={value}" for name, value in cases if solver.check(smt.Int(name) == value) != sat
        ]
    return found


def _rows(found: Mapping[str, frozenset[str]], actions: tuple[str, ...]) -> Iterator[str]:
    everywhere = frozenset.intersection(*(found.get(name, frozenset()) for name in actions)) if actions else frozenset()
    yield from (f"* {flag}" for flag in sorted(everywhere))
    for name, flags_ in sorted(found.items()):
        yield from (f"{name} {flag}" for flag in sorted(flags_ - (everywhere if name != TIME else set())))


def large(key: str) -> bool:
    """Whether it takes long: only slow tests look at all clients of these kinds."""
    kind = key.rpartition(" ")[2]
    first = next(one for one in PINNED if one.endswith(f" {kind}"))
    return kind in ("offsets", "registry", "ordered") and key != first


def narrowed() -> Mapping[str, Mapping[str, list[str]]]:
    """Return what is pinned of every client in every world."""
    every = sorted(inductions().items(), key=lambda item: [*KINDS].index(item[0].rpartition(" ")[2]))
    return {key: {world: excluded(one) for world, one in worlds.items()} for key, worlds in every}


def premises() -> Mapping[str, Mapping[str, list[str]]]:
    """Return what is pinned of obligations with premises of their own."""
    return {claim.id: premised(claim) for claim in ABOUT_ONE if beside(claim)}
