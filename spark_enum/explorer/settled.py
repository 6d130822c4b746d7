"""Check that a group agrees on owners after the last fault and change, from every state."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rebalance_proofs.spark_enum.explorer.in_memory import in_memory
from rebalance_proofs.spark_enum.explorer.levels import levels
from rebalance_proofs.spark_enum.explorer.model import Changed, Model, Move, Watch
from rebalance_proofs.spark_enum.explorer.product import Product, States
from rebalance_proofs.spark_enum.explorer.store import PIECE, all_states
from rebalance_proofs.spark_enum.explorer.trace import Edges

LONGEST = 32
"""Largest number of rounds or ticks that the check tries."""


@dataclass(frozen=True)
class Settled:
    """Result of the check whether a group settles, starting from every reachable state."""

    within: int | None
    """Rounds or ticks after the last change until the group agrees; None if more than ``LONGEST``."""
    counted: str
    """Unit of ``within``: ``rounds`` or ``ticks``."""
    states: int
    """Number of states explored by the check; a state includes the time since the last change."""
    most: int
    """Largest number of rounds or ticks tried; 0 if from some state none can be completed."""


class _Since(NamedTuple):
    """The members' state, with the time since the last change."""

    members: int
    """Number of the members' state in the tables of the whole group."""
    gone: int
    """Number of completed rounds or ticks, counted up to the examined number."""
    shared: frozenset[int]
    """The consumers that have rebalanced in the current round."""


def settled(product: Product, states: Callable[[], States], guess: int = 0) -> Settled:
    """Check whether the group settles from all reachable states, which ``states`` returns.

    ``guess`` is a likely number of rounds or ticks; it saves time and does not change the result. Raises ``ValueError``
    for a model that does not define agreement.
    """
    if product.model.right is None:
        raise ValueError(f"the model {product.model.name} does not say what is right")
    counted = "ticks" if product.model.tick else "rounds"
    # An agreement lasts: the time is doubled until the group agrees, then narrowed down.
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
    """Return whether the group agrees after ``rounds`` rounds or ticks, from each state.

    The second result is the number of explored states.
    """
    quiet, first = _counting(product, states, rounds)
    store = in_memory(quiet.numbering)
    seen = 0
    for level in levels(quiet, store, first):
        if level.wrong:
            return False, seen
        seen += level.states
    return True, seen


def _stands_still(product: Product, states: States) -> bool:
    """Return True if from some state no round or tick can be completed.

    Then the check cannot say whether the group agrees from that state.
    """
    quiet, first = _counting(product, states, 1)
    store = in_memory(quiet.numbering)
    many = sum(level.states > 0 for level in levels(quiet, store, first))
    found = np.sort(all_states(store, many))
    over = np.array([_is_over(product, one) for one in quiet.members.states])
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


def _is_over(product: Product, since: Any) -> bool:
    """Return True if a round or tick has passed, or if no consumer is alive to complete one."""
    return since.gone == 1 or not product.model.ids(product.members.states[since.members])


def _counting(product: Product, states: States, rounds: int) -> tuple[Product, States]:
    """Return tables of the group without faults and membership changes, and initial states.

    Its states include the number of completed rounds or ticks, up to ``rounds``.
    """
    begin = [_Since(one, 0, frozenset()) for one in range(len(product.members.states))]
    quiet = Product(_quiet(product, rounds), begin, product.queue)
    numbers = {one: number for number, one in enumerate(quiet.members.states)}
    place = np.array([numbers[one] for one in begin], dtype=np.int64)
    who, queues = product.parts(states)
    return quiet, quiet.whole(place[who], queues)


def _quiet(product: Product, rounds: int) -> Model:
    model, right, states = product.model, product.model.right, product.members.states
    assert right
    assert right.wrong
    not_right = right.wrong

    def wrong(since: _Since, queue: int) -> str | None:
        return not_right(states[since.members], queue) if since.gone == rounds else None

    begin: Hashable = _Since(0, 0, frozenset())
    return replace(
        model,
        members=begin,
        moves=[move for move in model.moves if move.daily],
        after=partial(_after, model, rounds, dict(zip(model.moves, product.members.after, strict=True)), states),
        watches=(Watch(right.name, right.sentence, wrong),),
    )


def _after(
    model: Model,
    rounds: int,
    known: Mapping[Move, Sequence[tuple[int, Changed] | None]],
    states: Sequence[Any],
    since: _Since,
    move: Move,
) -> Changed | None:
    """Return the effect of a move; ``known`` has the effect on the members alone, by number of their state."""
    turn = known[move][since.members]
    if turn is None:
        return None
    then, changed = turn
    gone, shared = since.gone, since.shared
    if gone < rounds:
        if model.tick:
            gone += move.name == model.tick
        elif move.name == model.rebalance and move.who is not None:
            shared |= {move.who}
            if shared >= model.ids(states[then]):
                gone, shared = gone + 1, frozenset()
    return Changed(_Since(then, gone, shared if gone < rounds else frozenset()), changed.letters)
