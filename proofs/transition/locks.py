"""Guarantees about the broker's locks of queues."""

from rebalance_proofs.model.client.effects import IN, LOCK, OUT, PROCESS_QUEUE_LOCKED, SCHEDULE_UNLOCK, UNLOCK
from rebalance_proofs.model.client.environment import NO_BROKER, OK, UNLOCK_EXC
from rebalance_proofs.model.client.process_queue_table import HELD
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.model.transition.numbers import LOCKS
from rebalance_proofs.model.transition.rounds import Watched
from rebalance_proofs.model.transition.step import Step, happens
from rebalance_proofs.model.transition.view import View
from rebalance_proofs.proofs.transition.entries import GO_UNLOCK, ISSUES, REBALANCE, done, name, of_each_queue


def _locked_first(view: View) -> smt.BoolTerm:
    found = []
    for place, slot in enumerate(view.steps[-1].addition):
        if slot.name == IN:
            found.append(smt.Implies(slot.happens, happens(view.steps[-1].addition[:place], LOCK, OK)))
    return smt.And(found)


def _added_without_lock(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    told = done(last)
    if IN in told and (LOCK, last.queue, OK) not in last.effects[: told.index(IN)]:
        return f"{name(last)} gets a process queue, but the broker has not granted its lock."
    return None


LOCKED_FIRST = of_each_queue(
    "locked-first",
    "a process queue is added only after the broker grants its lock",
    f"{ISSUES}/2621",
    _locked_first,
    _added_without_lock,
)


def gives_back(step: Step) -> smt.BoolTerm:
    """Return the condition that the rebalance sends an unlock for the removed process queue.

    The call must not fail.
    """
    return smt.Or([slot.happens for slot in step.removal if slot.name == UNLOCK and not slot.details])


def _unlocked(view: View) -> smt.BoolTerm:
    step = view.steps[-1]
    return step.out == gives_back(step)


def _locked_and_gone(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    told = done(last)
    given = (UNLOCK, last.queue) in last.effects
    if (OUT in told) == given:
        return None
    if given:
        return f"the broker's lock of {name(last)} is released, but its process queue stays."
    gets = "gets its lock back only 20 s later" if SCHEDULE_UNLOCK in told else "does not get its lock back"
    return f"{name(last)} leaves the table, but the broker {gets}."


UNLOCKED = of_each_queue(
    "unlocked",
    "the broker's lock is released exactly when the process queue is removed",
    GO_UNLOCK,
    _unlocked,
    _locked_and_gone,
)


def _holds_lock(held: smt.BoolTerm, step: Step) -> smt.BoolTerm:
    """Return the condition that the client holds the broker's lock after the rebalance ``step``.

    ``held`` is the condition that it did before.
    """
    for slot in step.slots:
        if slot.name == LOCK and slot.details == (OK,):
            held = smt.Or(held, slot.happens)
        if slot.name == UNLOCK and not slot.details:
            held = smt.And(held, smt.Not(slot.happens))
    return held


def _no_stray_lock(view: View) -> smt.BoolTerm:
    held = smt.And(view.before.present, view.before.locked)
    return smt.Implies(_holds_lock(held, view.steps[-1]), view.after.present)


def _held_after(held: bool, seen: Watched) -> bool:
    for effect in seen.effects:
        if effect[0] == LOCK and effect[2:] == (OK,):
            held = True
        if effect[0] == UNLOCK and not effect[2:]:
            held = False
    return held


def _stray_lock(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if _held_after(bool(last.before and last.before.locked), last) and not last.after:
        return f"the broker keeps the lock of {name(last)} for this client, which has no process queue of it."
    return None


NO_STRAY_LOCK = of_each_queue(
    "no-stray-lock",
    "a rebalance leaves no broker lock without a process queue",
    REBALANCE,
    _no_stray_lock,
    _stray_lock,
)


def _stray_lock_freed(view: View) -> smt.BoolTerm:
    first, second = view.steps
    held = _holds_lock(smt.And(view.before.present, view.before.locked), first)
    to_come = happens(first.removal, SCHEDULE_UNLOCK)
    stray = smt.And(held, smt.Not(first.after.present), smt.Not(to_come), smt.Not(view.asked[-1].in_set))
    return smt.Implies(stray, smt.Not(_holds_lock(held, second)))


def _still_stray(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    first, second = seen
    held = _held_after(bool(first.before and first.before.locked), first)
    stray = held and not first.after and not first.did(SCHEDULE_UNLOCK) and not second.asked.in_set
    if stray and _held_after(held, second):
        return f"the broker keeps the lock of {name(second)} for this client, which no longer owns the queue."
    return None


STRAY_LOCK_FREED = of_each_queue(
    "stray-lock-freed",
    "the next rebalance releases a broker lock left without a process queue",
    REBALANCE,
    _stray_lock_freed,
    _still_stray,
    assumes=("no delayed unlock of the queue pending", "a next mqSet without the queue"),
)


def _no_late_unlock(view: View) -> smt.BoolTerm:
    put_off = happens(view.steps[0].removal, SCHEDULE_UNLOCK)
    arrives = smt.And([view.asked[0].lock != LOCKS.index(word) for word in (NO_BROKER, UNLOCK_EXC)])
    return smt.Not(smt.And(put_off, arrives, view.after.present, view.after.fresh))


def _unlocked_late(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if last.after and last.after.fresh and (UNLOCK, last.queue) in last.later:
        return f"the delayed unlock of {name(last)} arrives when the client has a new process queue of it."
    return None


LATE_UNLOCK = of_each_queue(
    "late-unlock",
    "no delayed unlock is pending when the next rebalance adds a new process queue",
    f"{ISSUES}/2732",
    _no_late_unlock,
    _unlocked_late,
)


def _knows_lock(view: View) -> smt.BoolTerm:
    granted = happens(view.steps[-1].addition, LOCK, OK)
    return smt.Implies(smt.And(granted, view.after.present, view.after.fresh), view.after.locked)


def _lock_unknown(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if last.did(LOCK, OK) and last.after and last.after.fresh and not last.after.locked:
        return f"the broker has granted the lock of {name(last)}, but the new process queue does not record it."
    return None


KNOWS_LOCK = of_each_queue(
    "knows-lock",
    "a process queue added under the broker's lock is marked as locked, so its listener can start",
    f"{ISSUES}/2621",
    _knows_lock,
    _lock_unknown,
)


def _renewed(view: View) -> smt.BoolTerm:
    live = smt.And(view.before.present, smt.Not(view.before.dropped))
    return smt.Implies(live, happens(view.steps[-1].slots, PROCESS_QUEUE_LOCKED))


def _not_renewed(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if last.before and not last.before.dropped and not last.did(PROCESS_QUEUE_LOCKED):
        return f"the lock of {name(last)} is not renewed: no broker is asked for it."
    return None


RENEWED = of_each_queue(
    "renewed",
    "`lockAll` refreshes the lock state of every live process queue",
    f"{ISSUES}/10183",
    _renewed,
    _not_renewed,
    where=("refreshed: renewed, or known to be lost", "a live process queue: one that is not dropped"),
)


def _no_group_lock(view: View) -> smt.BoolTerm:
    return smt.Not(happens(view.steps[-1].slots, LOCK))


def _group_lock(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if LOCK in done(last):
        return f"a broadcasting consumer asks the broker for the group's lock of {name(last)}."
    return None


NO_GROUP_LOCK = of_each_queue(
    "no-group-lock",
    "a broadcasting consumer never locks a queue at the broker",
    f"{ISSUES}/8772",
    _no_group_lock,
    _group_lock,
)


def _listener_undisturbed(view: View) -> smt.BoolTerm:
    runs = smt.And(view.before.present, view.before.consume_lock == HELD)
    return smt.Not(smt.And(runs, happens(view.steps[-1].removal, UNLOCK)))


def _unlocked_while_running(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if last.before and last.consume_lock == HELD and UNLOCK in done(last):
        return f"the broker's lock of {name(last)} is released while its listener runs."
    return None


LISTENER = of_each_queue(
    "listener",
    "a rebalance never unlocks a queue at the broker while its listener runs",
    f"{ISSUES}/4086",
    _listener_undisturbed,
    _unlocked_while_running,
)


def _unsubscribed_lock(view: View) -> smt.BoolTerm:
    held = smt.And(view.before.present, view.before.locked)
    return smt.Implies(held, happens(view.steps[-1].removal, UNLOCK))


def _lock_left(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if last.before and last.before.locked and UNLOCK not in done(last):
        return f"{name(last)} is no longer subscribed, but the broker keeps its lock for this client."
    return None


UNSUBSCRIBED_LOCK = of_each_queue(
    "unsubscribed-lock",
    "unsubscribe releases every broker lock",
    REBALANCE,
    _unsubscribed_lock,
    _lock_left,
)
