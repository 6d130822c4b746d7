"""Results of the client's code in place of the encoding."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation import ALL, STRATEGIES, Strategy
from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, CONSISTENT_HASH_GO
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM, RoomEncoding
from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO, MACHINE_ROOM_RUST
from rebalance_proofs.model.allocation.ring import Nearest, Node
from rebalance_proofs.model.queues import positions_in
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.allocation.observed import observed
from rebalance_proofs.proofs.named import number, truth

by_name = pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)


@st.composite
def views(draw) -> tuple[int, int, int]:
    c = draw(st.integers(1, 6))
    return draw(st.integers(1, 12)), c, draw(st.integers(0, c - 1))


def numerals(*values: int) -> list[smt.IntTerm]:
    return [smt.IntVal(value) for value in values]


@by_name
@given(views())
def test_observed_parts_agree_with_the_encoding(strategy: Strategy, view) -> None:
    seen, written = observed(strategy), strategy.encoding
    terms = numerals(*view)
    count = number(seen.count(*terms))
    assert count == number(written.count(*terms))
    for k in numerals(*range(count)):
        assert number(seen.element(*terms, k)) == number(written.element(*terms, k))
    for p in numerals(*range(-1, view[0] + 1)):
        owns = simplify(seen.owns(*terms, p))
        assert owns is simplify(written.owns(*terms, p))
        if smt.is_true(owns):
            assert number(seen.rank(*terms, p)) == number(written.rank(*terms, p))
    for p in numerals(*range(view[0])):
        assert number(seen.owner(*terms[:2], p)) == number(written.owner(*terms[:2], p))


@by_name
def test_element_outside_the_list_is_undefined(strategy: Strategy) -> None:
    seen, view = observed(strategy), numerals(4, 2, 0)
    assert [number(seen.element(*view, k)) for k in numerals(-1, number(seen.count(*view)), 100)] == [-1] * 3


@by_name
def test_position_that_is_not_owned_has_no_rank(strategy: Strategy) -> None:
    seen = observed(strategy)
    other = [view for view in (numerals(4, 2, index, 3) for index in range(2)) if not truth(seen.owns(*view))]
    assert [number(seen.rank(*view)) for view in other] == [-1]


def test_position_without_a_consumer_has_no_owner() -> None:
    idle = replace(STRATEGIES[0], allocate=lambda current_cid, mq_all, cid_all: [])
    assert number(observed(idle).owner(*numerals(4, 2, 3))) == -1


@by_name
def test_terms_are_evaluated_before_the_code_is_called(strategy: Strategy) -> None:
    three = smt.IntVal(1) + smt.IntVal(2)
    assert number(observed(strategy).count(three, three - 2, three - 3)) == 3


def test_positions_are_those_of_the_topic() -> None:
    group = AGREED.group(STRATEGIES[:1], 2, 5, ())
    assert [positions_in(group.queues, result) for result in group.allocate()] == [[0, 1, 2], [3, 4]]


hashes = st.integers(0, 4) | st.integers()


@pytest.mark.parametrize("strategy", [CONSISTENT_HASH, CONSISTENT_HASH_GO], ids=lambda strategy: strategy.name)
@given(st.booleans(), hashes, hashes, hashes)
def test_observed_ring_of_two_nodes_equals_the_encoding(
    strategy: Strategy, found: bool, queue: int, x: int, y: int
) -> None:
    nearest = Nearest(smt.BoolVal(found), *numerals(x, 7))
    for node in (Node(*numerals(y, 8)), Node(*numerals(y, 7))):
        seen, written = (form.put(smt.IntVal(queue), nearest, node) for form in (observed(strategy), strategy.encoding))
        assert smt.is_true(simplify(seen.found)) is smt.is_true(simplify(written.found)) is True
        assert (number(seen.hash), number(seen.owner)) == (number(written.hash), number(written.owner))


def test_observed_ring_without_a_consumer_has_no_owner() -> None:
    idle = replace(CONSISTENT_HASH, configure=lambda **arguments: lambda current_cid, mq_all, cid_all: [])
    after = observed(idle).put(smt.IntVal(1), Nearest(smt.BoolVal(True), *numerals(2, 0)), Node(*numerals(3, 1)))
    assert smt.is_false(simplify(after.found))


@pytest.mark.parametrize(
    "strategy", [MACHINE_ROOM, MACHINE_ROOM_GO, MACHINE_ROOM_RUST], ids=lambda strategy: strategy.name
)
@given(kept=st.lists(st.booleans(), min_size=1, max_size=8), c=st.integers(1, 4), data=st.data())
def test_observed_room_owner_equals_the_encoding(strategy, kept, c, data) -> None:
    index = data.draw(st.integers(0, c - 1), "index")
    seen, written = observed(strategy), strategy.encoding
    assert isinstance(seen, RoomEncoding)
    for position, one in enumerate(kept):
        terms = numerals(sum(kept), c, index, position)
        view = (*terms, smt.BoolVal(one), smt.IntVal(sum(kept[:position])))
        assert simplify(seen.takes(*view)) is simplify(written.takes(*view))


@pytest.mark.parametrize(("own", "room"), [(1, 1), (1, 2), (0, 5)])
def test_observed_nearby_calls_its_inner_strategy_like_the_encoding(own: int, room: int) -> None:
    seen, written = observed(MACHINE_ROOM_NEARBY), MACHINE_ROOM_NEARBY.encoding
    for flags in product((False, True), repeat=4):
        if own == room and not flags[0]:
            continue  # a consumer's own room is alive
        view = (*numerals(own, room), *map(smt.BoolVal, flags))
        assert simplify(seen.takes(*view)) is simplify(written.takes(*view))


def test_observed_nearby_uses_the_given_code() -> None:
    idle = replace(MACHINE_ROOM_NEARBY, configure=lambda **arguments: lambda current_cid, mq_all, cid_all: [])
    view = (*numerals(1, 1), *map(smt.BoolVal, (True, True, True, True)))
    assert smt.is_false(observed(idle).takes(*view))


def test_every_strategy_with_an_encoding_can_be_observed() -> None:
    assert [strategy.name for strategy in ALL if strategy.encoding is None] == ["config"]
    for strategy in ALL:
        if strategy.encoding is not None:
            assert observed(strategy)


@pytest.mark.parametrize("strategy", [CONFIG, replace(CONFIG, encoding="rules")], ids=["none", "of another form"])
def test_encoding_of_an_unknown_type_cannot_be_observed(strategy: Strategy) -> None:
    with pytest.raises(TypeError, match=r"^config: an encoding of type (NoneType|str) cannot be observed$"):
        observed(strategy)
