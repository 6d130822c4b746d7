"""Every registered strategy: its guarantees, its encoding against the client's code, its mutants."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rebalance_proofs.model.allocation import ALL, STRATEGIES
from rebalance_proofs.model.allocation.machine_room import RoomEncoding
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.allocation.claims import GUARANTEES
from tests.model.allocation.shares import share, shares
from tests.proofs.mutants import all_mutants, broken
from tests.unshipped import UNSHIPPED

each_strategy = pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
with_mutants = [strategy for strategy in ALL if strategy.mutants]


def mutants(strategies):
    """Each strategy with each of its mutants."""
    named = all_mutants(*strategies)
    return pytest.mark.parametrize(("strategy", "mutant"), named.values(), ids=named)


sizes = st.integers(1, 60)
BY_NAME = {guarantee.name: guarantee for guarantee in GUARANTEES}


def violation(strategy, guarantee, c, q):
    group = AGREED.group((strategy,), c, q, ())
    return guarantee.violation(group, group.allocate())


@each_strategy
@settings(deadline=None, max_examples=60)
@given(q=sizes, c=sizes)
def test_claimed_guarantees_hold_for_concrete_results(strategy, q, c):
    broken = {name: violation(strategy, BY_NAME[name], c, q) for name in strategy.holds}
    assert not any(broken.values()), broken


@pytest.mark.parametrize(
    ("strategy", "name"), [(strategy, name) for strategy in STRATEGIES for name in sorted(strategy.fails)]
)
def test_failing_guarantees_have_a_small_counterexample(strategy, name):
    assert any(violation(strategy, BY_NAME[name], c, q) for c in range(1, 5) for q in range(1, 6))


@each_strategy
def test_unlisted_id_takes_nothing(strategy):
    assert share(strategy, "c9", 4, ["c0", "c1"]) == []


@each_strategy
@settings(deadline=None, max_examples=60)
@given(q=sizes, places=st.lists(st.integers(0, 5), min_size=1, max_size=12))
def test_repeated_id_takes_the_share_of_its_first_index(strategy, q, places):
    repeated, distinct = [f"c{place}" for place in places], [f"c{k}" for k in range(len(places))]
    of_index = shares(strategy, q, distinct)
    assert shares(strategy, q, repeated) == [of_index[places.index(place)] for place in places]


@each_strategy
@settings(deadline=None, max_examples=60)
@given(data=st.data(), q=sizes, c=sizes)
def test_encoding_equals_the_concrete_result(strategy, data, q, c):
    index = data.draw(st.integers(0, c - 1), "index")
    position = data.draw(st.integers(-2, q + 2), "position")
    listed = share(strategy, client_ids(c)[index], q, client_ids(c))
    view = [smt.IntVal(number) for number in (q, c, index)]
    e, at = strategy.encoding, smt.IntVal(position)
    assert smt.is_true(simplify(e.owns(*view, at))) == (position in listed)
    assert simplify(e.count(*view)).number == len(listed)
    if listed:
        k = data.draw(st.integers(0, len(listed) - 1), "k")
        assert simplify(e.element(*view, smt.IntVal(k))).number == listed[k]
        assert simplify(e.rank(*view, smt.IntVal(listed[k]))).number == k


@each_strategy
@settings(deadline=None, max_examples=60)
@given(data=st.data(), q=sizes, c=sizes)
def test_owner_term_is_the_consumer_that_has_the_position(strategy, data, q, c):
    position = data.draw(st.integers(0, q - 1), "position")
    owner = simplify(strategy.encoding.owner(*map(smt.IntVal, (q, c, position)))).number
    assert [index for index, listed in enumerate(shares(strategy, q, client_ids(c))) if position in listed] == [owner]


def test_every_strategy_with_an_encoding_has_mutants():
    assert {*STRATEGIES} < {*with_mutants}
    assert {strategy.name for strategy in with_mutants} > {"hash", "nearby"}


@pytest.mark.parametrize("strategy", with_mutants, ids=lambda strategy: strategy.name)
def test_shipped_strategy_has_at_least_four_mutants_with_unique_names(strategy):
    names = [mutant.name for mutant in strategy.mutants]
    assert len(names) >= (1 if strategy in UNSHIPPED else 4)
    assert len(set(names)) == len(names)


@mutants(with_mutants)
def test_mutant_breaks_its_claimed_guarantee(strategy, mutant):
    assert broken(strategy, mutant).obligations


def table(encoding):
    """Which positions consumers own or take, how many they have, and which kinds are kept, for all small numbers."""
    names = ("q", "c", "i", "p", "kept", "r")
    q, c, i, p, kept, r = smt.Ints(" ".join(names))
    grid = np.indices((6, 4, 4, 8, 2, 6)).reshape(6, -1) + np.array([[1], [1], [0], [-1], [0], [0]])
    small = grid[:, grid[2] < grid[1]]
    rooms = []
    if isinstance(encoding, RoomEncoding):
        rooms = [encoding.takes(q, c, i, p, kept == 1, r), encoding.keeps(p)]
    return compile_kernel(names, encoding.owns(q, c, i, p), encoding.count(q, c, i), *rooms)(*small)


@mutants(STRATEGIES)
def test_mutant_differs_from_the_correct_encoding_for_small_sizes(strategy, mutant):
    right, wrong = table(strategy.encoding), table(mutant.encoding)
    assert any((a != b).any() for a, b in zip(right, wrong, strict=True))
