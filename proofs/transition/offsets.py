"""Guarantees about the offsets of queues."""

from rebalance_proofs.model.client.effects import OUT, PERSIST, REMOVE_OFFSET, UPDATE_OFFSET, WRITE_OFFSET
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.model.transition.numbers import NO_OFFSET
from rebalance_proofs.model.transition.rounds import Watched
from rebalance_proofs.model.transition.step import Slot, happens
from rebalance_proofs.model.transition.view import View
from rebalance_proofs.proofs.transition.entries import REBALANCE, REBALANCE_PUSH, done, name, of_each_queue

STORED = (
    "stored: written to the client's file, given to the custom store, or handed to the client's network layer (from "
    "5.3.0 on, it sends once connected)"
)


def _persisted(view: View) -> smt.BoolTerm:
    slots = view.steps[-1].removal
    found = []
    for place, slot in enumerate(slots):
        if slot.name == REMOVE_OFFSET:
            found.append(smt.Implies(slot.happens, _handed_on(view, slots[:place])))
        if slot.name == OUT:
            found.append(smt.Implies(slot.happens, _handed_on(view, slots)))
    return smt.And(found)


def _handed_on(view: View, slots: tuple[Slot, ...]) -> smt.BoolTerm:
    """Return the condition that the offset in memory, if any, was stored during the rebalance.

    It was handed to the network layer, written, or accepted by a custom store, as an effect in ``slots``. From 5.3.0
    on, ``NettyRemotingClient.invokeOneway`` returns before the connection is made, and its listener sends the request.
    """
    taken = [slot.happens for slot in slots if slot.name == PERSIST and not slot.details]
    stored = [slot.happens for slot in slots if slot.name in (UPDATE_OFFSET, WRITE_OFFSET) and len(slot.details) == 1]
    own_store = view.asked[-1].own_store
    return smt.If(own_store, smt.Or(taken), smt.Or(view.before.memory == NO_OFFSET, *stored))


def _stored_at(mode: Mode, seen: Watched) -> int | None:
    """Return the largest number of effects before the offset counts as stored.

    None if it is never stored.
    """
    if not mode.own_store and seen.memory[0] == NO_OFFSET:
        return 0
    stores = {PERSIST: 2} if mode.own_store else {UPDATE_OFFSET: 3, WRITE_OFFSET: 3}
    places = (at for at, effect in enumerate(seen.effects) if stores.get(effect[0]) == len(effect))
    return next(places, None)


def _forgotten_unsaved(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    told = done(last)
    if not last.before:
        return None
    stored = _stored_at(mode, last)
    if REMOVE_OFFSET in told[:stored]:
        return f"the offset of {name(last)} is forgotten, but the rebalance has not stored it."
    if OUT in told and stored is None:
        return f"{name(last)} leaves the table, but the rebalance has not stored its offset."
    return None


PERSISTED = of_each_queue(
    "persisted",
    "no process queue or in-memory offset is removed unless its offset is stored",
    REBALANCE_PUSH,
    _persisted,
    _forgotten_unsaved,
    where=(STORED,),
)


def _offset_kept(view: View) -> smt.BoolTerm:
    step = view.steps[-1]
    return smt.Implies(happens(step.removal, REMOVE_OFFSET), step.out)


def _forgotten_and_kept(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if last.before and REMOVE_OFFSET in done(last) and OUT not in done(last):
        return f"the offset of {name(last)} is forgotten, while its process queue stays and its listener runs on."
    return None


OFFSET_KEPT = of_each_queue(
    "offset-kept",
    "a rebalance never removes the in-memory offset of a process queue that it keeps",
    REBALANCE_PUSH,
    _offset_kept,
    _forgotten_and_kept,
)


def _unsubscribed_offset(view: View) -> smt.BoolTerm:
    return smt.Implies(view.before.present, _handed_on(view, view.steps[-1].removal))


def _offset_left(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if last.before and _stored_at(mode, last) is None:
        return f"{name(last)} is no longer subscribed, but its offset is not persisted."
    return None


UNSUBSCRIBED_OFFSET = of_each_queue(
    "unsubscribed-offset",
    "unsubscribe stores the offset of every process queue of the topic",
    REBALANCE,
    _unsubscribed_offset,
    _offset_left,
    where=(STORED,),
)
