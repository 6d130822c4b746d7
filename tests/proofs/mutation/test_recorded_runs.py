"""Both solvers check recorded runs of mutants; where one no longer fits, the shortest run is explored."""

import asyncio
import json
from dataclasses import replace

import pytest

from rebalance_proofs.evidence.gathered import found_wrong
from rebalance_proofs.model.machine.run import Happens
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.mutation import recorded_runs
from rebalance_proofs.proofs.mutation.record import shortest
from rebalance_proofs.proofs.mutation.recorded_runs import RECORDED, recorded_run, written
from rebalance_proofs.proofs.results import MutantResult
from rebalance_proofs.proofs.search import violation
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome
from rebalance_proofs.proofs.timed_search import LookingAtRuns
from tests.proofs.solvers.pools import Scripted, said

TIMED = {
    (claim.id, mutant.name): (claim, mutant)
    for claim in LEDGER
    if claim.expected is Verdict.PROVED
    for mutant in claim.mutants
    if isinstance(KINDS[claim.kind].looking(claim, Scripted([]), mutant), LookingAtRuns)
}
CLAIM, MUTANT = next(pair for (name, _), pair in TIMED.items() if name.startswith("settling."))
SHORTEST = recorded_run(CLAIM, MUTANT)


def solved(text):
    """By both solvers, in this process."""
    return [said(outcome, **model) for outcome, model, _ in (one.solve(text, seconds=20) for one in SOLVERS.values())]


@pytest.fixture
def other_run(monkeypatch):
    """Function that puts another run in the place of the recorded one, and looks for a violation."""

    def look(run, **changes):
        monkeypatch.setattr(recorded_runs, "_recorded", lambda: {CLAIM.id: {MUTANT.name: run}})
        asked = []
        pool = Scripted(lambda text: asked.append(text) or solved(text))
        looking = KINDS[CLAIM.kind].looking(CLAIM, pool, MUTANT)
        looking.runs = replace(looking.runs, **changes)
        return asyncio.run(violation(looking)), asked

    return look


def test_every_explored_mutant_has_a_recorded_run():
    found = {(claim, name) for claim, runs in json.loads(RECORDED.read_text(encoding="utf-8")).items() for name in runs}
    assert found == set(TIMED)


def test_recorded_run_is_verified_without_exploration(other_run):
    found, asked = other_run(SHORTEST, explored=lambda encoding, claim: pytest.fail("it explores"))
    assert found.outcome is Outcome.SAT
    assert len(asked) == 1


@pytest.mark.parametrize(
    "run",
    [
        (Happens(0, "no such action"),),
        (Happens(0, "looks", (("no such choice", True),)),),
        tuple(reversed(SHORTEST)),
    ],
    ids=["action", "choice", "order"],
)
def test_outdated_run_is_replaced_by_the_shortest(run, other_run):
    found, _ = other_run(run)
    assert found.outcome is Outcome.SAT
    assert int(found.name.rpartition("-")[2]) == len(SHORTEST)


def test_violation_is_reported_for_the_requested_run(other_run):
    """Also for a run longer than the shortest: its times belong to it alone."""
    stirs = next(one for one in SHORTEST if one.action == "stirs")
    run = (*SHORTEST[:-1], stirs, SHORTEST[-1])
    result = MutantResult(MUTANT.name, MUTANT.sentence, (), other_run(run)[0])
    assert found_wrong(CLAIM, result).said == f"the guarantee is violated after {len(run)} actions."
    claim = replace(CLAIM, guarantee=replace(CLAIM.guarantee, violated=lambda reached: smt.BoolVal(False)))
    assert not found_wrong(claim, result).noticed


def test_runs_are_recorded_as_they_are_read():
    runs = shortest([CLAIM], Scripted([]))
    assert runs[CLAIM.id][MUTANT.name] == recorded_run(CLAIM, MUTANT)
    assert json.loads(written(runs)) == {CLAIM.id: json.loads(RECORDED.read_text(encoding="utf-8"))[CLAIM.id]}


def test_mutant_without_a_recorded_run_is_explored(other_run):
    assert recorded_run(CLAIM, replace(MUTANT, name="new")) is None
    found, asked = other_run(None)
    assert found.outcome is Outcome.SAT
    assert len(asked) == 1
