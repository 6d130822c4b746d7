"""Claims about one ordered queue: invariants, guarantees, and the settings of their proofs, searches and reports.

A guarantee is one function with ``@guarantee``. It returns what is proved, and the claims about it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rebalance_proofs.model.client.environment import DENIED, OK
from rebalance_proofs.model.machine import conjunct, copies
from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER
from rebalance_proofs.model.machine.fields import Flag, Number, record
from rebalance_proofs.model.machine.machine import Step, act_of, step
from rebalance_proofs.model.machine.page import (
    Attained,
    Compared,
    Fact,
    Guarantees,
    Holds,
    Page,
    Proof,
    Property,
    Rely,
    Search,
    Way,
    Words,
    holds,
    refuted,
)
from rebalance_proofs.model.machine.record import Record, ghosts
from rebalance_proofs.model.machine.run import NAMES, Happens, Run
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or, Span, Value, number, term
from rebalance_proofs.model.machines.ordered.actions import (
    CLIENTS,
    OLDER,
    ORDERED,
    SLIPS,
    WRONG,
    OrderedClient,
    entry_of,
)
from rebalance_proofs.model.machines.ordered.actions import asked as asked_of
from rebalance_proofs.model.machines.ordered.assumptions import (
    ALIKE,
    ALIKE_OUT_OF_TIME,
    ANYHOW,
    BY_DEFAULT,
    IN_CONDITION,
    IN_TIME,
    NOT_LATER,
    ONE_GROUP,
    OUT_OF_TIME,
    PROMPT,
    RENEWED,
    RENEWED_OUT_OF_TIME,
    SHUT_TOO_SOON,
    SHUTS_IDLE,
    TOO_LONG,
    UNLOCK_PENDING,
    WITHOUT,
    Circumstances,
    Outside,
    Ways,
    asked,
    at_rest,
    begins,
    condition_in_words,
    condition_of,
    enough,
    example,
    happens,
    in_ticks,
    needed,
    outside,
    too_short,
    waits_in_words,
)
from rebalance_proofs.model.machines.ordered.recorded import TABLE
from rebalance_proofs.model.machines.ordered.state import (
    COMPARED,
    DEFAULTS,
    IN_SHUTDOWN,
    NOT_IN_SHUTDOWN,
    SEARCHED,
    Choices,
    Limits,
    Ordered,
)
from rebalance_proofs.model.releases import CONSUMERS, SOURCES
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.numbers import UNANSWERED
from rebalance_proofs.model.transition.step import NOTHING_THROWN, Entry

# ---- What other consumers can do to the broker's lock


def passed_on(s: Ordered) -> dict[str, Value]:
    """Return the changes of a consumer's ghost fields when another consumer gets the lock.

    Ghost fields exist only for proofs.
    """
    return {
        "lost": True,
        "lost_at": If(s.lost, s.lost_at, s.now),
        "call_lost": True,
        "call_lost_at": If(s.call_lost, s.call_lost_at, s.now),
    }


def _take(s: Ordered, then: Ordered, lim: Limits, mine: Bool) -> Step:
    free = Or(s.holder != ME, s.now - s.updated > lim.broker)
    return step(free, holder=OTHER, updated=s.now, **passed_on(s))


OTHERS = (
    copies.Others[Ordered, Limits](
        "others-take",
        "Another consumer takes the lock, which is free or has expired.",
        "this consumer does not hold the lock, or the lock has expired",
        _take,
    ),
    copies.Others[Ordered, Limits](
        "others-give-back",
        "Another consumer releases its lock.",
        "another consumer holds the lock",
        lambda s, then, lim, mine: step(s.holder == OTHER, holder=NOBODY),
    ),
)
"""Everything that other consumers can do to the broker's lock."""


def _before(s: Ordered, lim: Limits) -> Mapping[str, Bool]:
    return {
        "another consumer holds the lock, or the lock is free": Or(s.holder == OTHER, s.holder == NOBODY),
        "the lock was updated before": s.updated <= s.now,
    }


# ---- Invariant of one consumer: conjuncts that every action preserves

Conjunct = conjunct.Conjunct[Ordered, Limits]


def undisturbed(s: Ordered) -> Bool:
    """Return the condition that no unlock arrived since the last grant, and none is on its way."""
    return Not(Or(s.released, s.unlocking, s.later))


def _past(s: Ordered, limits: Limits) -> Bool:
    return And(
        s.updated <= s.now,
        s.granted_at <= s.now,
        Implies(s.present, s.stamp <= s.now),
        Implies(s.runs, s.since <= s.now),
    )


def _kept(s: Ordered, limits: Limits) -> Bool:
    mine = And(s.holder == ME, s.updated == s.granted_at)
    return Or(s.released, mine, s.now > s.granted_at + limits.broker)


def _reply(s: Ordered, limits: Limits) -> Bool:
    in_time = And(s.answered_at <= s.granted_at, s.now <= s.answered_at + limits.delay)
    return Implies(s.answered, in_time)


def _adding(s: Ordered, limits: Limits) -> Bool:
    in_time = And(s.adding_at <= s.granted_at, s.now <= s.adding_at + limits.delay)
    return Implies(s.adding, And(Not(s.present), Or(s.yielded, undisturbed(s)), in_time))


def _believes(s: Ordered, limits: Limits) -> Bool:
    return Implies(And(s.present, s.locked), s.stamp <= s.granted_at + limits.delay)


def _entry(s: Ordered, limits: Limits) -> Bool:
    return Implies(And(s.present, Not(s.yielded)), undisturbed(s))


def _runs(s: Ordered, limits: Limits) -> Bool:
    recent = s.since <= s.granted_at + limits.delay + limits.client
    return Implies(s.runs, And(undisturbed(s), s.now <= s.since + limits.listener, recent))


def _runs_on(s: Ordered, limits: Limits) -> Bool:
    """Return conditions that remain true for a running listener that may have lost the lock."""
    recent = s.since <= s.granted_at + limits.delay + limits.client
    return Implies(s.runs, And(s.now <= s.since + limits.listener, recent))


def _own(s: Ordered, limits: Limits) -> Bool:
    return Implies(s.runs, And(s.present, Not(s.orphan)))


def _started(s: Ordered, limits: Limits) -> Bool:
    own = And(s.runs, s.present, Not(s.orphan))
    return Implies(own, s.since <= s.stamp + limits.client)


ALL = (
    Conjunct("past", "No recorded time is in the future.", _past),
    Conjunct(
        "kept",
        "The consumer has held the broker's lock since the last grant, unless the lock was released or expired.",
        _kept,
    ),
    Conjunct("reply", "The answer to a renewal arrives within the delay.", _reply),
    Conjunct(
        "adding",
        "While a queue is being added, it has no process queue, and only a shutdown releases its lock.",
        _adding,
    ),
    Conjunct("believes", "A locked process queue was stamped within the delay after a grant.", _believes),
    Conjunct("entry", "While a process queue exists, only a shutdown releases its lock.", _entry),
    Conjunct(
        "runs",
        "While the listener runs, no action releases the lock, and the call began while the lock was recent.",
        _runs,
    ),
)
RUNS_ON = Conjunct("runs-on", "The listener began while the lock was recent, and returns in time.", _runs_on)
OWN = Conjunct("own", "The listener runs on the process queue that is in the table.", _own)
STARTED = Conjunct("started", "The listener call began while the process queue's own time stamp was recent.", _started)


NEVER_LATER = Conjunct("never-later", "No unlock is delayed.", lambda s, limits: Not(s.later))
AT_THE_END = Conjunct(
    "at-the-end",
    "An unlock is under way only when the consumer has released all locks, or has ended.",
    lambda s, limits: Implies(s.unlocking, Or(s.yielded, s.closed)),
)


def _shutting(client: OrderedClient, renewed: bool) -> Conjunct:
    def holds(s: Ordered, limits: Limits) -> Bool:
        waits = False if renewed and not client.rules.renews_on else enough(client.rules, limits)
        return And(
            Implies(s.yielded, s.stopping),
            Implies(s.stopping, Or(waits, at_rest(s))),
            Implies(s.closed, And(s.stopping, at_rest(s))),
        )

    sentence = "A consumer that is shut down has no messages left, or waits long enough."
    return Conjunct("shutting", sentence, holds)


def _requests(s: Ordered, limits: Limits) -> Bool:
    return And(
        s.waits_since <= s.now,
        Implies(s.cut, s.stopping),
        Implies(And(s.cut, s.runs), s.since <= s.waits_since + limits.loop),
        Implies(s.yielded, Not(s.runs)),
        Implies(And(s.yielded, s.cached), And(s.cut, s.now >= s.waits_since + limits.wait)),
    )


REQUESTS = Conjunct(
    "requests",
    "After the shutdown's first wait, a call begins within one consume request; after the second wait, no call runs.",
    _requests,
)


def _last_lock(s: Ordered, limits: Limits) -> Bool:
    asked = s.waits_since - If(s.cut, limits.wait, 0) + limits.late
    called = Implies(s.runs, s.since <= asked + limits.delay + limits.client)
    stamped = Implies(And(s.present, Or(s.runs, s.cached)), s.stamp <= asked + limits.delay)
    return Implies(s.stopping, And(Implies(s.answered, s.answered_at <= asked), called, stamped))


LAST_LOCK = Conjunct(
    "last-lock",
    "After a shutdown starts, no later lock request is recorded, and no call begins once that lock is distrusted.",
    _last_lock,
)


STAMPED = Conjunct(
    "stamped",
    "A process queue was stamped within the delay after a grant.",
    lambda s, limits: Implies(s.present, s.stamp <= s.granted_at + limits.delay),
)


def _in_time(client: OrderedClient) -> Conjunct:
    return Conjunct(
        "in-time",
        "A process queue whose lock is renewed was stamped within the limit for renewals.",
        lambda s, limits: Implies(client.encoding.listed(s), s.now <= s.stamp + limits.renewal),
    )


def trusted(world: Circumstances, *conjuncts: Conjunct) -> tuple[Conjunct, ...]:
    """Return the conjuncts, stated for the limits that a consumer can rely on.

    See ``Circumstances.trusted``.
    """

    def of(one: Conjunct) -> Conjunct:
        return replace(one, holds=lambda s, limits: one.holds(s, world.trusted(limits)))

    return tuple(map(of, conjuncts))


def invariant(client: OrderedClient, world: Circumstances) -> tuple[Conjunct, ...]:
    """Return the invariant of a client under a set of assumptions (``world``).

    If a rebalance does not release the lock, a listener may outlive its process queue. If first pulls are delayed, it
    may also outlive its lock (``outlives``).
    """
    renewed, alike = world.renewed, world.alike
    forced = alike and client.forces
    conjuncts = [*(RUNS_ON if forced and one.name == "runs" else one for one in ALL), _shutting(client, renewed)]
    conjuncts += [] if forced else [OWN if client.gives_back else AT_THE_END]
    if client.rules.waits_for_listener and (client.rules.renews_on or not renewed):
        conjuncts += [REQUESTS] if client.rules.renews_on else [REQUESTS, LAST_LOCK]
    conjuncts += [STARTED] if client.forces else []
    conjuncts += [] if client.puts_off else [NEVER_LATER]
    conjuncts += [_in_time(client)] if renewed else []
    conjuncts += [STAMPED] if renewed and (client.renews_under_listener or alike) else []
    return trusted(world, *conjuncts)


# ---- Further conjuncts if all consumers delay first pulls


def _lock_of_entry(s: Ordered, limits: Limits) -> Bool:
    renewed = And(s.present, Not(Or(s.dropped, s.yielded, s.closed)))
    waits = Implies(renewed, s.pulls_from >= s.owned_from + limits.first_pull)
    return And(Implies(Or(s.adding, renewed), Or(s.yielded, Not(s.lost))), waits)


def _pulled(s: Ordered, limits: Limits) -> Bool:
    works = Or(s.cached, And(s.runs, Not(s.orphan)))
    pulled = Implies(And(s.present, works), s.pulls_from <= s.now)
    return And(pulled, Implies(s.runs, s.since >= s.call_from + limits.first_pull))


def _outlives(s: Ordered, limits: Limits) -> Bool:
    ends = s.since + limits.listener
    given_back = Implies(Or(s.orphan, Not(undisturbed(s))), ends < s.now + limits.first_pull)
    passed = Implies(s.call_lost, ends < s.call_lost_at + limits.first_pull)
    return Implies(s.runs, And(Or(s.orphan, s.present), given_back, passed))


def _past_owners(s: Ordered, limits: Limits) -> Bool:
    return And(*(time <= s.now for time in (s.lost_at, s.owned_from, s.call_from, s.call_lost_at)))


MINE = Conjunct(
    "mine",
    "The consumer holds the lock of a renewed process queue, and has waited for a first pull since it got the lock.",
    _lock_of_entry,
)
WAITED = Conjunct(
    "waited", "The listener is called no earlier than a first pull after the consumer got the lock.", _pulled
)
OUTLIVES = Conjunct(
    "outlives",
    "A listener that runs after the unlock, or under another's lock, returns before a first pull.",
    _outlives,
)
PAST = Conjunct("past-owners", "No recorded time of an owner is in the future.", _past_owners)


# ---- Lemma: a rebalance may be modelled as two actions, split at its lock request


@record
class Whole(Record):
    """Unknowns of a whole rebalance: the process queue before it, and answers of the broker."""

    present: Bool = Flag("Whether there is a process queue.")
    dropped: Bool = Flag("Whether it is dropped.")
    locked: Bool = Flag("Whether it is locked.")
    held: Bool = Flag("Whether the listener runs.")
    cached: Bool = Flag("Whether it has messages.")
    in_set: Bool = Flag("Whether the queue is in mqSet.")
    found: Bool = Flag("Whether a start offset is found.")
    pull_age: Int = Number("Time since its last pull.")
    lock_age: Int = Number("Time since its last lock.")


def _halves(encoding: Any, one: Whole, limits: Limits) -> tuple[Mapping[str, Bool], Bool]:
    entry = entry_of(one, pull_age=one.pull_age, works=one.held)
    in_set, stored = term(one.in_set), smt.If(term(one.found), 0, UNANSWERED)

    def after(before: Entry, lock: str) -> Entry:
        done: Entry = encoding.step(before, asked_of(in_set, lock, stored, limits.unlock), NOTHING_THROWN).after
        return done

    whole, first = after(entry, OK), after(entry, DENIED)
    second = after(first, OK)
    both = {name: smt.If(first.present, getattr(first, name), getattr(second, name)) for name in OF_ENTRY}
    same = [getattr(whole, name) == both[name] for name in OF_ENTRY if name != "present"]
    ages = And(one.pull_age >= 0, one.lock_age >= 0, limits.unlock >= 0)
    so = smt.And(whole.present == both["present"], smt.Implies(whole.present, smt.And(same)))
    return {"no time is negative": ages}, so


OF_ENTRY = ("present", "dropped", "locked", "lock_age", "cached")
HALVES = Fact(
    "halves",
    "A rebalance with a granted lock leaves the process queue that one with a denied lock leaves, or if that leaves "
    "none, the one that a further granted rebalance adds.",
    Whole,
    _halves,
    large=("pull_age", "lock_age", "unlock"),
)

# ---- Guarantees, each with its claims

ORDERLY = f"{CONSUMERS}/ConsumeMessageOrderlyService.java"
LOCAL_LOCK = f"{CONSUMERS}/MessageQueueLock.java"
LOCK = f"{SOURCES}/broker/src/main/java/org/apache/rocketmq/broker/client/rebalance/RebalanceLockManager.java"
SHUT = f"{CONSUMERS}/DefaultMQPushConsumerImpl.java"
ALL_LIMITS = "for all numbers of consumers and queues, and all limits of time"
ONE_EXISTS = "one consumer and one queue suffice; the shortest run is shown"
Promise = Property[Ordered, Limits]
Ran = Run[Ordered, Limits]
guarantee: Guarantees[OrderedClient, Ordered, Limits] = Guarantees()


def runs(s: Ordered, lim: Limits) -> Bool:
    """Return the condition that the consumer's listener runs."""
    return s.runs


def _ended(s: Ordered, lim: Limits) -> Bool:
    """Return the condition that the consumer can never call its listener again.

    It accepts no requests, has no messages, and makes no call.
    """
    return And(Or(s.stopping, s.closed), at_rest(s))


def foreign(s: Ordered, lim: Limits) -> Bool:
    """Return the condition that the listener runs, but the consumer does not hold the lock."""
    return And(s.runs, s.holder != ME)


HOLDS_LOCK = "the consumer holds the lock while its listener runs"
TWO = "rebalance_proofs.proofs.ordered.two.further"
"""Obligations about two consumers, made from the proof of each."""


def _alone(client: OrderedClient, world: Circumstances) -> Proof[Ordered, Limits]:
    """Return the proof that a consumer holds the lock while its listener runs.

    No unlock is under way then (``_runs``), and the listener ends before the lock expires (``KEPT``). The broker has
    one holder (``_kept``), so that two listeners never run. If all consumers delay first pulls, a listener may outlive
    its lock; then it ends before the next holder's first pull (``OUTLIVES``).
    """
    conjuncts, about = invariant(client, world), partial(asked, client, world)
    idle = () if client.puts_off else ("sends_unlock",)
    if world.alike:
        more = trusted(world, MINE, WAITED, OUTLIVES, PAST)
        return Proof((*conjuncts, *more), asked=about, idle=idle, more=TWO)
    return Proof(conjuncts, foreign, ("own-lock", HOLDS_LOCK), about, idle, more=TWO)


def _both_run(run: Ran) -> str:
    one, two = NAMES
    return f"at {run.seen[-1].at / 1000:,.3f} s the listeners of {one} and {two} both run on this queue."


def _waits(client: OrderedClient, world: Circumstances) -> tuple[str, ...]:
    """Return the definition of a sufficient wait of a shutdown, if an assumption needs it."""
    return (waits_in_words(client),) if SHUTS_IDLE in world.declared else ()


def _exclusive(client: OrderedClient, world: Circumstances) -> Holds:
    met = world.name not in (TOO_LONG.name, BY_DEFAULT.name)
    named = (condition_in_words(client, world),) if world.gone is IN_CONDITION else ()
    return Holds(
        world,
        not needed(client, world),
        assuming=condition_of(client, world) if met else (),
        defining=(*named, *_waits(client, world)),
    )


@guarantee
def exclusive(client: OrderedClient) -> Promise:
    """The listeners of two consumers never run on one queue at the same time."""
    worlds = [IN_TIME]
    if client not in OLDER:
        worlds += [*WITHOUT, RENEWED, *([ALIKE] if client.pulls_later else [])]
    worlds += [BY_DEFAULT] if needed(client, BY_DEFAULT) else []
    return Promise(
        "the listeners of two consumers never run on the same queue at once",
        ORDERLY,
        tuple(_exclusive(client, world) for world in worlds),
        bad=runs,
        every=True,
        hopeless=_ended,
        broken=_both_run,
        proof=lambda world: _alone(client, world),
        shares=IN_TIME,
        brief="two consumers' listeners never run on one queue at once",
    )


def _exact(client: OrderedClient, world: Circumstances, variant: str) -> Holds:
    more = ", although every renewal is in time" if world.renewed else ""
    defining = condition_in_words(client, world), *_waits(client, world)
    scope = "for all limits of time that do not meet the condition"
    return holds(world, variant=variant, more=more, defining=defining, scope=scope)


def _possible(client: OrderedClient, world: Circumstances, case: Outside) -> Attained[Ordered, Limits]:
    def given(limits: Limits) -> Mapping[str, Bool]:
        return world.asked(limits) | {f"not so: {case.asked}": Not(case.holds(world.trusted(limits)))}

    return Attained(
        f"{case.sentence} Such a run is possible whenever the condition does not hold.",
        lambda limits: case.ways(Ways(client, world, limits)),
        every=lambda encoding, states, limits: tuple(s.runs for s in states),
        given=given,
        name=case.name,
    )


@guarantee
def exact(client: OrderedClient) -> Promise:
    """If limits violate the time condition, two listeners can run on one queue."""
    renewed = ALIKE_OUT_OF_TIME if client.pulls_later else RENEWED_OUT_OF_TIME
    plain = _exact(client, OUT_OF_TIME, "")
    return Promise(
        "two listeners can run on one queue whenever the time limits break the exclusivity condition",
        ORDERLY,
        (plain,) if client in OLDER else (_exact(client, renewed, RENEWED.name), plain),
        attained=lambda world: [_possible(client, world, case) for case in outside(client, world)],
    )


@guarantee
def exact_wait(client: OrderedClient) -> Promise:
    """If a shutdown does not wait long enough, two listeners can run on one queue."""
    world, scope = SHUT_TOO_SOON, "for all limits of time, and all waits that are too short"
    claim = holds(world, variant=world.name, defining=(waits_in_words(client),), scope=scope)
    return Promise(
        "two listeners can run on one queue whenever a shutdown does not wait long enough for its listener",
        ORDERLY,
        () if client in OLDER else (claim,),
        attained=lambda world: [_possible(client, world, too_short(client))],
        name="exact",
    )


@guarantee
def mixed(client: OrderedClient) -> Promise:
    """The client changes the lock only as other clients in its group assume."""
    return Promise(
        "its consumers take a lock only if it is free, expired or their own, and release only their own",
        LOCK,
        (holds(ONE_GROUP, scope=ALL_LIMITS),),
        relied_on=True,
        where=("its use: the `exclusive` claims of other clients in the group assume only this about its consumers",),
        covers=("any state and any time limits",),
    )


ONCE = Conjunct("once", "The listener is not called while another call is running.", lambda s, limits: Not(s.twice))


@guarantee
def local(client: OrderedClient) -> Promise:
    """A consumer never runs two listener calls for one queue at the same time.

    This includes calls for an old and a new process queue of the queue.
    """
    return Promise(
        "a consumer never runs two listener calls for one queue at once, even across process queues",
        LOCAL_LOCK,
        () if client in OLDER else (holds(ANYHOW, scope=ALL_LIMITS),),
        bad=lambda s, lim: s.twice,
        sought=False,
        # Initially no listener call runs, and other consumers cannot change that.
        proof=lambda world: Proof((ONCE,), by_actions=True),
    )


UNUSED = Span(
    "maxLateRequest + broker.lockMaxLiveTime",
    lambda limits: limits.late + limits.broker,
)
"""Longest time in ms for which the lock is held after the removal of the process queue."""


def _concerned(s: Ordered) -> Bool:
    return Or(s.present, s.adding)


def _times(s: Ordered, limits: Limits) -> Bool:
    return And(s.granted_at <= s.now, s.left <= s.now)


def _granted(s: Ordered, limits: Limits) -> Bool:
    return Implies(s.holder == ME, s.updated == s.granted_at)


def _not_later(s: Ordered, limits: Limits) -> Bool:
    return Or(_concerned(s), s.granted_at <= s.left + limits.late)


OF_UNUSED = (
    Conjunct("past", "No recorded time is in the future.", _times),
    Conjunct("granted", "If the consumer holds the lock, the lock's time is the time of the last grant.", _granted),
    Conjunct(
        "not-later", "Without a process queue, the last grant is no later than the latest lock request.", _not_later
    ),
)


def _late(s: Ordered, limits: Limits) -> Bool:
    """Return the condition that a consumer holds the lock longer than the bound ``UNUSED``.

    It has no process queue, and the lock has not expired.
    """
    over = And(Not(_concerned(s)), s.now > s.left + UNUSED.of(limits))
    return And(over, s.holder == ME, s.now - s.updated <= limits.broker)


@guarantee
def let_go(client: OrderedClient) -> Promise:
    """A bound on the time for which a consumer holds an unused lock."""
    return Promise(
        f"after the removal of a process queue, its consumer keeps the broker's lock for at most {UNUSED.words}",
        ORDERLY,
        () if client in OLDER else (holds(NOT_LATER, scope=ALL_LIMITS),),
        bad=_late,
        sought=False,
        invariant=OF_UNUSED,
        concluded="let-go",
        conclusion="the lock has expired after the bound, or the consumer does not hold it",
    )


def _longest(client: OrderedClient, limits: Limits) -> Way:
    """Return the run in which a late request takes the lock once more."""
    given_back = [(happens(0, "unlocked", False), 0)] if client.gives_back else []
    return [
        *begins(0, client, NOT_LATER, limits, 0, 0)[:-1],
        (happens(0, "revokes", False), 0),
        *given_back,
        (happens(0, "renews", False), limits.late),
    ]


def _denied(encoding: Any, states: Sequence[Ordered], limits: Limits) -> tuple[Bool, ...]:
    """Return the conditions that the first consumer has no process queue, and the second one cannot get the lock."""
    mine, other = states
    last = other.at_time(UNUSED.of(limits))
    return Not(_concerned(mine)), Not(act_of(encoding, "locks")(last, Choices.blank().terms(), limits).guard)


@guarantee
def kept_so_long(client: OrderedClient) -> Promise:
    """The bound of ``let_go`` is sharp; no shorter bound holds."""
    return Promise(
        f"whatever the limits, a consumer can keep the lock of a removed process queue for {UNUSED.words}",
        ORDERLY,
        () if client in OLDER else (holds(NOT_LATER, scope=ALL_LIMITS),),
        attained=Attained(
            "A late request takes the lock once more, and the broker denies it to others until the bound.",
            lambda limits: [_longest(client, limits)],
            every=_denied,
            name="taken-back",
        ),
    )


def is_kept(s: Ordered, lim: Limits) -> Bool:
    """Return the condition that a consumer that has shut down still holds the lock.

    No unlock is on its way or delayed.
    """
    return And(s.yielded, s.closed, Not(Or(s.unlocking, s.later)), s.holder == ME)


def _owner(s: Ordered, limits: Limits) -> Bool:
    crashed = And(s.closed, Not(s.yielded))
    before = Or(s.present, s.adding, s.later, crashed)
    why = Or(s.unlocking, And(Not(s.yielded), before))
    return Implies(s.holder == ME, why)


def _nothing_else(s: Ordered, limits: Limits) -> Bool:
    shut = And(s.stopping, Or(s.yielded, Not(s.closed)))
    return And(Implies(s.yielded, s.stopping), Implies(shut, Not(Or(s.adding, s.later))))


ALL_GIVEN_BACK = (
    Conjunct(
        "mine",
        "The lock's owner has a process queue, adds one, unlocks now or later, or has crashed. After all unlocks, its "
        "unlock is under way.",
        _owner,
    ),
    Conjunct(
        "nothing-else",
        "A consumer that is shut down adds no queue and has no delayed unlock.",
        _nothing_else,
    ),
)


def _left_behind(run: Ran) -> str:
    kept = f"{run.limits.broker / 1000:g} s"
    return (
        f"{NAMES[0]} has been shut down, but still holds the lock of its queue: no consumer gets the lock for {kept}."
    )


@guarantee
def given_back(client: OrderedClient) -> Promise:
    """A shutdown leaves no lock behind. From 5.0 on, its second renewer can take it again."""
    stops = not client.rules.renews_on
    claims = [Holds(PROMPT, stops, scope=ALL_LIMITS if stops else ONE_EXISTS)]
    claims += [refuted(UNLOCK_PENDING, scope=ONE_EXISTS)] if client.puts_off and stops else []
    return Promise(
        "a shutdown releases the broker's locks of all queues in the consumer's table",
        SHUT,
        () if client in OLDER or not client.rules.waits_for_listener else claims,
        bad=is_kept,
        broken=_left_behind,
        invariant=ALL_GIVEN_BACK,
        concluded="given-back",
        conclusion="the consumer does not hold the lock after its shutdown",
    )


# ---- Searches for counterexamples

UNSEEN = ("twice", *ghosts(Ordered))
"""Fields of the state that explorations ignore.

They are fields for proofs alone, and a field that never changes.
"""
SHUTDOWN = ("clears", "gives_back", "interrupts", "shuts")
"""Actions of a shutdown.

Of several shortest runs, the search reports one with these actions late.
"""


def _fits(client: OrderedClient, claim: Holds) -> tuple[Limits, Limits]:
    """Return the limits of a claim's runs, in ms and in ticks."""
    world: Any = claim.world
    return example(client, world), in_ticks(client, world)


def _tried(guarantee: str, world: Circumstances, moves: Sequence[Happens]) -> Sequence[Happens]:
    """Return the actions to try in a search.

    For a lock left behind, only the actions of one consumer are tried, because the other can only take the lock. A
    process queue with an overdue pull is removed like one that belongs to another consumer, so that only the latter
    case is tried.
    """
    order = (*SHUTDOWN, *(name for name in ORDERED.actions if name not in SHUTDOWN))
    told = (move for move in moves if ("in_set", True) not in move.said)
    several = guarantee == "exclusive"
    return sorted(
        (move for move in told if several or move.who == 0),
        key=lambda move: (order.index(move.action), [not value for _, value in move.said], move.who),
    )


# ---- Words of reports


def given_words(client: OrderedClient, limits: Limits, *, renewed: bool = False) -> str:
    """Return the client's time limits in words.

    ``renewed``: with the longest time between renewals.
    """
    told = {
        "broker answer": limits.delay,
        "listener": limits.listener,
        "client lockMaxLiveTime": limits.client,
        "broker lockMaxLiveTime": limits.broker,
        "unlockDelayTimeMills": limits.unlock,
    }
    told |= {"first pull delay": limits.first_pull} if client.pulls_later else {}
    told |= {"awaitTerminationMillisWhenShutdown": limits.wait} if client.rules.waits_for_listener else {}
    told |= {"renewal every": limits.renewal} if renewed else {}
    return ", ".join(f"{words} {value / 1000:g} s" for words, value in told.items())


def _given(run: Ran) -> str:
    limits = given_words(run.client, run.limits, renewed=run.world.renewed)
    return f"Consumers {' and '.join(NAMES)}; one queue. Limits: {limits}."


def _noted(run: Ran, before: Sequence[Ordered], after: Sequence[Ordered], who: int) -> str:
    """Return the effects of an action in words: the new lock holder, and whether both listeners run.

    ``before`` and ``after``: states of both consumers. ``who``: index of the acting consumer.
    """
    holder = number(after[0].holder)
    told = [f"lock: {_with(run, holder)}"] if holder != before[0].holder else []
    both = all(s.runs for s in after) and not all(s.runs for s in before)
    return ", ".join([*told, *(["both listeners run"] if both else [])])


def _with(run: Ran, holder: int) -> str:
    """Return the lock's holder: ``X``, ``Y`` or ``free``.

    Both names if they have the same client id.
    """
    named = {NOBODY: "free"} | ({ME: " and ".join(NAMES)} if run.world.twins else dict(enumerate(NAMES, start=ME)))
    return named[holder]


def _never(world: Circumstances) -> str:
    return f"two consumers never {'leave a lock behind' if world.prompt else 'run two listeners'}, in ticks"


PAGE = Page(
    "ordered",
    ORDERED,
    CLIENTS,
    guarantee,
    WRONG,
    SLIPS,
    examples=DEFAULTS,
    search=Search(
        SEARCHED,
        limit=60,
        fits=_fits,
        tried=_tried,
        apart=True,
        unseen=lambda world: UNSEEN,
        copies=2,
    ),
    compared=Compared("actions", "actions", COMPARED, NOT_IN_SHUTDOWN, besides=(IN_SHUTDOWN,)),
    words=Words(
        "Ordered consumption",
        "A consumer calls its ordered listener only while it believes that it holds the broker's lock of the queue. "
        "The lock depends on time limits of both sides. Go's source was read; Go was not run.",
        about=lambda client: (
            f"One queue, any number of consumers of {client.rocketmq_name} with ordered listeners, and the broker's "
            "lock."
        ),
        given=_given,
        who="two consumers",
        around="2 consumers, 1 queue",
        called="ordered consumption",
        counted="of ordered consumers",
        state="an ordered queue",
        parties=("broker",),
        limits=lambda run: {"client_ids": [ME] * 2 if run.world.twins else [ME, ME + 1], "limits": vars(run.limits)},
        noted=_noted,
        none="two consumers never run two listeners, in ticks of ten seconds",
        comes="two consumers reach a state with two running listeners, or one leaves a lock behind,",
        never=_never,
    ),
    scopes=(
        "for all numbers of consumers and queues, and all limits of time that meet the condition",
        "two consumers and one queue suffice; the shortest run, in ticks of ten seconds, is shown",
    ),
    rely=Rely(
        "Another consumer never takes the unexpired lock of this consumer. It takes or renews other locks, or releases "
        "its own.",
        lambda world, invariant: OTHERS,
        lambda world, invariant: _before,
        ANYHOW,
    ),
    facts=(HALVES,),
    shown=TABLE,
)
