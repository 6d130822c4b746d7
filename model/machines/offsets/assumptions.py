"""What may be assumed about brokers and consumers, and what consumers rely on about each other.

A claim is about one queue and one arbitrary message of it. Each assumption is declared once, with the actions that it
excludes or restricts. A set of assumptions combines them; ``dropping`` one of them is a set of its own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.copies import Others
from rebalance_proofs.model.machine.machine import Step
from rebalance_proofs.model.machine.page import Rely
from rebalance_proofs.model.machine.premise import Assumptions, Premise
from rebalance_proofs.model.machine.record import shared
from rebalance_proofs.model.machine.values import And, Bool, Implies, Int, Not, Or
from rebalance_proofs.model.machines.offsets.actions import ORDER
from rebalance_proofs.model.machines.offsets.state import (
    NOWHERE,
    UNKNOWN,
    Choices,
    Limits,
    Offsets,
    Way,
    concerned,
    done,
    has_or_asks,
)
from rebalance_proofs.model.offsets.broker import NONE
from rebalance_proofs.model.transition.client import ORDERLY as PUSH_ORDERLY
from rebalance_proofs.model.transition.client import PUSH, Mode
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, UNANSWERED, WHERES

assume = Premise[Offsets, Choices, Limits]

# ---- Assumptions about answers of the broker

ASKING = ("asks", "fixes")
"""Actions that query the queue's offset."""
FIRST_PULL = ("fixes", "overtaken")
"""Actions that end the offset query of a first pull."""

ANSWERED = assume(
    "no error answers to offset queries: the broker sends the offset or does not answer",
    name="answers",
    otherwise="the broker answers an offset query with an error",
    allows=dict.fromkeys(ASKING, lambda s, c, lim: Not(c.error)),
)
QUERIED = assume(
    "an answer with the offset to every offset query",
    name="answers",
    otherwise="an offset query fails or times out",
    allows=dict.fromkeys(ASKING, lambda s, c, lim: And(Not(c.error), Not(c.silent))),
)
SOMETHING = assume(
    "an offset that the group has already committed for the queue",
    name="offset",
    otherwise="nothing is committed yet and the group starts at the last offset",
)
ABOVE = assume(
    "an offset greater than 0 that the group has already committed for the queue",
    name="above",
    otherwise="the committed offset is 0 (CONSUME_FROM_LAST_OFFSET)",
)
FROM_FIRST = assume("`CONSUME_FROM_FIRST_OFFSET`")
EXISTS = assume("", excludes=("arrives",))
"""The message exists initially."""

# ---- Assumptions about listeners that shutdown() interrupts

HEEDS = assume(
    "no early success of a listener that `shutdown()` interrupts: success only after its work, or with the thread's "
    "interrupt status set",
    name="heeding",
    otherwise="an interrupted listener clears the interrupt and returns success early",
    allows={action: lambda s, c, lim: Not(c.half) for action in ORDER if action != "returns_interrupted"},
)
HEEDS_IN_ORDER = assume(
    "no early success of a listener that `shutdown()` interrupts: before its work is done, it throws or requests a "
    "retry",
    name="heeding",
    otherwise="an interrupted listener returns success early",
    never=("half",),
)
UNINTERRUPTED = assume("", excludes=("interrupts", "returns_interrupted", "others_fail"), never=("half",))
"""Claims that are not about finished work need no interrupts."""
WAITS = assume(
    "a `shutdown()` that waits (`awaitTerminationMillisWhenShutdown`) until no listener call runs or waits for a thread"
)

# ---- Assumptions about the broker's offsets, and a replica

NO_REPLICA = assume(
    "no loss of committed offsets at the broker, and no replica that answers for the broker or takes over",
    name="master",
    otherwise="an outdated replica answers or takes over",
    excludes=("replicates", "swaps"),
    never=("replica",),
    # Without a master in the route, no query for the last offset, or by time, is possible.
    dropped={"asks": lambda s, c, lim: Implies(c.replica, s.copied != NONE)},
)
NO_LOSS = assume("no loss of committed offsets that the broker or its replica has received")
COPIED = assume("a replica that has an offset committed by the group for the queue")
INTERRUPTED_FIRST = assume("", allows={"shuts": lambda s, c, lim: s.interrupted})
"""shutdown() interrupts the listeners before it sends offsets."""


def _once(so: Callable[[Offsets], Bool]) -> Premise[Offsets, Choices, Limits]:
    """Return the assumption that messages below any earlier committed offset were handled; they stay handled."""

    def once(s: Offsets, c: Choices, lim: Limits) -> Bool:
        return Implies(c.offset > lim.message, so(s))

    return assume("", allows={"fixes": lambda s, c, lim: Implies(c.older, once(s, c, lim)), "overtaken": once})


ONCE, ONCE_FINISHED = _once(done), _once(lambda s: Or(s.finished, s.given))

# ---- Assumptions about the order of owners

LET_GO = "let go: process queue removed, listener returned, commits arrived at the broker, running `persistAll` ended"
TURN = assume(
    "no offset query of a new owner before the old owner has let the queue go",
    name="turn",
    otherwise="a new owner queries the offset too early",
    meaning=LET_GO,
    excludes=("overtaken",),
    allows={"asks": lambda s, c, lim: Not(s.taken)},
)
AFTER_THE_ENTRY = assume(
    "no offset query for the queue before the old owner's process queue is removed",
    name="turn",
    otherwise="the old owner still holds the queue",
    excludes=("overtaken",),
    allows={"asks": lambda s, c, lim: Not(s.taken)},
)
NO_UNLOCK = assume(
    "no unlock of a queue while its listener runs",
    allows={"revokes": lambda s, c, lim: Not(And(c.stale, Or(s.runs, c.held))), "shuts": lambda s, c, lim: Not(s.runs)},
)
FIRST_ANSWERED = assume(
    "every first pull answered while its process queue exists", allows={"fixes": lambda s, c, lim: Not(c.older)}
)
COMMITS_IN_ORDER = assume(
    "commits of a consumer that arrive in order, and before the consumer's next offset query",
    allows={
        **dict.fromkeys(("sends", "revokes", "shuts", "fixes"), lambda s, c, lim: Not(s.sending)),
        **dict.fromkeys(("pulls", "passes", "empty"), lambda s, c, lim: Not(s.recording)),
        **dict.fromkeys(("records", "commits"), lambda s, c, lim: Not(c.more)),
    },
)
IN_ORDER = (NO_UNLOCK, COMMITS_IN_ORDER, FIRST_ANSWERED)
STAYS = assume(
    "no crash or kill of a consumer's process, and no unsubscribe",
    name="staying",
    otherwise="a process ends or unsubscribes without sending its offset",
    excludes=("crashes", "unsubscribes"),
)
KEEPS = assume(
    "only one consumer that queries the queue's offset before the first commit, and only once",
    name="keeping",
    otherwise="the queue is taken twice before a commit",
    allows={"asks": lambda s, c, lim: Or(s.committed != NONE, Not(Or(s.taken, s.owned)))},
)


def _stays_committed(s: Offsets, c: Choices, lim: Limits) -> Bool:
    """Check that an offset that was committed stays committed, and is not beyond the queue's end."""
    return And(s.committed != NONE, c.offset <= s.end)


LAST = assume(
    "no offset committed for the queue at first, and `CONSUME_FROM_LAST_OFFSET`",
    allows={
        "fixes": lambda s, c, lim: Implies(c.older, _stays_committed(s, c, lim)),
        "overtaken": _stays_committed,
    },
)

# ---- Assumptions about offset resets

NO_RESETS = assume("no offset resets", excludes=("suspends", "rewinds", "retires"))
SUSPENDED = assume(
    "no rebalance during the reset, which suspends the consumer",
    allows=dict.fromkeys(("marks", "revokes", "unsubscribes"), lambda s, c, lim: Not(s.resetting)),
)
ONE_RESET = assume("no two offset resets at the same time")
QUERIES_ENDED = assume(
    "every offset query answered or timed out before a reset writes its offset",
    allows=dict.fromkeys(FIRST_PULL, lambda s, c, lim: Not(s.rewound)),
)
QUIET = assume(
    "no recording of the queue's offset pending when a reset drops its process queue, and no pull answered until the "
    "reset has sent its offset",
    name="quiet",
    otherwise="a pull answer or offset update interferes",
    allows={
        **dict.fromkeys(("pulls", "passes", "empty", *FIRST_PULL), lambda s, c, lim: Not(s.resetting)),
        "suspends": lambda s, c, lim: Not(Or(s.recording, s.noting)),
    },
)
STEADY = assume(
    "no addition or removal of a queue, completed or attempted, while a `persistAll` of the consumer runs",
    name="steady",
    otherwise="the queue table changes during `persistAll`",
    allows=dict.fromkeys(
        ("adds", "revokes", "unsubscribes", "shuts", "retires"), lambda s, c, lim: Not(Or(s.listed, s.unlisted))
    ),
)

# ---- Assumptions about behaviour outside the model

SAME = assume("the same subscription for all members")
BY_CLIENTS = assume("client-side rebalance")
EXISTING = assume("pulls of existing offsets only: no message deleted before it is consumed")
ONE_REQUEST = assume("one pull request per process queue, never two at the same time")
IN_SEQUENCE = assume("no two rebalances of a consumer at the same time: no `resume()` during a rebalance")
OWN_STORES = assume("the client's built-in offset stores")
ASCENDING = assume("messages of each pull in the order of their offsets")
OPEN = assume(
    "no shutdown of a consumer with unconsumed messages",
    name="open",
    otherwise="a consumer with unconsumed messages is shut down",
    excludes=("skips", "skips_late"),
)
_ALWAYS = (SAME, BY_CLIENTS, NO_REPLICA, EXISTING, ONE_REQUEST)
ALWAYS = (*_ALWAYS, NO_RESETS, IN_SEQUENCE)
"""Assumptions of nearly every claim about offsets in Java."""
CONCURRENTLY = (
    assume("concurrent listeners"),
    ASCENDING,
    assume("every process queue marked as dropped before its removal from the table"),
    OWN_STORES,
)
ORDERLY = (
    assume("ordered listeners with automatic commits"),
    assume("an answer to the offset query of the queue's first pull (needed only for 4.9)"),
    OWN_STORES,
)
OF_NODE = (
    SAME,
    BY_CLIENTS,
    NO_REPLICA,
    EXISTING,
    NO_RESETS,
    assume("every failed message sent back for a retry, or consumed after at most `maxReconsumeTimes` failures"),
    assume("no two rebalances of a consumer at the same time"),
    assume("no broadcasting"),
)
"""Assumptions of every claim about Node."""
PLAIN = (EXISTS, UNINTERRUPTED, ONCE)
"""Assumptions of claims that are not about arriving messages or interrupted listeners."""

# ---- Sets of assumptions


@dataclass(frozen=True)
class Brokers(Assumptions[Offsets, Choices, Limits]):
    """A set of assumptions about brokers, and consumers that commit offsets."""

    way: Way = Way.CONCURRENTLY
    """How consumers process messages: concurrently, in order, or in a pull loop (Node)."""
    where: ConsumeFromWhere | None = None
    """The setting ``ConsumeFromWhere``, used without a committed offset; None for any setting."""
    copied: bool = True
    """Whether the replica, too, initially knows the committed offset."""
    kind: ClassVar[str] = "offsets"
    as_declared: ClassVar[bool] = True

    @property
    def committed(self) -> bool:
        """Return whether the broker initially has a committed offset of the queue."""
        return not (FROM_FIRST in self or LAST in self or self.gone is SOMETHING)

    @property
    def least(self) -> int:
        """Return the smallest possible offset of the message, and of a commit."""
        return 1 if ABOVE in self else 0

    @property
    def least_copied(self) -> int:
        """Return the smallest committed offset that a replica can have."""
        return self.least if self.committed and self.copied else NONE

    @property
    def errors(self) -> bool:
        """Return whether a broker may answer a query for the offset with an error."""
        return ANSWERED not in self and self.unanswered

    @property
    def unanswered(self) -> bool:
        """Return whether a broker may leave a query for the offset unanswered."""
        return QUERIED not in self

    @property
    def in_turn(self) -> bool:
        """Return whether a consumer asks for the queue only after its old owner removed its process queue.

        With ordered listeners, the old owner must also have finished all work on the queue.
        """
        return TURN in self or AFTER_THE_ENTRY in self

    @property
    def handed(self) -> bool:
        """Return whether the claims are about messages that a hand-over redelivers."""
        return AFTER_THE_ENTRY in self.declared

    @property
    def stopping(self) -> bool:
        """Return whether shutdown() interrupts running listeners, instead of waiting for their end."""
        return HEEDS in self.declared or HEEDS_IN_ORDER in self.declared

    @property
    def finishing(self) -> bool:
        """Return whether the claims are about messages whose processing is complete."""
        return self.stopping or WAITS in self

    @property
    def replica(self) -> bool:
        """Return whether a replica may answer for the broker, receive commits, and replace the broker."""
        return NO_REPLICA not in self

    @property
    def later(self) -> bool:
        """Return whether the message arrives during the run, instead of existing initially."""
        return LAST in self

    @property
    def resets(self) -> bool:
        """Return whether offsets may be reset."""
        return QUIET in self.declared

    @property
    def lonely(self) -> bool:
        """Return whether searches for a counterexample let only one consumer act."""
        return self.resets or (self.gone is STEADY and not self.orderly)

    @property
    def orderly(self) -> bool:
        """Return whether the listeners are ordered."""
        return self.way is Way.ORDERLY

    @property
    def modes(self) -> tuple[Mode, ...]:
        """Return the modes of use of the client that the assumptions cover."""
        return (PUSH_ORDERLY,) if self.orderly else (PUSH,)

    def has(self, s: Offsets) -> Bool:
        """Return the condition that the consumer counts as an owner of the queue.

        With ordered listeners, an owner has any work left on the queue. Otherwise it has a process queue or asks for
        its offset.
        """
        return concerned(s) if self.orderly else has_or_asks(s)

    def given(self, limits: Limits) -> dict[str, Bool]:
        """Return the assumptions about the message's offset and the start offset, by sentence."""
        places = range(len(WHERES)) if self.where is None else (WHERES.index(self.where),)
        return {
            "the message has an offset": limits.message >= self.least,
            "where the group begins": Or(*(limits.from_where == place for place in places)),
        }

    def first(self, state: Offsets, limits: Limits) -> Offsets:
        """Return the initial state: no consumer has consumed the message.

        A committed offset equals the message's offset. The message exists or is yet to arrive.
        """
        committed = limits.message if self.committed else NONE
        end = limits.message if self.later else limits.message + 1
        return state.but(committed=committed, copied=committed if self.copied else NONE, end=end)

    def isolated(self, action: str, state: Offsets, choices: Choices, limits: Limits) -> Bool:
        """Return the conditions that runs involve no other messages.

        For Node also: a pull is answered before its consumer is shut down. Proofs do not assume that.
        """
        if action == "ends" and self.way is Way.CONCURRENTLY:
            return choices.none == Not(state.cached)
        return Not(state.closed) if action in ("pulls", "empty") and self.way is Way.BY_LOOP else True

    @property
    def ordered(self) -> "Brokers":
        """Return the assumptions with ordered listeners instead of concurrent ones."""
        others = [one for one in self.declared if one not in CONCURRENTLY]
        return self.assuming(*others, *ORDERLY, way=Way.ORDERLY)

    def instead(self, old: Premise[Offsets, Choices, Limits], new: Premise[Offsets, Choices, Limits]) -> "Brokers":
        """Return the set with another assumption in the place of one of them."""
        return self.assuming(*(new if one is old else one for one in self.declared))


COMMITTED = Brokers.of(
    "committed",
    *(SOMETHING, ANSWERED, *ALWAYS, *CONCURRENTLY, *PLAIN),
    row="if an offset is committed and no query fails",
)
COMMITTED_STEADY = replace(
    COMMITTED.assuming(STEADY, *COMMITTED.declared),
    name="committed-steady",
    row="if an offset is committed, no query fails, and tables are steady",
)
NOTHING_COMMITTED = replace(COMMITTED.dropping(SOMETHING), where=ConsumeFromWhere.LAST_OFFSET)
FIRST = Brokers.of(
    "first",
    *(FROM_FIRST, *ALWAYS, *CONCURRENTLY, *PLAIN),
    where=ConsumeFromWhere.FIRST_OFFSET,
    row="if the group starts at the first offset",
    when=", if the group starts at the first offset",
)
"""The broker has a committed offset or none, and may answer with an error."""
ARRIVING = Brokers.of(
    "arriving",
    *(KEEPS, LAST, ANSWERED, *ALWAYS, *CONCURRENTLY, UNINTERRUPTED, ONCE),
    where=ConsumeFromWhere.LAST_OFFSET,
    row="if nothing is committed, and one consumer takes the queue before the first commit",
)
"""The message arrives during the run, when consumers already exist."""
RESET = Brokers.of(
    "reset",
    *(QUIET, SUSPENDED, ONE_RESET, QUERIES_ENDED, STEADY, SOMETHING, ANSWERED, *_ALWAYS, *CONCURRENTLY, *PLAIN),
    row="if no offset is recorded while it is reset",
)
"""The user's own code in the consumer resets its offsets."""
IN_TURN = Brokers.of(
    "in-turn",
    *(TURN, *IN_ORDER, STAYS, SOMETHING, ANSWERED, *ALWAYS, *ORDERLY, *PLAIN),
    way=Way.ORDERLY,
    row="if owners follow one after the other, and none ends abruptly",
)
"""Ordered consumers own the queue one after another, without overlap."""
IN_TURN_STEADY = replace(
    IN_TURN.assuming(STEADY, *IN_TURN.declared),
    name="in-turn-steady",
    row="if owners follow one after the other, none ends abruptly, and tables are steady",
)
OUT_OF_TURN = IN_TURN_STEADY.assuming(*(one for one in IN_TURN_STEADY.declared if one not in IN_ORDER)).dropping(TURN)
HEEDED = Brokers.of(
    "heeded",
    *(HEEDS, SOMETHING, ANSWERED, *ALWAYS, *CONCURRENTLY, EXISTS, INTERRUPTED_FIRST, ONCE_FINISHED),
    row="if interrupted listeners return success only when done",
    when=", if interrupted listeners return success only when done or stay interrupted",
)
"""Listeners may be interrupted; then they return success only when done, or interrupted.

The latter means that the interrupt status of the thread is still set.
"""
HEEDED_IN_ORDER = replace(
    HEEDED.ordered.instead(HEEDS, HEEDS_IN_ORDER), when=", if interrupted listeners return success only when done"
)
"""Ordered listeners may be interrupted; then they return success only when done.

Keeping the interrupt status set does not help them, because the next batch's commit also covers the message.
"""
AWAITED = Brokers.of(
    "awaited",
    *(WAITS, SOMETHING, ANSWERED, *ALWAYS, *CONCURRENTLY, EXISTS, UNINTERRUPTED, ONCE_FINISHED),
    row="if shutdown() waits for running listeners",
    when=", if shutdown() waits for running listeners",
)
"""A shutdown waits for running listeners, so that no listener is interrupted."""
REPLACED = COMMITTED.assuming(*COMMITTED.declared, COPIED, NO_LOSS).dropping(NO_REPLICA)
REPLACED_BY_NONE = replace(
    COMMITTED.dropping(NO_REPLICA),
    name="copy",
    otherwise="a replica without the group's offsets replaces the broker (CONSUME_FROM_LAST_OFFSET)",
    where=ConsumeFromWhere.LAST_OFFSET,
    copied=False,
)
REPLACED_FIRST = replace(
    FIRST.instead(NO_REPLICA, NO_LOSS),
    name="first-copy",
    otherwise="a replica answers for the broker",
    row="if the group starts at the first offset, even if a replica answers",
    copied=False,
)
"""``REPLACED_BY_NONE``, with ``CONSUME_FROM_FIRST_OFFSET``."""
HANDED_OVER = replace(
    COMMITTED.assuming(AFTER_THE_ENTRY, *COMMITTED.declared),
    name="handed-over",
    row="if a consumer asks for a queue only after the old owner removed it",
)
"""Concurrent consumers own the queue one after another, without overlap.

Processes may end, and commits may arrive late.
"""
BY_LOOP = Brokers.of(
    "loop",
    *(ABOVE, QUERIED, OPEN, *OF_NODE, *PLAIN),
    way=Way.BY_LOOP,
    row="if an offset above 0 is committed, queries are answered, and no messages are left at shutdown",
)
"""All assumptions about Node's consumers, which process messages in a pull loop, hold."""
AT_ZERO = replace(BY_LOOP.dropping(ABOVE), where=ConsumeFromWhere.LAST_OFFSET)
NOTHING_COMMITTED_BY_LOOP = replace(
    BY_LOOP.instead(ABOVE, SOMETHING).dropping(SOMETHING), where=ConsumeFromWhere.LAST_OFFSET
)
FIRST_BY_LOOP = FIRST.assuming(FROM_FIRST, OPEN, *OF_NODE, *PLAIN, way=Way.BY_LOOP)
HANDED_OVER_BY_LOOP = HANDED_OVER.assuming(AFTER_THE_ENTRY, *BY_LOOP.declared, way=Way.BY_LOOP)


@dataclass(frozen=True)
class Group(Brokers):
    """Assumptions about a group with consumers of two different clients."""

    subjects: ClassVar[int] = 2


MIXED = assume("the assumptions of the claims with these proofs, for the consumers of both clients in one group")


def group(way: Way) -> Group:
    """Return the assumptions about groups of two clients, the first of which processes messages in this way."""
    return Group.of("mixed", MIXED, way=way, row="in a group of two clients that both meet the assumptions")


# ---- Conjuncts of several invariants

part = Conjunct[Offsets, Limits]
Parts = tuple[Conjunct[Offsets, Limits], ...]
Place = Callable[[Offsets], Int]
When = Callable[[Offsets], Bool]


def behind(name: str, words: str, offset: Place, where: When = lambda s: True, *, shared: bool = False) -> Any:
    """Return the conjunct that the message was consumed if the offset ``offset`` is beyond it."""
    sentence = f"A message below {words} was consumed."
    return part(name, sentence, lambda s, lim: Implies(And(where(s), offset(s) > lim.message), done(s)), shared=shared)


HELD = part(
    "held",
    "Messages and listener calls belong to a process queue.",
    lambda s, lim: And(Implies(s.cached, s.present), Implies(s.runs, s.present)),
)
CONCERNED = part(
    "concerned",
    "A queue that a consumer works on counts as taken.",
    lambda s, lim: Implies(concerned(s), s.taken),
)
LISTED = part(
    "steady",
    "While `persistAll` runs, the table has the queues of its list.",
    lambda s, lim: And(Implies(s.listed, s.present), Implies(s.unlisted, Not(s.present))),
)
ALONE = part(
    "alone",
    "A consumer that asks for the offset has no process queue.",
    lambda s, lim: Implies(s.asking, Not(s.present)),
)


def _unfixed(s: Offsets, lim: Limits) -> Bool:
    nothing = Not(Or(s.recording, s.noting, s.cached, s.runs, s.late))
    unfixed = And(s.present, Not(s.fixed))
    return And(Implies(Or(s.asking, unfixed), nothing), Implies(unfixed, s.next == s.stands))


UNFIXED = part("unfixed", "A consumer without an answered first pull has no commit under way.", _unfixed)


def unreset(world: Brokers) -> Parts:
    """Return, for ordered listeners, the conjunct that no offset is being reset.

    A reset may empty a process queue while its listener runs, which changes the effect of the listener's return.
    """
    return (part("unreset", "No offset is being reset.", lambda s, lim: Not(s.resetting)),) if world.orderly else ()


def remains(world: Brokers) -> Parts:
    """Return, for ordered listeners, the conjunct about messages of interrupted calls.

    These messages are recorded together with the next batch.
    """
    stays = part(
        "remains",
        "A message of an interrupted call stays in its process queue; its listener has returned, and is not called.",
        lambda s, lim: Implies(s.remains, And(s.cached, done(s), Not(s.runs))),
    )
    return (stays,) if world.orderly else ()


def answers(world: Brokers) -> Any:
    """Return the conjunct about the possible answers to an offset query of a rebalance."""
    others = (
        *((UNANSWERED,) if world.unanswered else ()),
        *((BROKER_ERROR,) if world.errors else ()),
        *(() if world.committed else (NOT_FOUND,)),
    )
    return part(
        "answers",
        "A rebalance gets an offset, or another answer that the assumptions allow.",
        lambda s, lim: Implies(s.asking, Or(s.answer >= world.least, *(s.answer == other for other in others))),
    )


def offsets(world: Brokers) -> Any:
    """Return the conjunct that all offsets are in their ranges."""
    in_range = _of_a_loop if world.way is Way.BY_LOOP else _of_java
    return part("offsets", "Offsets are not negative.", lambda s, lim: in_range(s, world))


def _of_java(s: Offsets, world: Brokers) -> Bool:
    least = world.least
    nowhere = [And(s.fixed, s.next == NOWHERE)] if world.orderly else []
    in_order = [Implies(s.noting, s.noted >= 0), Implies(s.present, s.stands >= 0)] if world.orderly else []
    return And(
        s.committed >= (least if world.committed else NONE),
        s.copied >= world.least_copied if world.replica else True,
        Implies(s.present, And(s.began >= least, Or(s.began <= s.next, *nowhere))),
        Implies(s.recording, s.recorded >= least),
        Or(s.memory >= least, s.memory == NO_OFFSET),
        Implies(s.sending, s.sent >= least),
        *in_order,
    )


def _of_a_loop(s: Offsets, world: Brokers) -> Bool:
    # Node sends an offset of 0 as -1; if all offsets are above 0, it never sends -1.
    least = world.least or UNKNOWN
    return And(
        s.committed >= least,
        Implies(s.present, And(s.began >= world.least, s.began <= s.next)),
        Implies(s.lingers, s.left_next >= world.least),
        Or(s.memory >= least, s.memory == NO_OFFSET),
        Implies(And(s.present, world.least > 0), s.memory >= least),
        Implies(s.sending, s.sent >= least),
    )


# ---- What other consumers can do: each consumer relies on it, and is proved to do nothing else

SHARED = shared(Offsets)


def others(world: Brokers, invariant: Sequence[Conjunct[Offsets, Limits]]) -> tuple[Others[Offsets, Limits], ...]:
    """Return everything that other consumers can do, as one change of the shared fields."""

    def effect(before: Offsets, then: Offsets, lim: Limits, mine: Bool) -> Step:
        so = [*_harmless(world, before, then), *(one.holds(then, lim) for one in invariant if one.shared)]
        if world.later:
            so += _arrives(before, then, lim)
        if world.in_turn:
            so += _while(mine, before, then, world)
        if KEEPS in world:
            so += _alone_until_then(mine, before, then)
        return And(*so), {name: getattr(then, name) for name in SHARED}

    def taken(s: Offsets, lim: Limits) -> Bool:
        return And(s.taken, s.committed == NONE) if KEEPS in world else s.taken

    return (
        Others(
            "others-act",
            "Another consumer acts, or messages arrive.",
            "the change is one that other consumers make",
            effect,
            SHARED,
            (taken, lambda s, lim: world.has(s)) if world.in_turn or KEEPS in world else None,
        ),
    )


def begins(
    world: Brokers, invariant: Sequence[Conjunct[Offsets, Limits]]
) -> Callable[[Offsets, Limits], Mapping[str, Bool]]:
    """Return conditions on the shared fields when a consumer begins.

    They are what the other consumers preserve.
    """

    def so(s: Offsets, lim: Limits) -> dict[str, Bool]:
        found = {one.sentence: one.holds(s, lim) for one in invariant if one.shared}
        found["the committed offset is an offset, or none if the world allows that"] = And(*_offsets(world, s))
        if world.later:
            found["the message has not arrived"] = And(s.end >= 0, s.end <= lim.message)
            new = Not(Or(s.owned, s.awaited, s.had, s.begun))
            found["no consumer has had the queue, and nothing is committed"] = And(new, s.committed == NONE)
        return found

    return so


def _offsets(world: Brokers, s: Offsets) -> Iterator[Bool]:
    yield s.committed >= (world.least if world.committed else NONE)
    if world.replica:
        yield s.copied >= world.least_copied


def _harmless(world: Brokers, before: Offsets, then: Offsets) -> Iterator[Bool]:
    """Yield conditions on every change by others.

    Consumed messages stay consumed, no message disappears, and committed values are offsets.
    """
    for name in ("consumed", "given", "overtime", "finished"):
        yield Implies(getattr(before, name), getattr(then, name))
    yield then.end >= before.end
    yield from _offsets(world, then)


def _arrives(before: Offsets, then: Offsets, lim: Limits) -> Iterator[Bool]:
    """Yield conditions on changes by others after the message has arrived, and before commits.

    Ghost fields of a message that has arrived do not change. Before a consumer has owned the queue, no offset is
    committed, and no ghost field is set.
    """
    here = before.end > lim.message
    nothing = Not(Or(then.had, then.begun, then.committed != NONE))
    yield And(then.committed <= then.end, Or(then.owned, nothing))
    yield from _same(here, before, then, "awaited", "had", "begun")


def _while(mine: Bool, before: Offsets, then: Offsets, world: Brokers) -> Iterator[Bool]:
    """Yield conditions on changes by others while this consumer owns the queue (``mine``).

    Others change no shared field except for arriving messages. Without ordered listeners, others may also change the
    committed offset, messages given back, and messages consumed by a call that outlives its process queue.
    """
    if world.orderly:
        yield from _same(mine, before, then, "committed", "consumed", "given", "kept", "taken")
    else:
        yield from _same(mine, before, then, "taken")
        yield Implies(And(mine, then.consumed), Or(before.consumed, then.overtime))


def _alone_until_then(mine: Bool, before: Offsets, then: Offsets) -> Iterator[Bool]:
    """Yield conditions on changes by others before the first commit.

    Others do not take an owned queue, and no consumer asks for it later.
    """
    yield from _same(mine, before, then, "committed", "owned", "taken", "had", "begun")
    yield Implies(And(before.owned, before.committed == NONE, Not(before.taken)), Not(then.taken))
    yield Implies(before.committed >= 0, then.committed >= 0)
    yield Implies(before.owned, then.owned)


def _same(so: Bool, before: Offsets, then: Offsets, *names: str) -> Iterator[Bool]:
    yield from (Implies(so, getattr(before, name) == getattr(then, name)) for name in names)


RELY = Rely("Another consumer changes the shared state only as the action `others-act` allows.", others, begins)
