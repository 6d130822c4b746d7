"""Mutants of topic encodings: unique names, known guarantees, and a difference in some small case."""

import numpy as np
import pytest

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.topics import STRATEGIES, TOPICS

each_strategy = pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
SIZE = (3, 5)


@each_strategy
def test_every_held_topic_guarantee_has_a_mutant(strategy):
    names = [mutant.name for mutant in strategy.mutants]
    assert len(set(names)) == len(names) >= 3
    assert {mutant.breaks for mutant in strategy.mutants} == strategy.holds


def table(encoding):
    """Who owns what in all groups of one size."""
    group = TOPICS.symbolic((encoding,), *SIZE)
    names = [str(variable) for variable in group.variables]
    kernel = compile_kernel(names, *(member.owns for member in group.members))
    rows = [TOPICS.assignment(*SIZE, values, p) for values in TOPICS.all_values(*SIZE) for p in range(SIZE[1])]
    columns = [np.array([row[name] for row in rows]) for name in names]
    return np.stack([np.broadcast_to(column, len(rows)) for column in kernel(*columns)])


@each_strategy
def test_topic_mutant_differs_in_a_small_group(strategy):
    right = table(strategy.encoding)
    for mutant in strategy.mutants:
        assert (table(mutant.encoding) != right).any(), mutant.name


@each_strategy
def test_consistent_topic_mutants_break_a_guarantee(strategy):
    """Mutants of which every part is wrong in the same way, so that listing does not reveal them."""
    q, c = 5, 3
    for mutant in strategy.mutants:
        if mutant.name not in ("last-first", "remainder-to-first"):
            continue
        e = mutant.encoding
        for index in range(c):
            view = [smt.IntVal(number) for number in (q, c, index)]
            owned = [p for p in range(q) if smt.is_true(simplify(e.owns(*view, smt.IntVal(p))))]
            count = simplify(e.count(*view)).number
            listed = [simplify(e.element(*view, smt.IntVal(k))).number for k in range(count)]
            ranks = [simplify(e.rank(*view, smt.IntVal(p))).number for p in owned]
            assert (listed, ranks) == (owned, list(range(count)))
