"""Groups too large for numbers or tables are refused before any long work."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer import closure, product
from rebalance_proofs.spark_enum.explorer.closure import Numbering
from rebalance_proofs.spark_enum.explorer.models.lock_lite import lock_lite
from rebalance_proofs.spark_enum.explorer.product import Product

MANY = 17
LARGE = (
    r"^the group of the model lock-lite is too large, because a state needs more than 63 bits \(40 states of members, "
    r"and 11 or more of each of 17 queues\); explore a smaller group$"
)


def asked(model):
    """The model, and a list of all moves of which it has been asked what comes."""
    moves = []

    def after(members, move):
        moves.append(move)
        return model.after(members, move)

    return replace(model, after=after), moves


def test_too_many_bits_are_detected_with_one_queue():
    model, moves = asked(lock_lite(AVERAGELY, 2, MANY))
    with pytest.raises(UsageError, match=LARGE):
        Product(model)
    assert {move.queue for move in moves} == {None, 0}


def test_too_many_bits_are_detected_without_the_early_check(monkeypatch):
    monkeypatch.setattr(product, "require_bits", lambda model: None)
    model, moves = asked(lock_lite(AVERAGELY, 2, MANY))
    with pytest.raises(UsageError, match=LARGE):
        Product(model)
    assert {move.queue for move in moves} == {None, *range(MANY)}


def test_largest_group_that_fits_is_accepted():
    """40 states of the members, 12 of each queue."""
    fits = Product(lock_lite(AVERAGELY, 2, MANY - 1))
    assert fits.numbering == Numbering(40, 12, MANY - 1)
    assert 1 << 62 < fits.numbering.numbers <= 1 << 63
    with pytest.raises(UsageError, match="needs more than 63 bits"):
        Product(lock_lite(AVERAGELY, 2, MANY))


def test_too_many_member_states_are_detected_before_queue_actions(monkeypatch):
    monkeypatch.setattr(closure, "TURNS", 700)
    model, moves = asked(lock_lite(AVERAGELY, 3, 2))
    with pytest.raises(UsageError) as error:
        Product(model)
    assert len(model.moves) == 33
    assert str(error.value) == (
        "the members of the model lock-lite have more than 21 states, too many for tables of 33 moves; "
        "explore a smaller group"
    )
    assert {move.queue for move in moves} == {None}


def test_queue_action_can_change_the_members():
    """The resulting states are explored like all others, and have one number each."""
    model = lock_lite(AVERAGELY, 2, 1)

    def after(members, move):
        changed = model.after(members, move)
        last = move.name == "expires" and changed is not None
        return replace(changed, members=replace(changed.members, told=(True, True))) if last else changed

    found = closure.members_of(replace(model, after=after))
    assert len(found.states) == len(set(found.states)) > len(closure.members_of(model).states)
    for turns, move in zip(found.after, model.moves, strict=True):
        wanted = [after(members, move) for members in found.states]
        assert [turn and turn[1] for turn in turns] == wanted
        assert all(found.states[turn[0]] == turn[1].members for turn in turns if turn)
