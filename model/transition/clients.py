"""The clients of claims about transitions, each with its modes of use.

To add one, add a line to ``CLIENTS``.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

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
from rebalance_proofs.model.client.environment import THROW_SECOND
from rebalance_proofs.model.client.node import Node
from rebalance_proofs.model.releases import java_from
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import NO, YES
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.model.transition import generations, java, node
from rebalance_proofs.model.transition.client import (
    BROADCAST,
    LITES,
    ORDERLY,
    ORDERLY_BROADCAST,
    ORDERLY_BROADCAST_BEFORE_5_3_2,
    ORDERLY_BROADCAST_FROM_5_3_2,
    PULLS,
    PUSH,
    Client,
    Mode,
)
from rebalance_proofs.model.transition.drivers import JavaDriver, NodeDriver
from rebalance_proofs.model.transition.generations import Generation
from rebalance_proofs.model.transition.java import Rules, encoding
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, KINDS, LOCKS, NO_OFFSET, PERSISTS, THROWN
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

# Mutants of the encoded rebalance, each with the guarantee that must reject it.

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


_COMMON = (PUSH, ORDERLY, BROADCAST, *PULLS, *LITES)

_SAME = {
    "stored": (frozenset({THROWN}), frozenset({BROKER_ERROR})),
    "queried": (frozenset({THROWN}), frozenset()),
    "memory": (frozenset(), frozenset({NO_OFFSET})),
}
"""Values with the same effect as another value in Java clients; see ``Client.alike``.

The default offset store throws nothing unexpected, and a user-defined store has its own memory.
"""


def _java(name: str, rocketmq_name: str, generation: Generation, *others: Mode) -> Client:
    """Return a Java client; ``others``: modes besides those that all Java clients have."""
    shipped = (*_COMMON, *others)
    return Client(
        name=name,
        rocketmq_name=rocketmq_name,
        observed=generation.recorded,
        driver=partial(JavaDriver, generation.made),
        encoding=java.encoding(generation.rules),
        modes=(*shipped, *(mode.with_own_store() for mode in shipped)),
        ignores=frozenset({"static"}),
        alike=_SAME,
        mutants=of(generation.rules),
        releases=generation.releases,
    )


V4_9 = _java("java_v4_9", "Java 4.9.8", generations.V4_9_8, ORDERLY_BROADCAST)
V5_0 = _java("java_v5_0", "Java 5.0 to 5.1.4", generations.V5_0, ORDERLY_BROADCAST)
V5_2 = _java(
    "java_v5_2",
    java_from("5.2", generations.V5_2.releases[-1]),
    generations.V5_2,
    ORDERLY_BROADCAST_FROM_5_3_2,
    ORDERLY_BROADCAST_BEFORE_5_3_2,
)
"""Java from 5.2 on; ordered broadcasting is a mode twice: up to 5.3.1 and from 5.3.2 on.

These releases do not differ otherwise here.
"""

V4_9_5 = _java("java_v4_9_5", "Java 4.9.5 to 4.9.7", generations.V4_9_5, ORDERLY_BROADCAST)
V4_9_1 = _java("java_v4_9_1", "Java 4.9.1 to 4.9.4", generations.V4_9_1, ORDERLY_BROADCAST)
V4_9_0 = _java("java_v4_9_0", "Java 4.9.0", generations.V4_9_0, ORDERLY_BROADCAST)

V5_5 = _java("java_v5_5", java_from(generations.V5_5.releases[0]), generations.V5_5, ORDERLY_BROADCAST_FROM_5_3_2)

NODE = Client(
    name="node",
    rocketmq_name="Node (ali-ons)",
    observed="3.12.2",
    driver=partial(NodeDriver, Node),
    encoding=node.ENCODING,
    modes=(PUSH, BROADCAST),
    ignores=frozenset({"locked", "lock_age", "consume_lock", "cached", "lock", "static"}),
    alike={
        "stored": (frozenset({BROKER_ERROR}), frozenset()),
        "persist": (frozenset({PERSISTS.index(THROW_SECOND)}), frozenset()),
    },
    mutants=everywhere(
        node.ENCODING,
        but=(
            "unmarked",
            "expires-always",
            "lock-after-put",
            "unlocks-when-marked",
            "forgets-when-marked",
            "broadcast-locks",
        ),
    ),
    releases=("node",),
)

CLIENTS: tuple[Client, ...] = (V4_9, V5_0, V5_2, NODE)
"""Clients for which every guarantee is claimed, as proved or as refuted."""

VARIANTS: tuple[Client, ...] = (V4_9_5, V4_9_1, V4_9_0, V5_5)
"""Versions with claims only about their differences from ``V4_9`` or ``V5_2``.

Known from their sources; they were not recorded.
"""


class Differing(NamedTuple):
    """Modes where an older version does not give the results of another version."""

    neighbour: Client
    modes: tuple[Mode, ...]
    """Modes with another result than the neighbour's; in all others, the results are the same."""


_ASKING = tuple(mode.with_own_store() for mode in PULLS)

DIFFERING: Mapping[str, Differing] = {
    V4_9_5.name: Differing(V4_9, tuple(mode for mode in V4_9_5.modes if mode.broadcasting and not mode.own_store)),
    V4_9_1.name: Differing(V4_9_5, V4_9_1.modes),
    V4_9_0.name: Differing(V4_9_1, tuple(mode for mode in V4_9_0.modes if mode.own_store and mode not in _ASKING)),
    V5_5.name: Differing(V5_2, (ORDERLY,)),
}
"""For each version in ``VARIANTS``, its differences from a neighbouring version.

4.9.5 has another default store. 4.9.0 expects fewer exceptions from a user-defined store when it reads an offset, which
a pull consumer does not. 5.5.0 renews locks of static topics; in a rebalance of a topic with queues it does not differ.
"""


def told_apart(client: Client) -> tuple[Mode, ...]:
    """Return the modes where a client's Python code is compared with its SMT encoding.

    A mode is left out if the code gives the same results as that of another version.
    """
    return DIFFERING[client.name].modes if client in VARIANTS else client.modes
