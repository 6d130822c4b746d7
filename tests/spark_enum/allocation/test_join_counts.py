"""Counts of moved queues in joins, compared with the clients' code."""

from dataclasses import replace

import numpy as np
import pytest

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.movement.lemmas import changed_hands_observed as changed_hands
from rebalance_proofs.spark_enum.allocation.witness import CASES, count, joins, joins_of

AVG, CIRCLE = CASES
LARGEST = (6, 9)

by_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.strategy.name)


def every_join(bound):
    """All (consumers before the join, queues, place), few consumers first."""
    return [(c, q, j) for c in range(1, bound[0] + 1) for q in range(1, bound[1] + 1) for j in range(c + 1)]


def arrays(bound):
    """The same as columns."""
    parts = [joins_of(consumers, bound[1]) for consumers in range(1, bound[0] + 1)]
    return tuple(np.concatenate(columns) for columns in zip(*parts, strict=True))


@pytest.mark.parametrize("bound", [(1, 1), (1, 5), (5, 1), LARGEST])
def test_every_join_is_listed_once_in_order(bound):
    assert list(zip(*(column.tolist() for column in arrays(bound)), strict=True)) == every_join(bound)
    assert len(every_join(bound)) == joins(*bound)


def test_closed_form_at_the_default_bound():
    assert joins(64, 64) == 64 * sum(c + 1 for c in range(1, 65)) == 137_216


@by_case
def test_counts_agree_with_code_and_closed_forms(case):
    found = count(case, *arrays(LARGEST))
    for place, (c, q, j) in enumerate(every_join(LARGEST)):
        group = JOINS.group((case.strategy,), c + 1, q, (j,))
        assert found.moved[place] == changed_hands(group, group.allocate())
    assert (found.moved == found.exactly).all()
    assert (found.moved <= found.bound).all()


@by_case
def test_bound_is_attained_at_every_size(case):
    found = count(case, *arrays(LARGEST))
    sizes = np.stack([found.consumers, found.queues], axis=1)
    attained = {tuple(size) for size in sizes[found.moved == found.bound].tolist()}
    assert attained == {tuple(size) for size in sizes.tolist()}


def test_wrong_owner_is_detected():
    wrong = replace(AVG.strategy.encoding, owner=lambda q, c, position: position % c)
    case = replace(AVG, strategy=replace(AVG.strategy, encoding=wrong))
    found = count(case, *arrays(LARGEST))
    assert (found.moved != found.exactly).any()


def test_digest_depends_on_the_moved_queues():
    by_strategy = [count(case, *arrays(LARGEST)).digest for case in CASES]
    for digest in by_strategy:
        assert len(set(digest.tolist())) == joins(*LARGEST)
    same = count(replace(AVG, bound=lambda q, c: smt.IntVal(0)), *(column[::-1] for column in arrays(LARGEST))).digest
    assert (same[::-1] == by_strategy[0]).all()
    assert (by_strategy[0] != by_strategy[1]).any()


def test_empty_set_of_joins_has_no_counts():
    found = count(AVG, *joins_of(1, 0))
    assert {len(column) for column in vars(found).values()} == {0}
