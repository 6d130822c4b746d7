"""Closed forms compared with the clients' code, join by join."""

from functools import cache
from itertools import product

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.movement import lemmas as blocks
from rebalance_proofs.proofs.movement import lemmas as joined
from rebalance_proofs.proofs.movement.circle import staying, stays_at
from rebalance_proofs.proofs.movement.lemmas import (
    at_ends,
    changed_hands_twice,
    lean,
    most,
    shares,
    shares_of,
    squared,
)

SIZES = tuple(product(range(1, 8), range(1, 26)))
"""(consumers before the join, queues)."""

q, c, j = smt.Ints("q c j")


@cache
def moved(strategy, consumers, queues):
    """How many queues change hands, for each place of the joiner."""
    groups = [JOINS.group((strategy,), consumers + 1, queues, (place,)) for place in range(consumers + 1)]
    return [joined.changed_hands_observed(group, group.allocate()) for group in groups]


def test_closed_form_equals_the_moved_queues():
    twice = compile_kernel(("q", "c", "j"), changed_hands_twice(shares(q, c), j))
    for consumers, queues in SIZES:
        found = moved(AVERAGELY, consumers, queues)
        assert found == [blocks.changed_hands(queues, consumers, place) for place in range(consumers + 1)]
        assert [2 * number for number in found] == [
            twice(queues, consumers, place)[0] for place in range(consumers + 1)
        ]


def test_bound_is_attained_at_an_end_and_never_exceeded():
    for consumers, queues in SIZES:
        found = moved(AVERAGELY, consumers, queues)
        assert (found[0], found[-1]) == at_ends(queues, consumers)
        assert max(found) == max(found[0], found[-1]) == most(queues, consumers)


def test_last_joiner_moves_all_but_one_of_c_plus_1_queues():
    for consumers in range(1, 9):
        assert moved(AVERAGELY, consumers, consumers + 1)[-1] == consumers


def test_equal_sizes_move_half_of_the_queues_at_the_ends():
    for consumers in range(1, 5):
        queues = consumers * (consumers + 1)
        assert at_ends(queues, consumers) == (queues // 2, queues // 2)


@pytest.mark.parametrize("consumers", range(1, 6))
def test_terms_for_a_fixed_number_of_consumers_are_equal(consumers):
    unknown, given = shares(q, smt.IntVal(consumers)), shares_of(q, consumers)
    terms = [term for s in (unknown, given) for term in (changed_hands_twice(s, j), lean(s))]
    kernel = compile_kernel(("q", "j"), *terms)
    for queues, place in product(range(30), range(consumers + 1)):
        found = [int(value) for value in kernel(queues, place)]
        assert found[:2] == found[2:]


def test_squares_are_choices():
    for value in range(6):
        assert simplify(squared(smt.IntVal(value), 5)).number == value * value


def test_queues_that_stay_under_circle_are_at_the_computed_positions():
    count = compile_kernel(("q", "c", "j"), staying(q, c, j))
    for consumers, queues in SIZES:
        found = moved(AVERAGELY_BY_CIRCLE, consumers, queues)
        for place in range(consumers + 1):
            named = [
                position
                for position in range(queues)
                if smt.is_true(simplify(stays_at(consumers, place, smt.IntVal(position % (consumers**2 + consumers)))))
            ]
            assert queues - found[place] == count(queues, consumers, place)[0] == len(named)
        assert max(found) == found[0]
        assert queues > consumers**2 or found[0] == queues
