"""Every group over topics up to (3, 5): formulas for the solvers compared with results of the code."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.topics import STRATEGIES, TOPICS
from rebalance_proofs.proofs.topics.claims import GUARANTEES
from rebalance_proofs.spark_enum.allocation.group_check import GroupCheck
from rebalance_proofs.spark_enum.allocation.space import Space

SPACE = Space(TOPICS, 3, 5)
each_strategy = pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)


@each_strategy
def test_topic_formulas_equal_the_concrete_results(strategy):
    checked = list(GroupCheck(TOPICS, (strategy,), GUARANTEES)(SPACE))
    assert [found.mismatch for found in checked if found.mismatch] == []
    assert [found.configuration for found in checked] == list(SPACE)
    assert len(checked) == SPACE.groups == 3 * 31
    for found in checked:
        assert found.positions == found.configuration.consumers * found.configuration.queues


@each_strategy
def test_topic_violations_are_those_of_failing_guarantees(strategy):
    broken = set()
    for found in GroupCheck(TOPICS, (strategy,), GUARANTEES)(SPACE):
        broken |= {guarantee.name for guarantee, said in zip(GUARANTEES, found.violations, strict=True) if said}
    assert broken == strategy.fails


@each_strategy
def test_wrong_topic_encoding_is_detected(strategy):
    for mutant in strategy.mutants:
        wrong = replace(strategy, encoding=mutant.encoding)
        assert any(found.mismatch for found in GroupCheck(TOPICS, (wrong,), ())(SPACE)), mutant.name


@each_strategy
def test_wrong_topic_code_is_detected(strategy):
    others = [other for other in STRATEGIES if other.encoding.per_topic != strategy.encoding.per_topic]
    for other in others:
        wrong = replace(strategy, allocate=other.allocate)
        assert any(found.mismatch for found in GroupCheck(TOPICS, (wrong,), ())(SPACE)), other.name
