"""Assumptions about pull requests; guarantees, each with its bad states, its invariant and its claims."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any, ClassVar

from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.page import (
    Compared,
    Guarantees,
    Holds,
    Lemma,
    Page,
    Property,
    Search,
    Words,
    holds,
    refuted,
)
from rebalance_proofs.model.machine.premise import Assumptions, Premise
from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or, number
from rebalance_proofs.model.machines.pulls.actions import (
    CLIENTS,
    DEFAULTS,
    OF_ENTRY,
    PARTIES,
    PULLS,
    SLIPS,
    WRONG,
    Choices,
    Limits,
    Pulls,
    PullsClient,
    live,
)
from rebalance_proofs.model.machines.pulls.recorded import TABLE
from rebalance_proofs.model.releases import CONSUMERS, SOURCES
from rebalance_proofs.model.transition.client import ORDERLY, PUSH, Mode

# ---- Assumptions

assume = Premise[Pulls, Choices, Limits]

NO_STORE = assume(
    "no exception from the offset store",
    name="store",
    otherwise="a custom offset store throws on a pull's read",
    excludes=("throws",),
)
NO_ERRORS = assume(
    "no `Error` in `pullMessage`", name="error", otherwise="an `Error` is thrown in `pullMessage`", excludes=("errs",)
)
NO_CALLBACK = assume(
    "no `Error` in the callback of a pull",
    name="callback",
    otherwise="an `Error` is thrown in the pull callback",
    excludes=("breaks",),
)
NO_INTERRUPT = assume(
    "no interrupt of a client thread",
    name="interrupt",
    otherwise="a thread is interrupted while it queues a request",
    excludes=("interrupts",),
)
NO_HOOK = assume(
    "no `Exception` from an RPC hook",
    name="hook",
    otherwise="an RPC hook throws an `Exception` on a pull",
    excludes=("hooks",),
)
IN_TIME = assume(
    "connection setup and callback of each waiting pull completed within the pull timeout (30 s)",
    name="connection",
    otherwise="its connection takes longer than the timeout (30 s)",
    excludes=("overtime",),
)
AT_ONCE = assume(
    "every task that the client submits for immediate execution done before the client's next rebalance",
    allows=dict.fromkeys(("adds", "revokes"), lambda s, c, lim: And(s.repairing == 0, s.old_repairing == 0)),
)
NOT_SUSPENDED = assume(
    "no suspended consumer", name="running", otherwise="the consumer is suspended", excludes=("suspends", "resumes")
)
ANSWERED = assume(
    "no removal of an ordered process queue while its first pull looks up the offset (5 s or more)",
    name="query",
    otherwise="it is removed while its first pull looks up the offset",
    allows=dict.fromkeys(("revokes", "repairs"), lambda s, c, lim: s.asking == 0),
)
NOT_LATE = assume(
    "no `OFFSET_ILLEGAL` answer after the removal of the process queue",
    name="late-answer",
    otherwise="`OFFSET_ILLEGAL` arrives after the removal",
    allows={"illegal": lambda s, c, lim: Not(c.old)},
)
ALWAYS = (
    assume("a push consumer that sends pull requests (not POP) and is not shut down"),
    assume("no `GO_AWAY` from a broker, and no exception from a Netty write"),
    assume("no delay between marking a process queue as dropped and removing it from the table"),
    assume("the lock of an added ordered queue granted by the broker"),
    assume(
        "no rebalance that ends before it reaches the queue: known queues and ids, no exception from strategy or, on "
        "removal, offset store"
    ),
    assume("no suspended consumer unless the claim mentions suspension"),
)
"""Assumptions of every claim about pull requests: behaviour outside the model."""


class Troubles(Assumptions[Pulls, Choices, Limits]):
    """A set of assumptions about pull requests."""

    kind: ClassVar[str] = "pulls"
    modes: ClassVar[tuple[Mode, ...]] = (PUSH, ORDERLY)
    """The modes of use of the client that the assumptions cover."""

    def given(self, limits: Limits) -> dict[str, Bool]:
        return {"the idle limit is at least 0": limits.limit >= 0}


_NOTHING = (NO_STORE, NO_ERRORS, NO_CALLBACK, NO_INTERRUPT, NO_HOOK, IN_TIME, *ALWAYS)
QUIET = Troubles.of("quiet", *_NOTHING, row="if nothing throws, is interrupted or is late")
"""Assumptions that exclude all failures except those that the client handles.

A failed pull counts as answered.
"""
QUERIED = Troubles.of(
    "queried", ANSWERED, *_NOTHING, row="if nothing throws or is late, and first pulls end before removal"
)
CONNECTED = Troubles.of(
    "connected", IN_TIME, *ALWAYS, row="if pulls are sent in time, whatever throws except a Netty write"
)
"""Assumptions under which requests may get lost in every known way."""
NO_ERROR = Troubles.of("no-error", NO_ERRORS, *ALWAYS, row="if no `Error` is thrown in `pullMessage`")
"""Assumptions under which requests may get lost in almost every known way.

An ``Error`` in ``pullMessage`` is excluded.
"""
WHATEVER = Troubles.of("whatever", *ALWAYS, row="whatever throws or is late, except a Netty write")
"""Assumptions under which requests may get lost in every known way, and pulls may be late."""
RUNNING = Troubles.of("running", NOT_SUSPENDED, *ALWAYS, row="if the consumer is not suspended")


@cache
def prompt(client: PullsClient) -> Troubles:
    """Return the assumptions of claims about repairs.

    ``AT_ONCE`` has no effect on a client that submits no task for immediate execution.
    """
    at_once = AT_ONCE if client.rules.repairs_at_once else replace(AT_ONCE, allows={})
    row = "if pulls and repairs are in time, and no answer follows a removal"
    return Troubles.of("prompt", at_once, NOT_LATE, IN_TIME, *ALWAYS, row=row)


# ---- Guarantees, each with its bad states, its invariant and its claims

CONSUMER = f"{CONSUMERS}/DefaultMQPushConsumerImpl.java"
SERVICE = f"{CONSUMERS}/PullMessageService.java"
REMOTING = f"{SOURCES}/remoting/src/main/java/org/apache/rocketmq/remoting/netty/NettyRemotingClient.java"
EXPIRY = "https://github.com/apache/rocketmq/issues/1918"

Promise = Property[Pulls, Limits]
part = Conjunct[Pulls, Limits]
guarantee: Guarantees[PullsClient, Pulls, Limits] = Guarantees()

ONE = part(
    "one",
    "A process queue has at most one pull request, or one repair task instead.",
    lambda s, lim: s.waiting + s.pulling + s.asking + s.repairing <= 1,
)
RUNS = part("runs", "The thread of `PullMessageService` runs.", lambda s, lim: Not(s.ended))
HELD = part("held", "No repair task belongs to a removed process queue.", lambda s, lim: s.old_repairing == 0)


@guarantee
def one_request(client: PullsClient) -> Promise:
    """At most one pull request circulates for a process queue."""
    timeout = CONNECTED.dropping(IN_TIME)
    return Promise(
        "a process queue never has two circulating pull requests",
        REMOTING,
        (holds(CONNECTED), Holds(timeout, not client.rules.fails_twice)),
        # Without a process queue, its counts are 0 (`well_formed`), so `present` is for the reader.
        bad=lambda s, lim: And(s.present, s.waiting + s.pulling + s.asking > 1),
        broken="two pull requests circulate for the process queue.",
        invariant=(ONE,),
    )


@guarantee
def has_request(client: PullsClient) -> Promise:
    """At least one pull request circulates for a live process queue."""
    survives = {NO_CALLBACK: client.rules.callback_survives, NO_HOOK: client.rules.hook_heard}
    failures = [
        Holds(QUIET.dropping(one), survives.get(one, False))
        for one in (NO_STORE, NO_ERRORS, NO_CALLBACK, NO_INTERRUPT, NO_HOOK)
    ]
    return Promise(
        "a live process queue always has a circulating pull request",
        SERVICE,
        (holds(QUIET), *failures),
        bad=lambda s, lim: And(live(s), Or(s.ended, s.waiting + s.pulling + s.asking == 0)),
        broken="no pull request circulates for the queue's live process queue.",
        invariant=(
            part(
                "at-least-one",
                "A live process queue has a pull request.",
                lambda s, lim: Implies(live(s), s.waiting + s.pulling + s.asking >= 1),
            ),
            RUNS,
        ),
        where=("a live process queue: one that is not dropped",),
    )


@guarantee
def healed(client: PullsClient) -> Promise:
    """A process queue whose pull request is lost is replaced in time."""

    def gives_way(encoding: Any, s: Pulls, c: Choices, lim: Limits) -> tuple[Mapping[str, Bool], Bool]:
        turn = act_of(encoding, "revokes")(s, c, lim)
        given = {
            "the action is possible": turn.guard,
            "the last pull is too long ago": s.age > lim.limit,
            "the process queue can be removed": Not(c.stays),
            "the consumer is not suspended": Not(s.suspended),
        }
        return given, Not(turn.after.present)

    def comes_back(encoding: Any, s: Pulls, c: Choices, lim: Limits) -> tuple[Mapping[str, Bool], Bool]:
        turn = act_of(encoding, "adds")(s, c, lim)
        given = {
            "the action is possible": turn.guard,
            "the offset is known": Not(c.silent),
            "the consumer is not suspended": Not(s.suspended),
        }
        return given, And(live(turn.after), turn.after.waiting == 1, turn.after.age == 0)

    survives = client.rules.thread_survives
    return Promise(
        "rebalances drop and replace exactly the process queues that are idle over `pullMaxIdleTime`",
        EXPIRY,
        (holds(NO_ERROR), holds(NO_ERROR.dropping(NO_ERRORS)) if survives else refuted(QUIET.dropping(NO_ERRORS))),
        bad=lambda s, lim: Or(s.hasty, And(live(s), Or(s.kept > lim.limit, And(s.ended, s.waiting > 0)))),
        broken="the queue's new pull request waits, and no thread takes it.",
        invariant=(
            part(
                "young",
                "When a rebalance last kept a process queue, its request was taken at most the idle limit before.",
                lambda s, lim: s.kept <= lim.limit,
            ),
            part(
                "stamped",
                "A process queue's last pull began when its request was last taken, or when the process queue was "
                "created.",
                lambda s, lim: Implies(s.present, s.age == s.idle),
            ),
            part(
                "not-hasty", "No rebalance has removed a process queue as idle too soon.", lambda s, lim: Not(s.hasty)
            ),
            RUNS,
        ),
        lemmas=(
            Lemma(
                "gives-way",
                "A process queue that can be removed is removed when its last pull is too long ago.",
                gives_way,
            ),
            Lemma("comes-back", "A new process queue with a known offset has one request, which waits.", comes_back),
        ),
        assumes=("a process queue of a queue that the consumer still owns", "no rebalance of a suspended consumer"),
        where=(
            "idle time: from when its pull request was last taken (even if put off) until the rebalance checks it",
            "replacement: removed as soon as possible, then added with a new request once its offset is known and an "
            "ordered queue's lock is granted",
        ),
    )


@guarantee
def dies(client: PullsClient) -> Promise:
    """No pull begins for a process queue after its removal from the table."""
    return Promise(
        "no pull starts for a removed process queue, so no old request pulls for its successor",
        CONSUMER,
        (holds(QUERIED), refuted(QUERIED.dropping(ANSWERED))),
        bad=lambda s, lim: s.late,
        broken="a pull has begun for a removed process queue.",
        invariant=(
            part("marked", "Removed process queues are dropped.", lambda s, lim: Not(s.unmarked)),
            part(
                "queried", "No offset query is under way for a removed process queue.", lambda s, lim: s.old_asking == 0
            ),
            part("not-late", "No pull has begun for a removed process queue.", lambda s, lim: Not(s.late)),
        ),
        brief="no pull starts for a removed process queue",
    )


@guarantee
def hits_own_entry(client: PullsClient) -> Promise:
    """The repair of an illegal offset removes no process queue but its own."""
    return Promise(
        "the repair of an illegal offset removes no process queue but its own",
        CONSUMER,
        _repaired(client),
        bad=lambda s, lim: s.hit,
        broken="the repair has removed the queue's next process queue.",
        invariant=(
            ONE,
            HELD,
            part(
                "not-hit", "No repair task has removed a process queue other than its own.", lambda s, lim: Not(s.hit)
            ),
        ),
    )


def _repaired(client: PullsClient) -> tuple[Holds, ...]:
    world = prompt(client)
    return Holds(world, client.rules.repairs_at_once), refuted(world.dropping(NOT_LATE))


@guarantee
def repairs_while_held(client: PullsClient) -> Promise:
    """The repair of an illegal offset writes only for a process queue in the table."""
    return Promise(
        "the repair of an illegal offset writes the offset only while its process queue exists",
        CONSUMER,
        _repaired(client),
        bad=lambda s, lim: s.wrote,
        broken="an offset is written for a queue whose process queue was removed.",
        invariant=(
            ONE,
            HELD,
            part(
                "not-written",
                "No repair task has written an offset after the removal of its process queue.",
                lambda s, lim: Not(s.wrote),
            ),
        ),
        brief="illegal offsets are repaired only while their process queue exists",
    )


@guarantee
def only_lost(client: PullsClient) -> Promise:
    """No rebalance removes a process queue as idle while its request circulates. Every client violates this."""
    return Promise(
        "a rebalance drops no process queue as idle while its pull request still circulates",
        EXPIRY,
        (refuted(QUIET),),
        bad=lambda s, lim: s.cut,
        broken="the process queue is removed as idle, but its request was only waiting.",
    )


@guarantee
def rests(client: PullsClient) -> Promise:
    """No pull begins while the consumer is suspended."""
    return Promise(
        "a suspended consumer takes no request that starts a pull",
        CONSUMER,
        (holds(WHATEVER),),
        bad=lambda s, lim: s.begun,
        broken="a pull has begun while the consumer was suspended.",
        invariant=(
            part("not-begun", "No pull has begun while the consumer was suspended.", lambda s, lim: Not(s.begun)),
        ),
        where=("exception: an ordered queue that already looks up its first offset still sends that pull",),
    )


@guarantee
def lets_go(client: PullsClient) -> Promise:
    """A due rebalance drops every process queue that belongs to another consumer."""
    return Promise(
        "every due rebalance drops each process queue that belongs to another consumer",
        CONSUMER,
        (holds(RUNNING), refuted(RUNNING.dropping(NOT_SUSPENDED))),
        bad=lambda s, lim: s.stale,
        broken="the consumer keeps a live process queue that belongs to another consumer.",
        invariant=(
            part("not-suspended", "The consumer is not suspended.", lambda s, lim: Not(s.suspended)),
            part(
                "not-stale",
                "No rebalance has left a process queue live that belongs to another consumer.",
                lambda s, lim: Not(s.stale),
            ),
        ),
    )


# ---- States in which code and terms are compared, with at most one request of each kind

_FLAGS = (0, 1)
_LIMIT = number(DEFAULTS.limit)
_NO_ENTRY = dict.fromkeys(("present", "dropped", *OF_ENTRY, "fixed", "old_asking"), 0)
_ENTRIES = (
    _NO_ENTRY,
    *(
        _NO_ENTRY
        | {
            "present": 1,
            "dropped": dropped,
            "age": age,
            "idle": 9,
            "kept": 7,
            "waiting": waiting,
            "pulling": pulling,
            "repairing": repairing,
        }
        for dropped, age, waiting, pulling, repairing in product(
            _FLAGS, (0, _LIMIT, _LIMIT + 1), _FLAGS, _FLAGS, _FLAGS
        )
    ),
)
"""States of the process queue: none, or every combination of its flags and ages."""
_ASKING = tuple(
    {"present": 1, "dropped": dropped, "age": 5, "idle": 9, "kept": 7}
    | {"waiting": waiting, "asking": asking, "fixed": fixed}
    for dropped, waiting, (asking, fixed) in product(_FLAGS, _FLAGS, ((1, 0), (1, 1), (0, 1)))
)
"""States of process queues whose offset query is running or was answered."""
_QUERIED = (
    *_ENTRIES,
    *(_NO_ENTRY | held for held in _ASKING),
    _NO_ENTRY | {"old_asking": 1},
    *(_NO_ENTRY | held | {"old_asking": 1} for held in _ASKING if not held["asking"]),
    *(entry | {"old_asking": 1} for entry in _ENTRIES if entry["present"] and entry["age"] == 0),
)
"""The states above, and states in which ``pullMessage`` runs an offset query.

The query is for the current process queue or for a removed one.
"""
_OLD = tuple(
    {"old_waiting": waiting, "old_pulling": pulling, "old_repairing": repairing, "unmarked": unmarked}
    for waiting, pulling, repairing, unmarked in (*product(_FLAGS, _FLAGS, _FLAGS, (0,)), (1, 1, 1, 1))
)
_EVER = ("late", "hit", "wrote", "cut", "hasty", "begun", "stale")
_BEFORE = tuple(
    {"ended": ended, "suspended": suspended} | dict.fromkeys(_EVER, done)
    for ended, done in ((0, 0), (0, 1), (1, 0))
    for suspended in _FLAGS
)
"""Flags: the thread has ended, the consumer is suspended, earlier events have occurred."""


def _given(run: Run[Pulls, Limits]) -> str:
    """Return the first line of a counterexample in words: the initial state."""
    limit = run.limits.limit
    return f"One consumer takes one queue. A process queue without a pull for {limit:,} ms is overdue."


PAGE = Page(
    "pulls",
    PULLS,
    CLIENTS,
    guarantee,
    WRONG,
    SLIPS,
    examples=DEFAULTS,
    # When time passes in an exploration, it is one ms more than the limit.
    search=Search(Limits(limit=1), limit=10, gives_up=True, numbers=lambda limits: {"span": limits.limit + 1}),
    compared=Compared("requests", "pulls", DEFAULTS, (_QUERIED, _OLD, _BEFORE), choices={"span": 5}),
    words=Words(
        "Pull requests",
        "How many pull requests circulate for a process queue, how one gets lost, and how the client recovers. Also "
        "the repair of an illegal offset, and suspended consumers. The claims cover push consumers, ordered or not.",
        about=lambda client: f"One queue of one push consumer of {client.rocketmq_name}, and its pull requests.",
        given=_given,
        who="a consumer",
        around="1 consumer, 1 queue",
        called="pull requests",
        counted="with pull requests",
        state="a queue's pull requests",
        parties=PARTIES,
        limits=lambda run: vars(run.limits),
    ),
    scopes=(
        "for all numbers of queues, entries, pull requests and rebalances",
        "one consumer and one queue suffice; the shortest run is shown",
    ),
    shown=TABLE,
)
