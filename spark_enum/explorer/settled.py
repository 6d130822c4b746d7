"""Whether a group agrees when nothing fails any more and nobody comes or goes, from every state that there can be."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from rebalance_proofs.spark_enum.explorer.edges import Edges
from rebalance_proofs.spark_enum.explorer.in_memory import in_memory
from rebalance_proofs.spark_enum.explorer.levels import levels
from rebalance_proofs.spark_enum.explorer.model import Changed, Model, Move, Watch
from rebalance_proofs.spark_enum.explorer.product import Product, States
from rebalance_proofs.spark_enum.explorer.store import PIECE, all_states

__all__ = ["LONGEST", "Settled", "settled"]

LONGEST = 32
"""Rounds or ticks after which nothing more is tried."""


@dataclass(frozen=True)
class Settled:
    """What was found of all states."""

    within: int | None
    """So many rounds or ticks after the last change all is right, and stays so; None where ``LONGEST`` are too few."""
    counted: str
    """``rounds`` or ticks."""
    states: int
    """Gone through for that, with what has passed since."""
    most: int
    """So many were tried; 0 where from some state none can come to its end."""


@dataclass(frozen=True)
class _Since:
    """The members, and what has passed since the last change."""

    members: Any
    gone: int
    """Rounds or ticks that are over, up to those that are asked for."""
    shared: frozenset[int]
    """Who has taken its share in this round."""


def settled(product: Product, states: Callable[[], States], guess: int = 0) -> Settled:
    """``states``: all that there can be. With a good ``guess`` it takes less time, and comes to the same.

    Raises ``ValueError`` for a model that does not say what is right.
    """
    if product.model.right is None:
        raise ValueError(f"the model {product.model.name} does not say what is right")
    counted = "ticks" if product.model.tick else "rounds"
    # What is right after some time is right from then on: twice the time is tried until it is, then what is between.
    seen, least, most = 0, 0, min(guess, LONGEST)
    if _stands_still(product, states()):
        return Settled(None, counted, 0, 0)
    while True:
        right, many = _right_after(product, states(), most)
        seen += many
        if right:
            break
        if most == LONGEST:
            return Settled(None, counted, seen, LONGEST)
        least, most = most + 1, min(max(1, 2 * most), LONGEST)
    while least < most:
        tried = most - 1 if most == guess else (least + most) // 2
        right, many = _right_after(product, states(), tried)
        seen += many
        least, most = (least, tried) if right else (tried + 1, most)
    return Settled(least, counted, seen, LONGEST)


def _right_after(product: Product, states: States, rounds: int) -> tuple[bool, int]:
    """Whether all is right after so many, from each of the states; and how many states were gone through."""
    quiet, first = _counting(product, states, rounds)
    store = in_memory(quiet.numbering)
    seen = 0
    for level in levels(quiet, store, first):
        if level.wrong:
            return False, seen
        seen += level.states
    return True, seen


def _stands_still(product: Product, states: States) -> bool:
    """From some state no round, or tick, can come to its end any more: nothing that is said of the time after it says
    anything of that state."""
    quiet, first = _counting(product, states, 1)
    store = in_memory(quiet.numbering)
    many = sum(level.states > 0 for level in levels(quiet, store, first))
    found = np.sort(all_states(store, many))
    over = np.array([_is_over(product.model, one) for one in quiet.members.states])
    ends = over[quiet.parts(found)[0]]
    edges = Edges(quiet)
    while True:
        waits = np.flatnonzero(~ends)
        reached = False
        for begin in range(0, len(waits), PIECE):
            here = waits[begin : begin + PIECE]
            for _, places, after in edges.of(found[here]):
                leads = here[places[ends[np.searchsorted(found, after)]]]
                reached |= len(leads) > 0
                ends[leads] = True
        if not reached:
            return len(waits) > 0


def _is_over(model: Model, since: Any) -> bool:
    """A round or tick has passed; or there is nobody for whom one could."""
    return since.gone == 1 or not model.ids(since.members)


def _counting(product: Product, states: States, rounds: int) -> tuple[Product, States]:
    """The group in which only rounds, or ticks, are counted, up to so many; and the states with none that is over."""
    members = product.members.states
    begin = [_Since(one, 0, frozenset()) for one in members]
    quiet = Product(_quiet(product.model, rounds), begin, product.queue)
    numbers = {one: number for number, one in enumerate(quiet.members.states)}
    place = np.array([numbers[one] for one in begin], dtype=np.int64)
    who, queues = product.parts(states)
    return quiet, quiet.whole(place[who], queues)


def _quiet(model: Model, rounds: int) -> Model:
    right = model.right
    assert right
    assert right.wrong
    not_right = right.wrong

    def wrong(since: _Since, queue: int) -> str | None:
        return not_right(since.members, queue) if since.gone == rounds else None

    begin: Hashable = _Since(model.members, 0, frozenset())
    return replace(
        model,
        members=begin,
        moves=[move for move in model.moves if move.daily],
        after=partial(_after, model, rounds),
        watches=(Watch(right.name, right.sentence, wrong),),
    )


def _after(model: Model, rounds: int, since: _Since, move: Move) -> Changed | None:
    changed = model.after(since.members, move)
    if changed is None:
        return None
    gone, shared = since.gone, since.shared
    if gone < rounds:
        if model.tick:
            gone += move.name == model.tick
        elif move.name == model.rebalance and move.who is not None:
            shared |= {move.who}
            if shared >= model.ids(changed.members):
                gone, shared = gone + 1, frozenset()
    return replace(changed, members=_Since(changed.members, gone, shared if gone < rounds else frozenset()))
