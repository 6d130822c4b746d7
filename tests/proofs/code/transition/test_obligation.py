"""A client's code and terms agree about one queue for any numbers; a change in either is detected."""

import pytest

from rebalance_proofs.model.client.node import Node
from rebalance_proofs.model.client.process_queue_table import PULL_MAX_IDLE_TIME, ProcessQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.clients import CLIENTS, NODE, V5_2
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.code.transition import obligation, outcomes, tree
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome

USES = {f"{client.name}-{mode.slug}": (client, mode) for client in CLIENTS for mode in client.modes}
QUICK = ("node-push", "node-push-broadcasting", "java_v5_2-pull", "java_v5_2-lite-pull", "java_v4_9-pull")
SHAPES = {"node-push": 626, "node-push-broadcasting": 189, "java_v5_2-pull": 46, "java_v5_2-lite-pull": 186}


def said(solver, client, mode, encoding=None):
    text = texts.proof("test", obligation(client, mode), encoding or client.encoding)
    return SOLVERS[solver].solve(text, seconds=60)[0]


@pytest.mark.parametrize("name", QUICK)
def test_transition_obligation_is_proved_by_both_solvers(name):
    assert {said(solver, *USES[name]) for solver in SOLVERS} == {Outcome.UNSAT}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in USES if name not in QUICK])
def test_transition_obligation_is_proved_in_every_mode(name):
    assert {said(solver, *USES[name]) for solver in SOLVERS} == {Outcome.UNSAT}


@pytest.mark.parametrize("name", SHAPES)
def test_number_of_paths_is_unchanged(name):
    """Fewer would mean that the code reads less, or that some are lost."""
    assert len(outcomes(*USES[name])) == SHAPES[name]


def test_transition_assumptions_can_hold():
    (mode, _) = NODE.modes
    text = texts.premises("test", obligation(NODE, mode), NODE.encoding, (1, 1))
    assert {SOLVERS[solver].solve(text, seconds=20)[0] for solver in SOLVERS} == {Outcome.SAT}


@pytest.mark.parametrize("mutant", NODE.mutants, ids=lambda mutant: mutant.name)
def test_every_node_mutant_of_the_terms_is_detected(mutant):
    assert any(said("z3", NODE, mode, mutant.encoding) is Outcome.SAT for mode in NODE.modes)


@pytest.mark.parametrize("name", ["any-topic", "left-in-table", "new-marked", "silent-about-new", "no-persist"])
def test_lite_pull_consumer_notices_term_mutants(name):
    (mutant,) = [mutant for mutant in V5_2.mutants if mutant.name == name]
    (mode,) = [mode for mode in V5_2.modes if mode.slug == "lite-pull"]
    assert said("z3", V5_2, mode, mutant.encoding) is Outcome.SAT


@pytest.fixture
def fresh():
    """Clears the paths that were found while the code was another."""
    outcomes.cache_clear()
    texts.proof.cache_clear()
    yield
    outcomes.cache_clear()
    texts.proof.cache_clear()


def test_limit_off_by_one_ms_is_detected(fresh, monkeypatch):
    """No enumerated pull is exactly as old as the limit."""
    monkeypatch.setattr(
        ProcessQueue, "is_pull_expired", lambda entry, now: now - entry.last_pull_timestamp >= PULL_MAX_IDLE_TIME
    )
    (mode, _) = NODE.modes
    assert said("z3", NODE, mode) is Outcome.SAT


@pytest.mark.parametrize("attribute", ["remove_process_queue", "compute_pull_from_where"])
def test_changed_method_is_detected(fresh, monkeypatch, attribute):
    """A method that does nothing, or that returns 0 as the first offset."""
    monkeypatch.setattr(Node, attribute, lambda self, queue: 0)
    (mode, _) = NODE.modes
    assert said("z3", NODE, mode) is Outcome.SAT


def test_lost_outcome_is_detected():
    (mode, _) = NODE.modes
    found = dict(outcomes(NODE, mode))
    del found[next(iter(found))]
    with pytest.raises(KeyError):
        tree(found, SameAlways())


class SameAlways:
    """No outcome is looked at."""

    def same(self, outcome):
        return smt.BoolVal(bool(outcome.effects))
