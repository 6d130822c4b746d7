"""Promises about the broker's locks and the offsets of queues."""

import z3

from model.client.effects import IN, LOCK, OUT, PERSIST, REMOVE_OFFSET, SCHEDULE_UNLOCK, UNLOCK, UPDATE_OFFSET
from model.client.environment import EXC, OK
from model.client.process_queue import HELD
from model.transition.client import Mode
from model.transition.rounds import Watched
from model.transition.step import Slot, happens
from model.transition.view import View
from proofs.transition.promise import of_each_queue
from proofs.transition.sources import GO_UNLOCK, ISSUES, REBALANCE, REBALANCE_PUSH
from proofs.transition.words import name


def _locked_first(view: View) -> z3.BoolRef:
    found = []
    for place, slot in enumerate(view.steps[-1].addition):
        if slot.name == IN:
            found.append(z3.Implies(slot.happens, happens(view.steps[-1].addition[:place], LOCK, OK)))
    return z3.And(found)


def _names(seen: Watched) -> list[str]:
    return [effect[0] for effect in seen.effects]


def _added_without_lock(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    told = _names(last)
    if IN in told and (LOCK, last.queue, OK) not in last.effects[: told.index(IN)]:
        return f"{name(last)} gets an entry, and the broker has not granted its lock."
    return None


LOCKED_FIRST = of_each_queue(
    "locked-first",
    "an entry is added only after the broker has granted its lock",
    f"{ISSUES}/2621",
    _locked_first,
    _added_without_lock,
)


def _persisted(view: View) -> z3.BoolRef:
    slots = view.steps[-1].removal
    found = []
    for place, slot in enumerate(slots):
        if slot.name == REMOVE_OFFSET:
            found.append(z3.Implies(slot.happens, _ok(slots[:place])))
        if slot.name == OUT:
            found.append(z3.Implies(slot.happens, _ok(slots)))
    return z3.And(found)


def _ok(slots: tuple[Slot, ...]) -> z3.BoolRef:
    """The offset is persisted, and what the client sends for that can go."""
    persisted = [slot.happens for slot in slots if slot.name == PERSIST and not slot.details]
    failed = [slot.happens for slot in slots if slot.name == UPDATE_OFFSET and slot.details[1:] == (EXC,)]
    return z3.And(z3.Or(persisted), z3.Not(z3.Or(failed)))


def _saved(seen: Watched) -> int | None:
    """After how many effects the queue's offset is safe; None when it never is."""
    if any(effect[0] == UPDATE_OFFSET and effect[3:] == (EXC,) for effect in seen.effects):
        return None
    return seen.effects.index((PERSIST, seen.queue)) if (PERSIST, seen.queue) in seen.effects else None


def _forgotten_unsaved(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    told = _names(last)
    if not last.before:
        return None
    saved = _saved(last)
    if REMOVE_OFFSET in told[:saved]:
        return f"the offset of {name(last)} is forgotten before it is persisted."
    if OUT in told and saved is None:
        return f"{name(last)} leaves the table, and its offset does not reach the broker."
    return None


PERSISTED = of_each_queue(
    "persisted",
    "the offset of a queue that goes is persisted before it is forgotten",
    REBALANCE_PUSH,
    _persisted,
    _forgotten_unsaved,
)


def _offset_kept(view: View) -> z3.BoolRef:
    step = view.steps[-1]
    return z3.Implies(happens(step.removal, REMOVE_OFFSET), step.out)


def _forgotten_and_kept(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if last.before and REMOVE_OFFSET in _names(last) and OUT not in _names(last):
        return f"the offset of {name(last)} is forgotten, while its entry stays and its listener goes on."
    return None


OFFSET_KEPT = of_each_queue(
    "offset-kept",
    "while an entry stays in the table, its offset is not forgotten",
    REBALANCE_PUSH,
    _offset_kept,
    _forgotten_and_kept,
)


def _unlocked(view: View) -> z3.BoolRef:
    step = view.steps[-1]
    return step.out == happens(step.removal, UNLOCK)


def _locked_and_gone(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    told = _names(last)
    if (OUT in told) == (UNLOCK in told):
        return None
    if UNLOCK in told:
        return f"the broker's lock of {name(last)} is given back, and its entry stays."
    when = ", but only 20 s later" if SCHEDULE_UNLOCK in told else ""
    return f"{name(last)} leaves the table, and the broker's lock is not given back{when}."


UNLOCKED = of_each_queue(
    "unlocked",
    "the broker's lock is given back exactly when the entry goes",
    GO_UNLOCK,
    _unlocked,
    _locked_and_gone,
)


def _holds_lock(view: View) -> z3.BoolRef:
    held = z3.And(view.before.present, view.before.locked)
    for slot in view.steps[-1].slots:
        if slot.name == LOCK and slot.details == (OK,):
            held = z3.Or(held, slot.happens)
        if slot.name == UNLOCK and not slot.details:
            held = z3.And(held, z3.Not(slot.happens))
    return held


def _no_stray_lock(view: View) -> z3.BoolRef:
    return z3.Implies(_holds_lock(view), view.after.present)


def _stray_lock(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    held = bool(last.before and last.before.locked)
    for effect in last.effects:
        if effect[0] == LOCK and effect[2:] == (OK,):
            held = True
        if effect[0] == UNLOCK and not effect[2:]:
            held = False
    if held and not last.after:
        return f"the broker keeps the lock of {name(last)} for this client, which has no entry of it."
    return None


NO_STRAY_LOCK = of_each_queue(
    "no-stray-lock",
    "the client holds no broker lock of a queue without an entry",
    REBALANCE,
    _no_stray_lock,
    _stray_lock,
)


def _no_group_lock(view: View) -> z3.BoolRef:
    return z3.Not(happens(view.steps[-1].slots, LOCK))


def _group_lock(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if LOCK in _names(last):
        return f"a broadcasting consumer asks the broker for the group's lock of {name(last)}."
    return None


NO_GROUP_LOCK = of_each_queue(
    "no-group-lock",
    "broadcasting takes no lock of the group",
    f"{ISSUES}/8772",
    _no_group_lock,
    _group_lock,
)


def _listener_undisturbed(view: View) -> z3.BoolRef:
    runs = z3.And(view.before.present, view.before.consume_lock == HELD)
    return z3.Not(z3.And(runs, happens(view.steps[-1].removal, UNLOCK)))


def _unlocked_while_running(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if last.before and last.consume_lock == HELD and UNLOCK in _names(last):
        return f"the broker's lock of {name(last)} is given back while its listener runs."
    return None


LISTENER = of_each_queue(
    "listener",
    "a queue whose listener runs is not unlocked at the broker",
    f"{ISSUES}/4086",
    _listener_undisturbed,
    _unlocked_while_running,
)


def _unsubscribed_offset(view: View) -> z3.BoolRef:
    return z3.Implies(view.before.present, _ok(view.steps[-1].removal))


def _offset_left(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if last.before and (PERSIST, last.queue) not in last.effects:
        return f"{name(last)} is not subscribed any more, and its offset is not persisted."
    return None


UNSUBSCRIBED_OFFSET = of_each_queue(
    "unsubscribed-offset",
    "unsubscribing leaves no unsaved offset behind",
    REBALANCE,
    _unsubscribed_offset,
    _offset_left,
)


def _unsubscribed_lock(view: View) -> z3.BoolRef:
    held = z3.And(view.before.present, view.before.locked)
    return z3.Implies(held, happens(view.steps[-1].removal, UNLOCK))


def _lock_left(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if last.before and last.before.locked and UNLOCK not in _names(last):
        return f"{name(last)} is not subscribed any more, and the broker keeps its lock for this client."
    return None


UNSUBSCRIBED_LOCK = of_each_queue(
    "unsubscribed-lock",
    "unsubscribing leaves no broker lock behind",
    REBALANCE,
    _unsubscribed_lock,
    _lock_left,
)
