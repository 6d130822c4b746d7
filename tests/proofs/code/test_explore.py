"""Symbolic execution of small functions with known paths."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.strategy import AllocationError
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.proofs.code import explore as exploring
from rebalance_proofs.proofs.code.claims import subject_of
from rebalance_proofs.proofs.code.explore import Inputs, explore
from rebalance_proofs.proofs.code.run import AT, PLACE, Filtered, Turning, Unsupported
from rebalance_proofs.proofs.code.source import Code, code_of
from tests.proofs.code.mutated import unproved

Q, C = smt.Ints("q c")


def all_of_it(current_cid, mq_all, cid_all):
    result = []
    for i in range(len(mq_all)):
        result.append(mq_all[i])
    return result


def two_ways(current_cid, mq_all, cid_all):
    result = []
    if len(mq_all) > len(cid_all):
        result.append(mq_all[0])
    if len(mq_all) > len(cid_all):
        result.append(mq_all[1])
    return result


def by_threes(current_cid, mq_all, cid_all):
    result = []
    for i in range(1, len(mq_all), 3):
        result.append(mq_all[i])
    return result


def every_other(current_cid, mq_all, cid_all):
    result = []
    for i, queue in enumerate(mq_all):
        if i % 2 == 0:
            result.append(queue)
    return result


def one_or_its_neighbour(current_cid, mq_all, cid_all):
    result = []
    for i in range(len(mq_all) - 1):
        if i < len(cid_all):
            result.append(mq_all[i])
        else:
            result.append(mq_all[i + 1])
    return result


def throws_in_a_turn(current_cid, mq_all, cid_all):
    result = []
    for i in range(len(mq_all)):
        if i > len(cid_all):
            raise AllocationError("too many")
        result.append(mq_all[i])
    return result


def paths(function):
    return explore(code_of(function), Inputs())


def valid(formula):
    solver = Solver()
    solver.add(smt.Not(formula))
    return solver.check() == unsat


def test_appending_loop_is_described_by_its_index():
    (path,) = paths(all_of_it)
    (segment,) = path.segments
    assert valid(smt.Implies(Q >= 0, segment.length == Q))
    assert valid(segment.element.place == PLACE)
    assert valid(smt.And(path.guards))


def test_repeated_condition_is_decided_once():
    more, less = paths(two_ways)
    assert [len(path.segments) for path in (more, less)] == [2, 0]
    assert valid(more.condition == (Q > C))
    assert valid(less.condition == (Q <= C))
    assert not valid(smt.Implies(more.condition, smt.And(more.guards)))
    assert valid(smt.Implies(smt.And(C >= 1, more.condition), smt.And(more.guards)))


def test_loop_with_a_step_has_the_number_of_turns_that_fit():
    (path,) = paths(by_threes)
    (segment,) = path.segments
    for q in range(9):
        found = simplify(smt.substitute(segment.length, (Q, smt.IntVal(q)))).number
        assert found == len(range(1, q, 3))
    assert valid(segment.element.place == 1 + 3 * PLACE)


def test_conditionally_appending_loop_is_described_by_its_filter():
    (path,) = paths(every_other)
    (segment,) = path.segments
    assert isinstance(segment, Filtered)
    assert valid(segment.keeps == smt.And(0 <= AT, AT < Q, AT % 2 == 0))
    assert valid(segment.element.place == AT)


def test_loop_turn_may_append_alternatives():
    (path,) = paths(one_or_its_neighbour)
    (segment,) = path.segments
    assert valid(segment.element.place == smt.If(PLACE < C, PLACE, PLACE + 1))
    assert valid(smt.And(path.guards))


def test_exception_free_loop_is_a_guard():
    (path,) = paths(throws_in_a_turn)
    assert valid(smt.Implies(Q <= C + 1, smt.And(path.guards)))
    assert not valid(smt.Implies(Q <= C + 2, smt.And(path.guards)))


def test_avg_has_its_expected_paths():
    """Three for the remainder, both with at most as many queues as consumers and with more; four of ``check``."""
    found = explore(code_of(AVERAGELY.allocate), Inputs())
    assert [path.raises for path in found] == [None] * 7 + [AllocationError] * 3
    assert [len(path.segments) for path in found] == [1] * 6 + [0] * 4


@pytest.mark.parametrize("lost", range(6))
def test_lost_path_is_detected(monkeypatch, lost):
    """By ``paths``, the only one that compares several paths."""
    subject = subject_of(AVERAGELY)
    found = list(explore(subject.code, subject.inputs))
    del found[lost]
    monkeypatch.setattr("rebalance_proofs.proofs.code.statements.explore", lambda code, inputs: tuple(found))
    other = replace(subject, code=Code(subject.code.text + f"\n# without path {lost}\n", subject.code.function))
    assert unproved(other, AVERAGELY.encoding) == ["paths"]


def test_skipped_branch_is_detected(monkeypatch):
    """An explorer that never takes the other branch of a condition on the remainder."""
    decide = Turning.decide

    def forgetful(self, condition, *admitted):
        answer = decide(self, condition, *admitted)
        if "(mod q c)" in str(condition):
            self.others = [others for others in self.others if others[:-1] != self.answers[:-1]]
        return answer

    monkeypatch.setattr(Turning, "decide", forgetful)
    subject = subject_of(AVERAGELY)
    other = replace(subject, code=Code(subject.code.text + "\n# forgetful\n", subject.code.function))
    assert "paths" in unproved(other, AVERAGELY.encoding)


def test_too_many_paths_are_refused(monkeypatch):
    monkeypatch.setattr(exploring, "MOST", 5)
    with pytest.raises(Unsupported, match="more than 5 paths through the code"):
        explore(code_of(AVERAGELY.allocate), Inputs())
