"""The proof of mutual exclusion detects each dropped premise and conjunct, and a millisecond of the limit."""

from dataclasses import dataclass, replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rebalance_proofs.model.machines.ordered.actions import CLIENTS, GO, OLDER, V5_0, V5_2, OrderedClient
from rebalance_proofs.model.machines.ordered.assumptions import (
    ALIKE,
    ALIKE_OUT_OF_TIME,
    IN_TIME,
    OUT_OF_TIME,
    RENEWED,
    RENEWED_OUT_OF_TIME,
    TOO_LONG,
    WITHOUT,
    Part,
    condition,
    happens,
    needed,
)
from rebalance_proofs.model.machines.ordered.state import DEFAULTS, Limits
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.proofs.machine.declared import guarantee
from rebalance_proofs.proofs.machine.run import ran, unrolled
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.ordered import two
from rebalance_proofs.proofs.ordered.two import CONFIGURATION, example

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)


def proved(obligation: Obligation, client: OrderedClient) -> bool:
    statement = obligation.statement(client.encoding)
    solver = Solver()
    solver.add(*statement.given.values(), smt.Not(statement.then))
    return solver.check() == unsat


def failing(client: OrderedClient, world=IN_TIME) -> set[str]:
    """Made anew: a test may have changed what they are made of."""
    return failing_in(proof(client, world), client)


def proof(client: OrderedClient, world):
    return guarantee("ordered", client, "exclusive").induction(world)


def failing_in(proof, client: OrderedClient) -> set[str]:
    made = guarantee("ordered", client, "exclusive").made
    return {one.name for one in made(proof) if not proved(one, client)}


def without(proof, name: str):
    return replace(proof, invariant=tuple(one for one in proof.invariant if one.name != name))


def run(client, world, schedule, times, limits):
    return ran(CONFIGURATION, client, world, limits, schedule, times)


def both(run) -> bool:
    return all(state.runs for state in run.ends)


@each_client
@pytest.mark.parametrize("world", [IN_TIME, RENEWED], ids=lambda world: world.name)
def test_every_action_keeps_the_invariant(client, world):
    assert not failing(client, world)


@each_client
def test_each_assumption_is_needed_by_its_action(client):
    by_action = {"overtaken": "locks", "return": "locks", "shutdown": "shuts", "unsubscribed": "unsubscribes"}
    for world in WITHOUT:
        if world.name in by_action:
            assert failing(client, world) == ({by_action[world.name]} if needed(client, world) else set())


@pytest.mark.parametrize(
    "client",
    [pytest.param(one, id=one.name, marks=[] if one in (V5_2, GO) else [pytest.mark.slow]) for one in CLIENTS],
)
def test_no_exclusion_conjunct_can_be_left_out(client):
    worlds = [IN_TIME, *(world for world in WITHOUT if world is not TOO_LONG and not needed(client, world))]
    for one in proof(client, IN_TIME).invariant:
        proofs = (without(proof(client, world), one.name) for world in worlds)
        assert any(failing_in(proof, client) for proof in proofs), one.name
    # The one more that there is where renewals are in time.
    assert failing_in(without(proof(client, RENEWED), "in-time"), client)


@each_client
@pytest.mark.parametrize("world", [IN_TIME, RENEWED], ids=lambda world: world.name)
def test_one_millisecond_more_breaks_the_condition(client, world, monkeypatch):
    holds = Part.holds

    def a_little_less(part, limits):
        return holds(part, limits.but(broker=limits.broker + 1, unlock=limits.unlock + 1))

    monkeypatch.setattr(Part, "holds", a_little_less)
    assert failing(client, world)


LIMIT = st.integers(0, 100_000)


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from([client for client in CLIENTS if client not in OLDER]),
    st.booleans(),
    st.builds(Limits, *[LIMIT] * len(vars(DEFAULTS))),
)
def test_code_reaches_two_listeners_outside_the_condition(client, renewed, limits):
    world = (ALIKE_OUT_OF_TIME if client.pulls_later else RENEWED_OUT_OF_TIME) if renewed else OUT_OF_TIME
    assume(all(world.asked(limits).values()))
    trusted = world.trusted(limits)
    if all(part.holds(trusted) for part in condition(client, world)):
        with pytest.raises(LookupError):
            example(client, limits, world)
    else:
        assert both(run(client, world, *example(client, limits, world), limits))


def test_run_without_two_listeners_is_no_example(monkeypatch):
    limits = replace(DEFAULTS, listener=DEFAULTS.broker)
    assert example(V5_2, limits, OUT_OF_TIME)
    monkeypatch.setattr(two, "BOTH", lambda found: smt.BoolVal(False))
    with pytest.raises(LookupError):
        example(V5_2, limits, OUT_OF_TIME)


def test_code_is_not_run_past_a_due_renewal():
    limits = replace(DEFAULTS, delay=0, broker=10_000, listener=60_000, unlock=60_000, renewal=5_000)
    schedule, times = example(V5_2, limits)
    assert both(run(V5_2, IN_TIME, schedule, times, limits))
    with pytest.raises(Impossible):
        run(V5_2, RENEWED, schedule, times, limits)


def test_defaults_never_meet_the_condition_from_5_2_on():
    shipped = replace(DEFAULTS, delay=0, listener=0)
    assert not all(part.holds(shipped) for part in condition(V5_2, IN_TIME))


@pytest.mark.parametrize("client", [V5_0, V5_2], ids=lambda client: client.name)
def test_delayed_first_pulls_need_every_conjunct_and_millisecond(client, monkeypatch):
    assert not failing_in(proof(client, ALIKE), client)
    for name in ("mine", "waited", "outlives", "past-owners"):
        assert failing_in(without(proof(client, ALIKE), name), client), name
    less = "rebalance_proofs.model.machines.ordered.assumptions.condition"
    monkeypatch.setattr(less, lambda client, world: [_Less(one) for one in condition(client, world)])
    assert failing_in(proof(client, ALIKE), client)


@dataclass(frozen=True)
class _Less:
    """Of a part of a condition, a millisecond less."""

    part: Part

    @property
    def sentence(self) -> str:
        return self.part.sentence

    def holds(self, limits):
        return self.part.holds(limits.but(broker=limits.broker + 1, unlock=limits.unlock + 1))


def test_run_with_an_immediate_first_pull_is_refused_from_5_0_on():
    """The formerly printed run: added at 20.005 s, pulled at 20.006 s, called at 20.007 s."""
    told = [
        (0, "locks", 0),
        (0, "adds", 1),
        (0, "pulls", 501),
        (0, "starts", 19_900),
        (0, "revokes", 20_002),
        (0, "unlocked", 20_003),
        (1, "locks", 20_004),
        (1, "adds", 20_005),
        (1, "pulls", 20_006),
        (1, "starts", 20_007),
    ]
    said = {"locks": (True,), "adds": (True,), "starts": (False,), "revokes": (False,), "unlocked": (False,)}
    schedule = tuple(happens(who, action, *said.get(action, ())) for who, action, _ in told)
    times = [at for _, _, at in told]
    limits = replace(DEFAULTS, listener=300)
    with pytest.raises(Impossible):
        run(V5_2, OUT_OF_TIME, schedule, times, limits)
    possible = unrolled(CONFIGURATION, V5_2, V5_2.encoding, OUT_OF_TIME, limits, schedule, times)
    assert [name for name, holds in possible.constraints.items() if not smt.is_true(holds)] == ["9: Y pulls"]
    at_once = replace(limits, first_pull=0)
    assert both(run(V5_2, OUT_OF_TIME, schedule, times, at_once))
