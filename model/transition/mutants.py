"""Mutants of the encoded rebalance, each with the guarantee that must reject it."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from rebalance_proofs.model.client.effects import (
    DROP,
    LOCK,
    OUT,
    PERSIST,
    PULL_REQUEST,
    REMOVE_OFFSET,
    UNLOCK,
    UPDATE_OFFSET,
    WRITE_OFFSET,
)
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import NO, YES
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.model.transition.java import Rules, encoding
from rebalance_proofs.model.transition.numbers import KINDS, LOCKS
from rebalance_proofs.model.transition.step import (
    PULL_IDLE_LIMIT,
    Asked,
    Batch,
    Entry,
    Slot,
    Step,
    Thrown,
    TransitionEncoding,
    choose,
    happens,
)

Wrong = Callable[[TransitionEncoding, Entry, Asked, Thrown], Step]


def of(rules: Rules) -> tuple[Mutant, ...]:
    """Return the mutants of the Java client of one generation."""
    but = ("unlocks-when-marked",) if rules.keeps_offset and rules.forces else ()
    return (
        _renews_what_is_locked(encoding(rules)),
        *everywhere(encoding(rules), but=but),
        *(
            Mutant(name, sentence, encoding(replace(rules, **change)), breaks)
            for name, sentence, breaks, applies, change in RULES
            if applies(rules)
        ),
    )


def _renews_what_is_locked(right: TransitionEncoding) -> Mutant:
    def renew(entry: Entry, asked: Asked, batch: Batch) -> Step:
        renewed = right.renew(entry, asked, batch)
        known = tuple(replace(slot, happens=smt.And(slot.happens, entry.locked)) for slot in renewed.addition)
        return replace(renewed, addition=known)

    sentence = "`lockAll` skips process queues that are not marked as locked"
    return Mutant("renews-what-is-locked", sentence, replace(right, renew=renew), "renewed")


def everywhere(right: TransitionEncoding, *, but: tuple[str, ...] = ()) -> tuple[Mutant, ...]:
    """Return the mutants that any client can have, except those named in ``but``.

    Excluded mutants equal the right client, or break only what another mutant breaks.
    """

    def wrong(name: str, sentence: str, breaks: str, step: Wrong) -> Mutant:
        def mutated(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
            return step(right, entry, asked, thrown)

        return Mutant(name, sentence, replace(right, step=mutated), breaks)

    return tuple(wrong(name, sentence, breaks, step) for name, sentence, breaks, step in EVERYWHERE if name not in but)


def _without(step: Step, name: str) -> Step:
    """Return the rebalance's result without the effect of that name."""
    return _instead(step, name, NO)


def _instead(step: Step, name: str, condition: smt.BoolTerm) -> Step:
    """Return the rebalance's result with another condition for the effect of that name."""

    def changed(slots: Iterable[Slot]) -> tuple[Slot, ...]:
        return tuple(replace(slot, happens=condition) if slot.name == name else slot for slot in slots)

    return replace(step, removal=changed(step.removal), addition=changed(step.addition))


def _forgets_to_mark(right: TransitionEncoding, entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    step = right.step(entry, asked, thrown)
    kept = replace(step.after, dropped=smt.If(step.after.fresh, step.after.dropped, entry.dropped))
    return _without(replace(step, after=kept), DROP)


def _passes_over(right: TransitionEncoding, entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    return right.step(entry, replace(asked, in_set=smt.Or(asked.in_set, smt.And(entry.present, asked.mine))), thrown)


def _any_topic(right: TransitionEncoding, entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    return right.step(entry, replace(asked, mine=YES), thrown)


def _keeps_what_left(right: TransitionEncoding, entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    step = right.step(entry, asked, thrown)
    after = replace(step.after, present=smt.Or(step.after.present, step.out))
    return _without(replace(step, after=after, out=NO), OUT)


def _silent_about_new(right: TransitionEncoding, entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    step = right.step(entry, asked, thrown)
    return replace(step, changed=step.out)


def _silent_about_old(right: TransitionEncoding, entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    step = right.step(entry, asked, thrown)
    return replace(step, changed=step.entered)


def _never_pulls(right: TransitionEncoding, entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    return _without(right.step(entry, asked, thrown), PULL_REQUEST)


def _pulls_what_it_has(right: TransitionEncoding, entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    step = right.step(entry, asked, thrown)
    has = smt.And(step.after.present, asked.mine, asked.in_set)
    return _instead(step, PULL_REQUEST, has)


def _locks_after_putting(right: TransitionEncoding, entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    granted = right.step(entry, replace(asked, lock=smt.IntVal(LOCKS.index("ok"))), thrown)
    told = right.step(entry, asked, thrown)
    asks = [slot for slot in told.addition if slot.name == LOCK]
    others = [slot for slot in granted.addition if slot.name != LOCK]
    return replace(granted, addition=(*others, *asks))


def _never_persists(right: TransitionEncoding, entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    return _without(_without(_without(right.step(entry, asked, thrown), PERSIST), UPDATE_OFFSET), WRITE_OFFSET)


def _expires_always(right: TransitionEncoding, entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    overdue = smt.And(entry.present, asked.mine, asked.in_set, entry.pull_age > PULL_IDLE_LIMIT)
    removed = right.step(entry, replace(asked, kind=smt.IntVal(KINDS.index(KINDS[0]))), thrown)
    return _either(overdue, removed, right.step(entry, asked, thrown))


def _never_expires(right: TransitionEncoding, entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    return right.step(replace(entry, pull_age=smt.IntVal(0)), asked, thrown)


def _keeps_the_lock(right: TransitionEncoding, entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    return _without(right.step(entry, asked, thrown), UNLOCK)


def _unlocks_when_marked(right: TransitionEncoding, entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    step = right.step(entry, asked, thrown)
    return replace(step, removal=(*step.removal, Slot(smt.And(happens(step.removal, DROP), asked.orderly), UNLOCK)))


def _forgets_when_marked(right: TransitionEncoding, entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    step = right.step(entry, asked, thrown)
    marked = happens(step.removal, DROP)
    return replace(step, removal=(*step.removal, Slot(smt.And(marked, happens(step.removal, PERSIST)), REMOVE_OFFSET)))


def _locks_when_broadcasting(right: TransitionEncoding, entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    return right.step(entry, replace(asked, order=smt.Or(asked.order, asked.broadcasting)), thrown)


def _adds_marked(right: TransitionEncoding, entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    step = right.step(entry, asked, thrown)
    return replace(step, after=replace(step.after, dropped=smt.Or(step.after.dropped, step.after.fresh)))


def _either(condition: smt.BoolTerm, then: Step, otherwise: Step) -> Step:
    """Return the result ``then`` where the condition holds, ``otherwise`` elsewhere."""

    def slots(first: Iterable[Slot], second: Iterable[Slot]) -> tuple[Slot, ...]:
        chosen = [replace(slot, happens=smt.And(condition, slot.happens)) for slot in first]
        return (*chosen, *(replace(slot, happens=smt.And(smt.Not(condition), slot.happens)) for slot in second))

    parts = {
        name: smt.If(condition, value, getattr(otherwise, name))
        for name, value in vars(then).items()
        if smt.is_expr(value)
    }
    after = choose(condition, then.after, otherwise.after)
    former = choose(condition, then.former, otherwise.former)
    removal = slots(then.removal, otherwise.removal)
    addition = slots(then.addition, otherwise.addition)
    return Step(removal=removal, addition=addition, after=after, former=former, **parts)


EVERYWHERE: tuple[tuple[str, str, str, Wrong], ...] = (
    ("unmarked", "process queues to be removed are not dropped", "marked", _forgets_to_mark),
    ("passes-over", "process queues of queues outside mqSet are skipped", "marked", _passes_over),
    ("left-in-table", "a removed process queue stays in the table", "exact", _keeps_what_left),
    ("new-marked", "a new process queue is dropped from the start", "exact", _adds_marked),
    ("any-topic", "process queues of other topics are not skipped", "others", _any_topic),
    ("silent-about-new", "`changed` is not set when a process queue is added", "changed", _silent_about_new),
    ("silent-about-old", "`changed` is not set when a process queue is removed", "changed", _silent_about_old),
    ("never-pulls", "no pull request is dispatched", "pulls", _never_pulls),
    ("pulls-again", "a pull request is dispatched for every queue of the set", "pulls", _pulls_what_it_has),
    ("expires-always", "pulls expire for every kind of consumer", "kept", _expires_always),
    ("pulls-once-more", "a pull request is dispatched for every queue of the set", "idempotent", _pulls_what_it_has),
    ("never-expires", "no pull expires", "heals", _never_expires),
    (
        "lock-after-put",
        ("the process queue is added first, and then the lock is requested"),
        "locked-first",
        _locks_after_putting,
    ),
    ("no-persist", "the offset is not persisted", "persisted", _never_persists),
    ("keeps-in-partition", "a removed process queue stays in the table", "partition", _keeps_what_left),
    ("keeps-what-returns", "a removed process queue stays in the table", "returns", _keeps_what_left),
    (
        "unlocks-when-marked",
        "the lock is released as soon as the process queue is dropped",
        "listener",
        _unlocks_when_marked,
    ),
    ("forgets-when-marked", "the offset is removed as soon as it is persisted", "offset-kept", _forgets_when_marked),
    ("broadcast-locks", "a broadcasting consumer takes the group's locks", "no-group-lock", _locks_when_broadcasting),
)
"""Mutants of any client: name, sentence, guarantee that must reject it, and wrong rebalance."""

RULES: tuple[tuple[str, str, str, Callable[[Rules], bool], dict[str, bool]], ...] = (
    (
        "mark-after-remove",
        "each process queue is dropped only when it is its turn to be removed",
        "marked",
        lambda rules: rules.marks_first,
        {"marks_first": False},
    ),
    (
        "keeps-lock",
        "an ordered queue's lock is released 20 s later when messages are cached",
        "unlocked",
        lambda rules: rules.keeps_offset,
        {"keeps_offset": False},
    ),
    (
        "later-lock",
        "an ordered queue's lock is released 20 s later when messages are cached",
        "no-stray-lock",
        lambda rules: rules.keeps_offset,
        {"keeps_offset": False},
    ),
    (
        "puts-off",
        "an ordered queue's lock is released 20 s later when messages are cached",
        "late-unlock",
        lambda rules: rules.keeps_offset,
        {"keeps_offset": False},
    ),
    (
        "new-unlocked",
        "a new process queue is not marked as locked",
        "knows-lock",
        lambda rules: rules.new_locked,
        {"new_locked": False},
    ),
    (
        "forces",
        "a lock that was not renewed for 20 s is released under a running listener",
        "listener",
        lambda rules: not rules.keeps_offset,
        {"keeps_offset": True},
    ),
)
"""Mutants of the Java client, each with one wrong rule.

The parts are: name; sentence; guarantee that must reject the mutant; test of the generation; changed rules.
"""
