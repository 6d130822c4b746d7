"""Several copies of a small machine with shared fields: proved, explored, unrolled, and executed."""

from dataclasses import replace

import numpy as np
import pytest

from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER, Copies, Others
from rebalance_proofs.model.machine.machine import act_of, step
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.machine.kind import explored, timed_runs, together, violated
from rebalance_proofs.proofs.machine.rely import rely
from tests.machines.refinement import refinement
from tests.machines.test_machines import fails
from tests.machines.workers import (
    ALL,
    CLIENT,
    CONFIGURATION,
    ENCODING,
    PROOF,
    TAKEN,
    TAKES_ANYHOW,
    WORKERS,
    Choices,
    Limits,
    Premises,
    Worker,
    works,
)

ALONE = Guarantee(
    "alone",
    "",
    "",
    always(),
    violated(works, every=True),
    lambda run: "both work." if all(state.works for state in run.ends) else None,
)


def claim(world=ALL):
    even_if, variant = (f"even if {world.otherwise}", f"without-{world.name}") if world.dropped else ("", "")
    return Claim("workers", (CLIENT,), ALONE, world, world is ALL, even_if, "", "", (), variant)


def without(name):
    return claim(Premises(name, ("an assumption",), "it fails", drops="an assumption"))


def test_each_copy_sees_itself_and_the_others():
    copies = Copies.begun(Worker.blank(), 3)
    copies = copies.acted(1, copies.view(1).but(holder=ME, works=True))
    assert [view.holder for view in copies.views] == [OTHER, ME, OTHER]
    assert [view.works for view in copies.views] == [False, True, False]
    copies = copies.acted(2, copies.view(2).but(has=True)).at_time(5)
    assert [(view.holder, view.has, view.now) for view in copies.views] == [(2, False, 5), (1, False, 5), (2, True, 5)]
    copies = copies.acted(0, copies.view(0).but(holder=NOBODY))
    assert {view.holder for view in copies.views} == {NOBODY}


def test_members_with_the_same_id_take_each_other_for_themselves():
    copies = Copies.begun(Worker.blank(), 2, twins=True)
    assert [view.holder for view in copies.acted(1, copies.view(1).but(holder=ME)).views] == [ME, ME]


def test_terms_are_viewed_like_numbers():
    holder = smt.Int("holder")
    copies = Copies.begun(Worker.blank().but(holder=holder), 2)
    after = copies.acted(1, copies.view(1).but(holder=ME)).view(0)
    for value, seen in ((0, NOBODY), (1, ME), (2, OTHER)):
        assert simplify(smt.substitute(copies.view(0).holder, (holder, smt.IntVal(value)))).number == seen
    assert simplify(after.holder).number == OTHER


def test_one_copy_is_proved_against_any_number_of_others():
    steps = {one.name: one for one in (*PROOF.obligations(), rely(PROOF, (TAKEN,)))}
    expected = ["initiation", "takes", "begins", "ends", "time-passes", "others-take", "own-lock", "rely"]
    assert list(steps) == expected
    assert not [name for name, one in steps.items() if fails(one, ENCODING)]
    wrong = TAKES_ANYHOW.mutant(ENCODING).encoding
    assert [name for name, one in steps.items() if fails(one, wrong)] == ["rely"]


def test_rely_condition_must_cover_all_actions_of_others():
    assert fails(rely(PROOF, ()), ENCODING)
    own = replace(TAKEN, effect=lambda s, then, lim, mine: step(s.works, holder=OTHER, taken=s.now))
    with pytest.raises(ValueError, match="rely: the actions of others depend on more than shared fields"):
        rely(PROOF, (own,)).statement(ENCODING)


def test_fields_that_others_leave_open_are_unknown():
    """Only the owner changes shared fields; an owner's lock does not expire."""

    def anything(s, then, lim, mine):
        return step(smt.Not(mine), holder=then.holder, taken=then.taken)

    owner = (lambda s, lim: s.holder != NOBODY, lambda s, lim: s.holder == ME)
    owned = Others("others", "Others act.", "it is not this one's", anything, ("holder", "taken"), owner)
    proof = replace(PROOF, others=(owned,))
    steps = {one.name: one for one in proof.obligations()}
    assert {"holder_then", "taken_then"} <= set(steps["others"].variables)
    assert fails(steps["others"], ENCODING) is False
    # A lock that has run out can be taken from its owner.
    assert fails(rely(proof, (owned,)), ENCODING)
    never = replace(PROOF, world=Premises("never", ()), asked=lambda lim: {"never": lim.keeps < 0})
    assert not fails(rely(replace(never, invariant=()), (TAKEN,)), ENCODING)


def test_two_copies_never_work_unless_an_assumption_is_dropped():
    assert explored(CONFIGURATION, ENCODING, claim()) is None
    assert explored(CONFIGURATION, TAKES_ANYHOW.mutant(ENCODING).encoding, claim())
    schedule = explored(CONFIGURATION, ENCODING, without("forgotten"))
    who = [(one.who, one.action) for one in schedule if one.action != "forgets"]
    assert who == [(0, "takes"), (0, "begins"), (1, "takes"), (1, "begins")]
    assert len(schedule) == 5
    assert len(explored(CONFIGURATION, ENCODING, without("twins"))) == 4
    short = replace(CONFIGURATION, fits=lambda claim: (Limits(trusts=20, keeps=10), Limits(trusts=2, keeps=1)))
    assert len(explored(short, ENCODING, claim())) == 4


@pytest.mark.parametrize("name", ["forgotten", "twins"])
def test_run_is_possible_as_terms_and_by_the_code(name):
    found = timed_runs(CONFIGURATION).smallest(without(name))
    assert found.sentence == "both work."
    times = [seen.at for seen in found.group.seen]
    assert times == sorted(set(times))
    holder = ME if name == "twins" else OTHER
    assert [state.holder for state in found.group.ends] == [holder, ME]


def test_shorter_run_in_time_is_found_without_the_lock_assumption():
    short = replace(CONFIGURATION, fits=lambda claim: (Limits(trusts=20, keeps=10), Limits(trusts=2, keeps=1)))
    found = timed_runs(short).smallest(claim())
    assert [seen.at for seen in found.group.seen][-2] == 11


def test_hopeless_states_are_left_out():
    hopeless = replace(CONFIGURATION, hopeless=lambda claim: lambda s, lim: s.has)
    assert explored(hopeless, ENCODING, without("forgotten")) is None


def test_rows_distinguish_relevant_states():
    of = together(CONFIGURATION, ENCODING, claim())
    rows = of.start()
    assert of.columns == ("has0", "since0", "works0", "has1", "since1", "works1", "holder", "taken")
    (takes,) = [move for move in CONFIGURATION.moves if move.action == "takes" and dict(move.said)["heard"]]
    rows, places = of.after(rows, takes)
    assert places.tolist() == [0]
    assert rows[0, of.place(0, "holder")] == 1
    older = of.later(rows)
    assert (older[0, of.place(0, "since")], older[0, of.place(0, "taken")]) == (-1, -1)
    assert of.waits(older).tolist() == [True]
    assert of.waits(of.later(older)).tolist() == [False]
    assert len(set(of.packed(np.concatenate([rows, older])).tolist())) == 2
    assert of.later(of.later(of.later(of.later(older))))[0, of.place(0, "taken")] == -4


def test_code_of_copies_refines_the_terms():
    for name in ("takes", "begins", "ends"):
        assert not fails(refinement(CONFIGURATION, CLIENT, name), ENCODING), name


def test_action_of_a_copy_is_a_move_of_each():
    moves = [own for move in CONFIGURATION.moves for own in CONFIGURATION.whose(move)]
    assert [move.who for move in moves if move.action == "begins"] == [0, 1]
    assert [move.who for move in moves if move.action == "forgets"] == [0]
    assert [CONFIGURATION.words(move) for move in moves[-3:]] == ["X ends", "Y ends", "forgets"]
    turn = act_of(ENCODING, "takes")(Worker.blank(), Choices(heard=True), Limits(trusts=2, keeps=3))
    assert (turn.guard, turn.after.holder) == (True, ME)
    assert WORKERS.actions["takes"].choices == ("heard",)
