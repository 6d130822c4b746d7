"""Properties of every declared machine."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, lru_cache, partial
from itertools import pairwise
from math import ceil, prod
from random import Random

import numpy as np
import pytest

from rebalance_proofs.model.machine.client import Code
from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.record import ghosts, names, variables
from rebalance_proofs.model.machine.run import times_of
from rebalance_proofs.model.machine.values import term
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.terms.solver import Solver, sat, unsat
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.machine.configuration import OBSERVES
from rebalance_proofs.proofs.machine.induction import Induction
from rebalance_proofs.proofs.machine.kind import ProvedByInduction, explored, timed_runs
from rebalance_proofs.proofs.models.ask import is_known
from rebalance_proofs.proofs.models.known import recorded
from rebalance_proofs.proofs.obligation import Unknowns
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome
from rebalance_proofs.report.kinds import KINDS as SHOWN
from rebalance_proofs.spark_enum.bounds import QUICK
from rebalance_proofs.spark_enum.machine import steps as comparison
from rebalance_proofs.spark_enum.machine.steps import Space
from rebalance_proofs.spark_enum.results import ONE_IN
from tests.machines.evaluator import Evaluator, Event
from tests.machines.refinement import refinement
from tests.machines.registered import CLAIMS, CLIENTS, MACHINES
from tests.machines.rules import by_rule
from tests.machines.unrolled import fewest, fewest_of_copies
from tests.report.runs_shown import assert_shown

PROVED = [(one, claim) for one, claim in CLAIMS if claim.holds and isinstance(claim.guarantee, ProvedByInduction)]
REFUTED = [(one, claim) for one, claim in CLAIMS if not claim.holds]
WHOLE = {one.named: one.steps.space for one in MACHINES}
IN_FULL = [(one, claim) for one, claim in PROVED if one.tries(claim.subjects[0]) or claim.id in one.also]
TIMED = [pair for pair in REFUTED if pair[0].configuration.clock]
ENDED = [
    (one, claim)
    for one, claim in REFUTED
    if one.configuration.gives_up and (not one.large or claim.guarantee.name == "once")
]
EXPLAINED = [(one, claim) for one, claim in REFUTED if one.configuration.copies == 1 or one.several]
each_machine = pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.named)


def each_claim(pairs, slow=lambda machine, claim: False):
    found = [pytest.param(*pair, id=pair[1].id, marks=[pytest.mark.slow] * bool(slow(*pair))) for pair in pairs]
    return pytest.mark.parametrize(("machine", "claim"), found)


def beside_another(pairs):
    """Function that says of a pair whether another one, of the same guarantee, is tried in any case."""
    first = {(one.named, claim.guarantee.name): claim for one, claim in reversed(pairs)}
    return lambda machine, claim: claim is not first.get((machine.named, claim.guarantee.name))


def beside_others(pairs):
    """Function that says of a pair whether the guarantee and the client are each tried in another pair in any case."""
    first = {}
    for one, claim in pairs:
        for name in (claim.guarantee.name, claim.subjects[0]):
            first.setdefault((one.named, name), claim.id)
    tried = {*first.values()}
    return lambda machine, claim: claim.id not in tried


def each_client_but(slow, some=CLIENTS):
    """Test parameters for every client in ``some``; ``slow(machine, client)``: whether only slow tests try it."""
    found = [
        pytest.param(one, client, id=f"{one.named}-{client.name}", marks=[pytest.mark.slow] * bool(slow(one, client)))
        for one, client in some
    ]
    return pytest.mark.parametrize(("machine", "client"), found)


def beside_the_first(machine, client) -> bool:
    """Whether another client that differs little is tried in any case."""
    return machine.alike and client is not machine.clients[0]


def not_most_wrong(machine, client) -> bool:
    """Whether a client of a heavy machine is not the one with the most mutants."""
    return machine.heavy and client is not max(machine.clients, key=lambda one: len(one.mutants))


each_client_at_length = each_client_but(
    lambda machine, client: machine.heavy or machine.by_z3 or beside_the_first(machine, client),
    [pair for pair in CLIENTS if pair[0].refined],
)
each_client = each_client_but(lambda machine, client: False)
some_clients = each_client_but(not_most_wrong)
DEAR = ("pulls", "registry")
"""Kinds of machines whose mutants by rule take half a minute."""
each_light_client = each_client_but(
    lambda machine, client: machine.kind in DEAR or client is not machine.clients[0],
    [pair for pair in CLIENTS if not pair[0].heavy],
)


def fails(obligation, encoding) -> bool:
    return satisfiable(tuple(texts.negated(obligation, encoding).values()))


@lru_cache(maxsize=4096)
def satisfiable(formulas) -> bool:
    """Clients, and several tests of a client, have most formulas in common."""
    solver = Solver()
    solver.add(*formulas)
    return solver.check() == sat


@cache
def outcome(solver: str, text: str) -> Outcome:
    """Answer for an SMT-LIB text without comments; clients have many texts in common."""
    return SOLVERS[solver].solve(text, seconds=20)[0]


def notices(machine, client, steps, wrong) -> bool:
    """Whether one of the proof's steps fails for the wrong encoding, by a recorded model or by the solver."""
    known = recorded().of(machine.kind, client)
    shown = (is_known(step.name, list(texts.negated(step, wrong).values()), known) for step in steps)
    return any(shown) or any(fails(step, wrong) for step in steps)


# The declaration


@each_machine
def test_every_field_and_action_has_a_meaning(machine):
    of = machine.configuration.machine
    for record in (of.state, of.choices, of.limits):
        assert all(variable.meaning.endswith(".") for variable in variables(record).values())
    for action in of.actions.values():
        assert action.sentence.endswith(".")
        assert set(action.choices) <= set(names(of.choices))
    alike = [one.configuration.machine for one in MACHINES if one.kind == machine.kind]
    told = [name for one in alike for action in one.actions.values() for name in action.choices]
    assert set(told) == set(names(of.choices))


@each_claim(CLAIMS)
def test_client_actions_can_reach_a_bad_state(machine, claim):
    """Otherwise only a mutant, which sets a field that no action sets, could make the claim false."""
    of, client = machine.of(claim), claim.subjects[0]
    bad = of.bad(claim)
    if bad is None:
        assert claim.holds
        return
    state, choices, limits = of.symbols
    told = [of.machine.step(name, client, state, choices, limits)[1] for name in of.machine.actions]
    changed = {name for done in told for name, value in done.items() if value is not getattr(state, name)}
    begun = of.machine.begun(limits, client, now=state.now) if of.clock else of.machine.begun(limits, client)
    fixed = {name: getattr(begun, name) for name in of.own if name not in changed}
    solver = Solver()
    solver.add(term(bad(state.but(**fixed), limits)))
    assert solver.check() == sat


@each_claim(REFUTED, slow=beside_another(REFUTED))
def test_every_action_of_a_run_is_rendered(machine, claim):
    shown = SHOWN[machine.kind]
    example = assert_shown(shown, claim, machine.left_out(shown.smallest(claim)))
    assert len(set(shown.lines(claim, example))) > 2
    clock = machine.configuration.clock
    assert {thing.variable for thing in shown.trace_variables(example)} | {"action", *clock} == set(shown.types)


@each_client
def test_story_has_a_sentence_for_each_action_and_an_ending(machine, client):
    of = machine.configuration.machine
    first, none = Evaluator(of, client, machine.configuration.examples).first(), of.choices.blank()
    stories = [action.story(first, first, none, client) for action in of.actions.values()]
    assert len(set(stories)) == len(of.actions)


@each_client
def test_every_action_is_rendered_in_any_state(machine, client):
    of, states = machine.configuration.machine, machine.steps.space.states
    sample = range(0, machine.steps.space.size, max(1, machine.steps.space.size // 40))
    some = [of.state.numbers({name: column[place] for name, column in states.items()}) for place in sample]
    for move in machine.configuration.moves:
        choices, told = machine.steps.space.chosen(move), of.actions[move.action].story
        for story in (told(before, after, choices, client) for before in some[::5] for after in some):
            assert story.startswith("{who}") or story[0].isupper() or story[0] == "`"
            assert not story.endswith(".")


# Proofs


@each_claim(PROVED)
def test_every_action_has_an_obligation_or_is_excluded_by_name(machine, claim):
    """A missing action is excluded by a premise of the world, or the client does not have it."""
    of, client, world = machine.configuration, claim.subjects[0], claim.world
    induction, asked = claim.guarantee.induction(world), {obligation.name for obligation in claim.obligations}
    if of.joined:
        (joined,) = (one for one in claim.obligations if one.name == "happens")
        possible = [
            words for words, _ in joined.goals(Unknowns(**{name: smt.Int(name) for name in joined.variables}), 9)
        ][1:]
        assert possible == [f"{name} is possible" for name in induction.actions]
        asked |= {*induction.actions}
    for name, action in of.machine.actions.items():
        if name in asked:
            continue
        state, choices, limits = of.given(of.unknowns())
        if name in world.excludes:
            assert world.excludes[name] in ("", *world.premises) or world.dropped
            assert world.permits(name, state, choices, limits) is False
        else:
            assert not action.has(client)
            assert smt.is_false(simplify(term(act_of(client.encoding, name)(state, choices, limits).guard)))
    conclusion = induction.conclusion
    assert {*(["time-passes"] if of.clock else []), *(conclusion or ())[:1]} <= asked


@each_claim(PROVED, slow=beside_another(PROVED))
def test_initiation_and_consecution_are_proved(machine, claim):
    assert not [one.name for one in claim.obligations if fails(one, claim.subjects[0].encoding)]


@each_claim(PROVED)
def test_initiation_is_omitted_only_if_nothing_is_bad_at_first(machine, claim):
    of, limits = machine.of(claim), machine.of(claim).examples
    first = claim.world.first(Evaluator(of.machine, claim.subjects[0], limits).first(), limits)
    induction = claim.guarantee.induction(claim.world)
    assert all(conjunct.holds(first, limits) is True for conjunct in induction.invariant)
    assert of.bad(claim)(first, limits) is False


@each_claim(IN_FULL, slow=lambda *pair: (pair[0].heavy and not pair[0].large) or beside_another(IN_FULL)(*pair))
def test_no_conjunct_can_be_left_out(machine, claim):
    guarantee, encoding = claim.guarantee, claim.subjects[0].encoding
    others = () if machine.apiece else (one for _, one in PROVED if one.guarantee is guarantee)
    proofs = [guarantee.induction(one.world) for one in (claim, *others)]
    for conjunct in guarantee.induction(claim.world).invariant:
        named = guarantee.name, *(claim.id.split(".", many)[-1] for many in (1, 2))
        if any((name, conjunct.name) in machine.spare for name in named):
            continue
        less = [proof for proof in (without(proof, conjunct.name) for proof in proofs) if proof]
        asked = [one for proof in less for one in guarantee.made(proof)]
        assert any(fails(obligation, encoding) for obligation in asked), conjunct.name


def without(proof, name: str):
    """The proof without one conjunct; None if it has no such conjunct."""
    left = tuple(one for one in proof.invariant if one.name != name)
    return replace(proof, invariant=left) if len(left) < len(proof.invariant) else None


# Code and terms


@each_client_at_length
def test_code_refines_the_terms_for_all_numbers(machine, client):
    for name in machine.configuration.machine.actions:
        lines = texts.proof(client.name, refinement(machine.configuration, client, name), client.encoding).splitlines()
        text = "\n".join(line for line in lines if not line.startswith(";"))
        for solver in ("z3",) if name in machine.by_z3 else SOLVERS:
            assert outcome(solver, text) is Outcome.UNSAT, (name, solver)


@dataclass(frozen=True, eq=False)
class Some(Space):
    """Some states of a space."""

    columns: Mapping[str, np.ndarray] = field(default_factory=dict)

    @classmethod
    def of(cls, space: Space, places) -> "Some":
        """Those in these places."""
        own = {one.name: getattr(space, one.name) for one in fields(Space)}
        return cls(**own, columns={name: column[places] for name, column in space.states.items()})

    @property
    def size(self) -> int:
        return len(next(iter(self.columns.values())))

    @property
    def states(self) -> Mapping[str, np.ndarray]:
        return self.columns


class Anyhow(MachineWorld):
    """A world without premises, in which time passes and does not go back."""

    def waits(self, state, until, limits):
        return until >= state.now


@each_client_but(lambda machine, client: False, [pair for pair in CLIENTS if pair[1].code.form is not Code.form])
def test_every_reachable_state_is_a_state_of_the_code(machine, client):
    """``Code.form`` is an invariant without any premise, except that limits are not negative."""
    any_world = Anyhow("any", ())
    form = Conjunct("form", "The code can be in the state.", client.code.form)
    of = replace(machine.configuration, joined=False)
    proof = Induction(of, client, any_world, (form,), lambda s, lim: False, begins=lambda s, lim: {})
    assert not [one.name for one in proof.obligations() if fails(one, client.encoding)]


@each_machine
def test_number_of_distinct_states_equals_the_closed_form(machine):
    space = machine.steps.space
    of = machine.configuration.machine
    assert set(space.states) - set(names(of.limits)) == set(names(of.state))
    rows = np.stack(list(space.states.values()), axis=1)
    assert len(np.unique(rows, axis=0)) == len(rows) == space.size


@some_clients
def test_code_and_terms_agree_in_a_tenth_of_the_states(machine, client, monkeypatch):
    """A random sample, with one check per action; ``verify --quick`` checks all."""
    if not machine.tries(client):
        return
    whole, pieces = machine.steps.space, enumerate(machine.steps.space.pieces)
    some = Some.of(whole, Random(client.name).sample(range(whole.size), whole.size // 10))
    monkeypatch.setattr(machine.steps, "space", some)
    for place in {move.action: place for place, (move, _) in pieces}.values():
        totals = machine.steps(client.name)(place)
        assert (totals.counted, totals.differing) == (whole.size // 10, 0)


@pytest.mark.slow
@each_client
def test_code_and_terms_agree_in_every_state(machine, client):
    for place in range(len(machine.steps.space.pieces)):
        totals = machine.steps(client.name)(place)
        assert (totals.counted, totals.differing) == (machine.steps.space.size, 0)


@each_machine
@pytest.mark.parametrize("every", [2, QUICK.every])
def test_every_row_of_each_part_is_in_a_tried_state(machine, every):
    space, every = machine.steps.space, machine.steps("", every).one_in
    for piece in range(len(space.pieces)):
        places, begin = space.places(piece, every), 0
        assert len(set(places.tolist())) == len(places) == ceil(space.size / every)
        assert 0 <= min(places) <= max(places) < space.size
        for parts in (space.parts, *space.besides):
            sizes = [len(part) for part in parts]
            there = places[(begin <= places) & (places < begin + prod(sizes))] - begin
            rows = np.unravel_index(there, sizes)
            assert [len(np.unique(one)) for one in rows] == sizes
            begin += prod(sizes)
    tried = [space.places(piece, every) for piece in range(every)]
    assert len(np.unique(np.concatenate(tried))) == space.size, "as many pieces have all states among them"


@each_machine
def test_all_pieces_together_compare_every_state(machine, monkeypatch):
    """In a sample of the states, too: the same ones in each piece would leave the others to no comparison."""
    space, few = machine.steps.space, machine.steps(machine.clients[0].name, QUICK.every)
    monkeypatch.setattr(comparison, "act", lambda *given: None)
    monkeypatch.setattr(Space, "by_terms", lambda self, encoding, piece, some: [None] * len(next(iter(some.values()))))
    compared = []
    for piece in range(len(space.pieces)):
        few(piece, lambda digits, **columns: compared.append(digits))
    every = np.stack(list(space.states.values()), axis=1)
    assert len(space.pieces) >= few.one_in
    assert np.array_equal(np.unique(np.concatenate(compared), axis=0), np.unique(every, axis=0))


@each_machine
def test_sampled_states_are_compared_like_all_states(machine):
    name, (first, last) = machine.clients[0].name, (0, len(machine.steps.space.pieces) - 1)
    few = machine.steps(name, 16)
    one_in = few.one_in
    assert few.check().expected == len(machine.steps.space.pieces) * ceil(machine.steps.space.size / one_in)
    assert (few.check().bounds, machine.steps(name).check().bounds) == ({ONE_IN: 16} if one_in > 1 else {}, {})
    for piece in (first, last):
        kept = []
        totals = few(piece, lambda kept=kept, **columns: kept.append(columns))
        assert (totals.counted, totals.differing) == (ceil(machine.steps.space.size / one_in), 0)
        wanted = machine.steps.space.by_terms(machine.clients[0].encoding, piece)
        found = [wanted[place] for place in machine.steps.space.places(piece, one_in)]
        assert [one == "nothing" for one in kept[0]["found"]] == [one is None for one in found]


@each_machine
def test_rows_contain_the_compared_outcomes(machine):
    kept = []
    machine.steps(machine.clients[0].name)(0, lambda **columns: kept.append(columns))
    (columns,) = kept
    assert len(columns["found"]) == machine.steps.space.size
    assert len(set(columns["digest"].tolist())) > 1
    assert "nothing" in columns["found"]


@some_clients
def test_code_that_differs_from_the_terms_is_reported(machine, client, monkeypatch):
    of = machine.configuration.machine
    for mutant in client.mutants:
        if not (places := concerned(machine, client, mutant.encoding)):
            assert any(getattr(mutant.encoding, part) is not getattr(client.encoding, part) for part in of.parts)
            continue  # The mutant is wrong in a part that only premises use; the comparison ignores it.
        wrong = replace(client)
        object.__setattr__(wrong, "encoding", mutant.encoding)
        monkeypatch.setattr(machine.steps, "known", lambda name, wrong=wrong: wrong)
        assert any(told_in_some(machine, client, mutant.encoding, place, monkeypatch) for place in places), mutant.name


def told_in_some(machine, client, wrong, place, monkeypatch) -> bool:
    """Whether the comparison tells wrong terms; it is made in some states where they differ, and in as many others."""
    space = WHOLE[machine.named]
    right, said = space.by_terms(client.encoding, place), space.by_terms(wrong, place)
    differ = [at for at in range(space.size) if right[at] != said[at]][:20]
    monkeypatch.setattr(
        machine.steps, "space", Some.of(space, [*differ, *range(0, space.size, max(1, space.size // 20))])
    )
    totals = machine.steps(client.name)(place)
    assert totals.differing >= len(differ)
    return bool(totals.differing and totals.first)


def concerned(machine, client, encoding) -> list[int]:
    """Indexes of the pieces whose actions the other encoding changes."""
    right, pieces = client.encoding, enumerate(WHOLE[machine.named].pieces)
    return [place for place, (move, _) in pieces if act_of(encoding, move.action) is not act_of(right, move.action)]


# Mutants


def steps_of(machine, client):
    """All obligations and lemmas proved for the client's encoding, without duplicates."""
    claims = [claim for claim in machine.told_of(client) if claim.holds]
    steps = dict.fromkeys(step for claim in claims for step in (*claim.obligations, *claim.lemmas))
    return [step for step in steps if not (machine.alike and fails(step, client.encoding))]


@each_client
def test_every_mutant_violates_its_guarantee(machine, client):
    """Each mutant breaks its guarantee, even for a client without that claim."""
    held = [one for one in machine.claims if one.holds and machine.of(one).bad(one)]
    for mutant in client.mutants:
        named = [one for one in held if mutant.breaks == ".".join(filter(None, (one.guarantee.name, one.variant)))]
        claim = next((one for one in named if one.subjects == (client,)), named[0])
        runs = timed_runs(machine.of(claim))
        assert runs.explored(mutant.encoding, replace(claim, subjects=(client,))), mutant.name


@each_machine
def test_every_mutant_targets_a_proved_guarantee(machine):
    claimed = {mutant.name for one, claim in CLAIMS if one is machine and claim.holds for mutant in claim.mutants}
    assert claimed == {mutant.name for client in machine.clients for mutant in client.mutants}


@each_machine
def test_every_slip_is_noticed_by_a_proof(machine):
    noticed, slips = set(), set()
    for client in machine.clients:
        steps = steps_of(machine, client)
        for slip in KINDS[machine.kind].slips(client.encoding):
            slips.add(slip.name)
            if slip.name not in noticed and notices(machine, client, steps, slip.encoding):
                noticed.add(slip.name)
    assert noticed == slips


@each_light_client
def test_every_generated_mutant_is_detected(machine, client):
    """Every mutant made by rule is noticed: in the states of the space, by the code on unknown numbers, or by a proof;
    and what is noticed in the states is noticed in those of the quick bounds."""
    of, space, by = machine.configuration, machine.steps.space, {"states": 0, "code": 0, "proofs": 0}
    steps, right = steps_of(machine, client), cache(partial(space.by_terms, client.encoding))
    for name, mutant in by_rule(of.machine, client, client.encoding, client.code.form):
        pieces = [piece for piece, (move, _) in enumerate(space.pieces) if move.action == name]
        if any(right(piece) != space.by_terms(mutant.encoding, piece) for piece in pieces):
            by["states"] += 1
            one_in = machine.steps(client.name, QUICK.every).one_in
            some = ((piece, space.places(piece, one_in)) for piece in pieces)
            assert any(
                [right(piece)[place] for place in places] != space.by_terms(mutant.encoding, piece, space.some(places))
                for piece, places in some
            ), mutant.name
        elif fails(refinement(of, client, name), mutant.encoding):
            by["code"] += 1
        else:
            assert notices(machine, client, steps, mutant.encoding), mutant.name
            by["proofs"] += 1
    assert by["states"] > 10 * (by["code"] + by["proofs"])


# Runs


@each_claim(CLAIMS, slow=lambda *pair: beside_another(PROVED if pair[1].holds else REFUTED)(*pair))
def test_refuted_claim_has_the_expected_run_length_and_runs_by_the_code(machine, claim):
    found = timed_runs(machine.of(claim)).smallest(claim)
    if claim.holds:
        assert found is None
        with pytest.raises(LookupError, match=f"{claim.id}: "):
            SHOWN[machine.kind].smallest(claim)
        return
    assert found.departures == len(found.group.seen) == machine.length(claim)
    assert claim.guarantee.violation(found.group)


@each_claim(TIMED, slow=beside_others(TIMED))
def test_run_times_are_the_earliest(machine, claim):
    """There is no violation one millisecond earlier."""
    runs = timed_runs(machine.of(claim))
    found = runs.smallest(claim)
    schedule = tuple(seen.happens for seen in found.group.seen)
    times = times_of(schedule)
    reached = runs.reached(claim.subjects[0].encoding, claim, schedule, times)
    solver = Solver()
    solver.add(*reached.constraints.values(), claim.guarantee.violated(reached), times[-1] < found.group.end.now)
    solver.add(*(later > sooner for sooner, later in pairwise(times) if machine.configuration.apart))
    assert solver.check() == unsat


@pytest.mark.slow
@each_claim([(machine, claim) for machine, claim in REFUTED if machine.length(claim) <= machine.unrolled])
def test_solver_finds_no_shorter_run(machine, claim):
    """Only short runs are searched: the solver takes very long for more actions."""
    of = machine.of(claim)
    by_solver = fewest_of_copies if of.copies > 1 and not of.clock else fewest
    assert by_solver(of, claim, machine.length(claim)) == machine.length(claim)


@each_claim(ENDED, slow=beside_others(ENDED))
def test_exploration_stops_at_its_limit_of_actions(machine, claim):
    less, enough = (replace(machine.of(claim), limit=machine.length(claim) - fewer) for fewer in (1, 0))
    assert explored(less, claim.subjects[0].encoding, claim) is None
    assert len(explored(enough, claim.subjects[0].encoding, claim)) == machine.length(claim)


MORE = 17
"""Greatest number of actions in explorations that do not end."""


def tried_longer(machine, claim) -> bool:
    if not claim.holds or not machine.configuration.gives_up:
        return False
    return not machine.large or claim.world.name in {*machine.ends, *machine.goes_on}


@pytest.mark.slow
@each_claim([(machine, claim) for machine, claim in CLAIMS if tried_longer(machine, claim)])
def test_no_longer_run_violates_a_proved_claim(machine, claim):
    """The exploration ends without a bad state after any number of actions, or tries more actions than usual."""
    goes_on = claim.world.name in machine.goes_on
    whole = replace(machine.of(claim), limit=MORE if goes_on else 99, gives_up=goes_on)
    assert explored(whole, claim.subjects[0].encoding, claim) is None


@each_claim(EXPLAINED, slow=beside_others(EXPLAINED))
def test_run_of_the_code_is_explained_by_the_machine(machine, claim):
    """The evaluator explains the code's states without knowing its choices, and only these states."""
    of = machine.of(claim)
    run = timed_runs(of).smallest(claim).group
    if of.copies > 1:
        assert_explained(of, run, machine.several)
        return
    tried = {name: [value] for name, value in of.numbers(run.limits).items()}
    evaluator = Evaluator(of.machine, claim.subjects[0], run.limits, tried)
    seen = [one for one in names(of.machine.state) if one not in ghosts(of.machine.state)]
    events = [
        Event(one.happens.action, one.at, seen={name: getattr(one.state, name) for name in seen})
        for one in run.seen
        if one.happens.action != OBSERVES
    ]
    assert run.seen[len(events) - 1].state in evaluator.explain(events)


def assert_explained(of, run, several) -> None:
    """Each copy's state is the successor of its last one by the machine's action."""
    evaluator, befores = Evaluator(of.machine, run.client, run.limits), (run.first,) * of.copies
    for one in run.seen:
        who = of.acting(one.happens)
        chosen = vars(of.chosen(one.happens, run.limits))
        after = evaluator.step(befores[who], one.happens.action, one.at, chosen)
        assert after.but(**{name: getattr(one.states[who], name) for name in several}) == one.states[who]
        befores = one.states
