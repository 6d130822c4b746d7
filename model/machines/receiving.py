"""Which queues a gRPC push consumer receives: its process queues and receive loops after the broker's assignments.

The page reads top down: state, clients, actions, mutants, assumptions, guarantees. It is about one arbitrary queue of
one topic, and about the consumer's other topics. Parameters of actions: ``s``, the state before; ``c``, the choices;
``lim``, the limits, of which there are none; ``client``, the client's differences from others.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.machine.client import Code, MachineClient, Wrong, by_name
from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.fields import Flag, Ghost, Number, record
from rebalance_proofs.model.machine.machine import ENVIRONMENT, Actions, Machine, Step, Turn, becomes, step
from rebalance_proofs.model.machine.page import (
    Compared,
    Guarantees,
    Holds,
    Page,
    Property,
    Search,
    Words,
    every,
    holds,
    refuted,
)
from rebalance_proofs.model.machine.premise import Assumptions, Premise
from rebalance_proofs.model.machine.record import Record, Shown
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or, Value, number, truth
from rebalance_proofs.model.receiving.sdks import (
    QUEUE,
    REST,
    TOPIC,
    CppPushConsumer,
    GoPushConsumer,
    NodePushConsumer,
    ProcessQueue,
    PushConsumer,
    PythonPushConsumerV5_0,
    PythonPushConsumerV5_1_1,
    PythonPushConsumerV5_1_2,
    RustPushConsumer,
)

# ---- State: one queue of one topic at one consumer

YES: Mapping[int, str] = {True: "yes", False: "no"}


@record
class Receiving(Record):
    """A push consumer's state of one queue of one topic."""

    running: Bool = Flag("Whether the consumer is not shut down.", shown=Shown("running", YES))
    subscribed: Bool = Flag("Whether the consumer subscribes to the topic.", shown=Shown("subscribed", YES))
    asked: Bool = Flag("Whether a query for the topic's assignment is in flight.", shown=Shown("query", YES))
    known: Bool = Flag("Whether the client stores an assignment of the topic.")
    filled: Bool = Flag("Whether the stored assignment is not empty.")
    member: Bool = Flag("Whether the stored assignment has the queue.", shown=Shown("stored", YES))
    present: Bool = Flag("Whether the queue has a process queue.", shown=Shown("process queue", YES))
    expired: Bool = Flag("Whether the client finds that the process queue has expired: its receive loops are stuck.")
    loops: Int = Number("Receive loops of the process queue that make progress.", most=3, shown=Shown("loops"))
    stray: Int = Number("Receive loops of process queues that are not in the table.", most=3)
    idle: Bool = Ghost("Whether an answer with the queue has left it without a receive loop.")
    kept: Bool = Ghost("Whether an answer without the queue has left it a receive loop.")
    full: Bool = Ghost("Whether an empty answer has left the queue a receive loop.")
    lost: Bool = Ghost("Whether a failed query has dropped a process queue with a receive loop.")
    touched: Bool = Ghost("Whether an answer for another topic has changed the queue's number of receive loops.")


@record
class Choices(Record):
    """Choices of an action that the model leaves open: what a broker answers."""

    mine: Bool = Flag("Whether the assignment has the queue.")
    same: Bool = Flag("Whether the assignment has the same other queues as the stored one.")
    more: Bool = Flag("Whether the other topic's assignment has changed.")
    was_full: Bool = Flag("Whether the process queue's cache was full before.")


def loops(s: Receiving) -> Int:
    """Return the number of receive loops of the queue."""
    return s.loops + s.stray


def well_formed(s: Receiving, lim: Record) -> Bool:
    """Check that the state is possible, as far as it does not depend on the client."""
    stored = And(Implies(s.member, s.filled), Implies(s.filled, s.known))
    entry = And(Implies(Not(s.present), And(s.loops == 0, Not(s.expired))), Implies(s.expired, s.loops == 0))
    return And(stored, entry, s.loops >= 0, s.stray >= 0)


# ---- Differences between clients, and how their code stores the state


@dataclass(frozen=True)
class SdkClient(MachineClient):
    """Releases of a gRPC client that apply assignments in the same way."""

    name: str
    rocketmq_name: str
    made: type[PushConsumer]
    releases: tuple[str, ...]
    """The releases whose source was read, oldest first, such as ``gRPC Go 5.1.4``; others may differ.

    Their numbers are not those of the remoting clients.
    """

    @property
    def stores(self) -> bool:
        """Whether it stores assignments."""
        return self.made not in (CppPushConsumer, RustPushConsumer)

    @property
    def python(self) -> bool:
        """Whether it applies differences of assignments (Python)."""
        return issubclass(self.made, PythonPushConsumerV5_0)

    @property
    def replaces(self) -> bool:
        """Whether an answer replaces a process queue that the client finds to be expired."""
        return not self.python or self.made is PythonPushConsumerV5_1_2

    @property
    def lingers(self) -> bool:
        """Whether loops of dropped process queues go on until they receive messages (Go)."""
        return self.made is GoPushConsumer

    @property
    def one_table(self) -> bool:
        """Whether each topic's answer replaces the process queues of all topics (Rust)."""
        return self.made is RustPushConsumer

    @property
    def forgets(self) -> bool:
        """Whether ``unsubscribe`` drops the topic's process queues."""
        return issubclass(self.made, PythonPushConsumerV5_1_1)

    @cached_property
    def code(self) -> Code[Receiving, Choices, Record, PushConsumer]:
        """How the client's Python code implements the machine (refinement map)."""
        return by_name(lambda limits: self.made(), self.made, RECEIVING, STORED, _put, _seen)


STORED = {"running": "running", "asked": "asked"}


def _put(consumer: PushConsumer, s: Receiving, c: Choices) -> None:
    if not s.subscribed:
        consumer.subscription_expressions.discard(TOPIC)
    if s.known:
        rest, mine = REST[:1] if s.filled else (), (QUEUE,) if s.member else ()
        consumer.cache_assignments[TOPIC] = frozenset((*rest, *mine))
    if s.present:
        consumer.process_queue_table[QUEUE] = ProcessQueue(QUEUE, number(s.loops), expired=truth(s.expired))
    consumer.removed = [ProcessQueue(QUEUE, number(s.stray))]


def _seen(consumer: PushConsumer) -> dict[str, int]:
    stored, entry = consumer.cache_assignments.get(TOPIC), consumer.process_queue_table.get(QUEUE)
    return {
        "subscribed": TOPIC in consumer.subscription_expressions,
        "known": stored is not None,
        "filled": bool(stored),
        "member": QUEUE in (stored or ()),
        "present": entry is not None,
        "expired": entry is not None and entry.expired,
        "loops": entry.loops if entry else 0,
        "stray": sum(one.loops for one in consumer.removed if one.queue == QUEUE),
    }


# ---- Actions: the consumer's scans, the broker's answers, and the user's calls

action: Actions[Receiving, Choices, Record, SdkClient] = Actions()


def _gone(s: Receiving, client: SdkClient, when: Bool = True) -> Receiving:
    """Return the state without the process queue, if the condition holds; its loops end, apart from Go's."""
    stray = s.stray + s.loops if client.lingers else s.stray
    return s.where(when, present=False, expired=False, loops=0, stray=stray)


def _fetched(s: Receiving, when: Bool, client: SdkClient) -> Receiving:
    """Return the state after a process queue has begun a receive loop, if the condition holds."""
    begins = And(when, s.present, Or(s.running, not client.made.checks_running))
    return s.where(begins, loops=s.loops + 1, expired=False)


def _added(s: Receiving, mine: Bool, client: SdkClient) -> Receiving:
    """Return the state after a missing process queue was created, and has begun to receive, if it is assigned."""
    made = And(mine, Not(s.present), Or(s.running, client.made is not CppPushConsumer))
    return _fetched(s.where(made, present=True), made, client)


def _synced(s: Receiving, mine: Bool, client: SdkClient) -> Receiving:
    """Return the state after the process queue was dropped or created (``syncProcessQueue``)."""
    return _added(_gone(s, client, Or(Not(mine), s.expired)), mine, client)


def _stored(s: Receiving, filled: Bool, mine: Bool, client: SdkClient) -> Receiving:
    return s.but(known=True, filled=filled, member=mine) if client.stores else s


def _applied(s: Receiving, filled: Bool, mine: Bool, same: Bool, client: SdkClient) -> Receiving:
    """Return the state after an answer; ``filled``: it is not empty; ``mine``: it has the queue."""
    if client.python:
        return _compared(s, filled, mine, same, client)
    if client.one_table:  # an actor does not expire
        return _added(_gone(s, client, Not(mine)), mine, client)
    if client.made is CppPushConsumer:
        return _synced(s, mine, client).where(Not(filled), **vars(s))
    synced = _stored(_synced(s, mine, client), filled, mine, client)
    return s.where(Or(filled, s.filled), **vars(synced))


def _compared(s: Receiving, filled: Bool, mine: Bool, same: Bool, client: SdkClient) -> Receiving:
    """Return the state after an answer, which Python compares with the stored assignment."""
    equal = And(s.known, s.filled == filled, s.member == mine, Or(same, Not(filled)))
    left = _gone(s, client, And(s.known, s.member, Not(mine), s.present))
    if client.replaces:
        rebuilt = _added(_gone(left, client, left.expired), mine, client)
        return s.where(s.subscribed, **vars(_stored(rebuilt, filled, mine, client)))
    puts = And(mine, Not(s.member))
    replaced = left.where(puts, present=True, expired=False, loops=0, stray=left.stray + left.loops)
    after = _fetched(replaced, True, client)
    stored = _stored(after, filled, mine, client)
    if client.made is PythonPushConsumerV5_0:
        stored = after.where(Not(s.known), known=True, filled=filled, member=mine)
    return s.where(Not(equal), **vars(stored))


@action("The consumer queries the topic's assignment.")
def asks(s: Receiving, c: Choices, lim: Record, client: SdkClient) -> Step:
    """A scan sends a query for the topic; the model has at most one in flight."""
    return step(And(s.running, s.subscribed, Not(s.asked)), asked=True)


def _told_answers(before: Receiving, after: Receiving, c: Choices, client: SdkClient) -> str:
    whole = "has the queue" if c.mine else "has other queues, not this one"
    if after.loops > before.loops:
        return f"The assignment {whole}: a receive loop begins"
    return f"The assignment {whole}" + (": its receive loop ends" if loops(after) < loops(before) else "")


def _can_answer(s: Receiving, client: SdkClient) -> Bool:
    """Check whether an answer can be applied: Rust's task ends with the consumer."""
    return And(s.asked, Or(s.running, not client.one_table))


@action(
    "The broker answers with an assignment that is not empty.",
    _told_answers,
    choices=("mine", "same"),
    by=ENVIRONMENT,
)
def answers(s: Receiving, c: Choices, lim: Record, client: SdkClient) -> Step:
    """The query returns an assignment that is not empty, and the client applies it."""
    after = _applied(s, True, c.mine, c.same, client).but(asked=False)
    known = And(s.running, s.subscribed)
    idle = Or(s.idle, And(known, c.mine, loops(after) == 0))
    return becomes(
        _can_answer(s, client), after.but(idle=idle, kept=Or(s.kept, And(known, Not(c.mine), loops(after) > 0)))
    )


@action("The broker answers with an empty assignment.", by=ENVIRONMENT)
def empties(s: Receiving, c: Choices, lim: Record, client: SdkClient) -> Step:
    """The query returns an empty assignment, as for a member that has no share."""
    after = _applied(s, False, False, False, client).but(asked=False)
    full = Or(s.full, And(s.running, s.subscribed, loops(after) > 0))
    return becomes(_can_answer(s, client), after.but(full=full))


@action(
    "The query for the assignment fails.",
    lambda before, after, c, client: (
        "The query for the assignment fails"
        + (": the process queue is dropped" if before.present and not after.present else "")
    ),
    by=ENVIRONMENT,
)
def fails(s: Receiving, c: Choices, lim: Record, client: SdkClient) -> Step:
    """The query fails or times out."""
    after = (_applied(s, False, False, False, client) if client.made is GoPushConsumer else s).but(asked=False)
    return becomes(s.asked, after.but(lost=Or(s.lost, And(s.loops > 0, Not(after.present)))))


def _told_others(before: Receiving, after: Receiving, c: Choices, client: SdkClient) -> str:
    begins, ends = loops(after) > loops(before), loops(after) < loops(before)
    more = ": another receive loop of the queue begins" if begins else ": the queue's receive loop ends" if ends else ""
    return f"The broker answers a query for another topic{more}"


@action("The broker answers a query for another topic.", _told_others, choices=("more",), by=ENVIRONMENT)
def others(s: Receiving, c: Choices, lim: Record, client: SdkClient) -> Step:
    """A query for another topic returns an assignment, and the client applies it."""
    after = s
    if client.one_table:
        after = _gone(s, client)
    elif client.python:
        after = _gone(s, client, s.expired) if client.replaces else _fetched(s, c.more, client)
    can = Or(s.running, not client.one_table)
    return becomes(can, after.but(touched=Or(s.touched, loops(after) != loops(s))))


@action(
    "The queue's receive loops make no progress for so long that the process queue expires.",
    "The receive loop is stuck, and the process queue expires",
    choices=("was_full",),
    by=ENVIRONMENT,
    has=lambda client: not client.one_table,
)
def expires(s: Receiving, c: Choices, lim: Record, client: SdkClient) -> Step:
    """The process queue expires: three times the long-polling and request timeouts pass without a request.

    Java, C# and Go find this only if the process queue's cache was full before.
    """
    return step(And(s.present, s.loops > 0), loops=0, expired=True if client.made.notices_idle else c.was_full)


@action(
    "A receive request of a dropped process queue returns messages.",
    "A receive request of a dropped process queue returns messages: its loop ends",
    by=ENVIRONMENT,
    has=lambda client: client.lingers,
)
def delivers(s: Receiving, c: Choices, lim: Record, client: SdkClient) -> Step:
    """The broker sends messages to a receive loop of a dropped process queue, which ends."""
    return step(s.stray > 0, stray=s.stray - 1)


@action("`unsubscribe` is called for the topic.", by=ENVIRONMENT)
def unsubscribes(s: Receiving, c: Choices, lim: Record, client: SdkClient) -> Step:
    """The user unsubscribes the topic."""
    after = s.but(subscribed=False)
    if client.forgets:
        after = _gone(after, client).but(known=False, filled=False, member=False)
    return becomes(And(s.running, s.subscribed), after)


@action("`subscribe` is called for the topic.", by=ENVIRONMENT)
def subscribes(s: Receiving, c: Choices, lim: Record, client: SdkClient) -> Step:
    """The user subscribes to the topic again."""
    return step(And(s.running, Not(s.subscribed)), subscribed=True)


@action("The consumer is shut down.", by=ENVIRONMENT)
def shuts(s: Receiving, c: Choices, lim: Record, client: SdkClient) -> Step:
    """``shutdown`` has returned, and all receive loops have ended."""
    after = s.but(running=False, loops=0, stray=0)
    empties_table = client.made in (NodePushConsumer, CppPushConsumer, RustPushConsumer)
    return becomes(s.running, _gone(after, client) if empties_table else after)


RECEIVING: Machine[Receiving, Choices, Record, SdkClient] = Machine(
    Receiving,
    Choices,
    Record,
    lambda blank, lim, client: blank.but(running=True, subscribed=True),
    action,
    well_formed,
)
"""The state machine of one queue at one consumer. In its first state, the consumer has started and knows nothing."""

# ---- Clients and mutants. To add a client, add a line to ``CLIENTS``

CLIENTS = (
    SdkClient("java", "gRPC Java 5.0.8 to 5.2.1", PushConsumer, ("gRPC Java 5.0.8", "gRPC Java 5.2.1")),
    SdkClient("csharp", "gRPC C# 5.2.1", PushConsumer, ("gRPC C# 5.2.1",)),
    SdkClient("go", "gRPC Go 5.1.3 to 5.1.4", GoPushConsumer, ("gRPC Go 5.1.3", "gRPC Go 5.1.4")),
    SdkClient("node", "gRPC Node 1.0.8", NodePushConsumer, ("gRPC Node 1.0.8",)),
    SdkClient("cpp", "gRPC C++ 5.0.4 to 5.1.1", CppPushConsumer, ("gRPC C++ 5.0.4", "gRPC C++ 5.1.1")),
    SdkClient("rust", "gRPC Rust, not released", RustPushConsumer, ()),
    SdkClient("python_v5_0", "gRPC Python 5.0.9", PythonPushConsumerV5_0, ("gRPC Python 5.0.9",)),
    SdkClient("python_v5_1_1", "gRPC Python 5.1.1", PythonPushConsumerV5_1_1, ("gRPC Python 5.1.1",)),
    SdkClient("python_v5_1_2", "gRPC Python 5.1.2", PythonPushConsumerV5_1_2, ("gRPC Python 5.1.2",)),
)
"""The gRPC clients of apache/rocketmq-clients. Rust's push consumer is in its source of August 2026 only."""
Mistake = Wrong[Receiving, Choices, Record, SdkClient]
After = Turn[Receiving]


def _drops_nothing(s: Receiving, c: Choices, lim: Record, turn: After) -> After:
    kept = Or(turn.after.kept, And(s.running, s.subscribed, s.loops > 0))
    old: dict[str, Value] = {"present": s.present, "expired": s.expired, "loops": s.loops, "kept": kept}
    return turn.but(**vars(turn.after.where(Not(c.mine), **old)))


NONE: Mapping[str, Value] = {"present": False, "expired": False, "loops": 0}
"""The fields of a queue without a process queue."""


def _as_before(s: Receiving) -> Mapping[str, Value]:
    return {name: getattr(s, name) for name in NONE}


WRONG = (
    Mistake(
        "begins-twice",
        "An answer begins a receive loop although there is one.",
        lambda s, c, lim, turn: turn.but(loops=turn.after.loops + If(And(c.mine, s.running), 1, 0)),
        "answers",
        "one-loop",
        of=lambda client: client.replaces and not client.lingers,
    ),
    Mistake(
        "begins-none",
        "No answer begins a receive loop.",
        lambda s, c, lim, turn: turn.but(loops=If(turn.after.loops > s.loops, s.loops, turn.after.loops)),
        "answers",
        "received",
    ),
    Mistake(
        "drops-nothing",
        "An answer without the queue leaves its process queue as it is.",
        _drops_nothing,
        "answers",
        "let-go",
        of=lambda client: client.made is not PythonPushConsumerV5_0 and not client.lingers,
    ),
    Mistake(
        "ignores-empty",
        "An empty answer changes nothing.",
        lambda s, c, lim, turn: turn.but(**_as_before(s), full=Or(s.full, And(s.running, s.subscribed, s.loops > 0))),
        "empties",
        "emptied",
        of=lambda client: client.made not in (CppPushConsumer, GoPushConsumer, PythonPushConsumerV5_0),
    ),
    Mistake(
        "ends-by-failure",
        "A failed query drops the process queue.",
        lambda s, c, lim, turn: turn.but(**NONE, lost=Or(s.lost, s.loops > 0)),
        "fails",
        "unharmed",
        of=lambda client: client.made is not GoPushConsumer,
    ),
    Mistake(
        "drops-all",
        "An answer for another topic drops the process queue.",
        lambda s, c, lim, turn: turn.but(**NONE, touched=Or(s.touched, s.loops > 0)),
        "others",
        "apart",
        of=lambda client: client.replaces and not client.one_table,
    ),
    Mistake(
        "keeps-unsubscribed",
        "`unsubscribe` leaves the process queue as it is.",
        lambda s, c, lim, turn: turn.but(**_as_before(s)),
        "unsubscribes",
        "unsubscribed",
        of=lambda client: client.forgets,
    ),
    Mistake(
        "runs-after-shutdown",
        "`shutdown` ends no receive loop.",
        lambda s, c, lim, turn: turn.but(**_as_before(s)),
        "shuts",
        "stopped",
    ),
)
SLIPS = (
    Mistake(
        "runs-on",
        "After any action, the queue has two receive loops.",
        lambda s, c, lim, turn: turn.but(present=True, expired=False, loops=2),
    ),
    Mistake(
        "outlives",
        "After any action, a receive loop runs in a consumer that is shut down.",
        lambda s, c, lim, turn: turn.but(running=False, subscribed=False, present=True, expired=False, loops=1),
    ),
    Mistake(
        "goes-wrong",
        "After any action, every forbidden event has happened.",
        lambda s, c, lim, turn: turn.but(idle=True, kept=True, full=True, lost=True, touched=True),
    ),
)
"""Mutants where every action leaves one wrong value in the state; see ``proofs.mutation.slips``."""

# ---- Assumptions

assume = Premise[Receiving, Choices, Record]
PROGRESS = assume(
    "no receive loop that is stuck until its process queue expires",
    name="progress",
    otherwise="its loop was stuck",
    excludes=("expires",),
)
IN_TIME = assume(
    "no answer after `unsubscribe` or `shutdown`",
    name="in-time",
    otherwise="an answer arrives later",
    allows=dict.fromkeys(("answers", "empties"), lambda s, c, lim: And(s.running, s.subscribed)),
)
ALWAYS = (
    assume("at most one query for an assignment of the topic in flight"),
    assume("each receive loop of a dropped process queue (Go: with messages), or after `shutdown`, ends at once"),
    assume("no exception in the client's own code"),
)
"""Assumptions of every claim about receive loops: behaviour outside the model."""


class Circumstances(Assumptions[Receiving, Choices, Record]):
    """A set of assumptions about a consumer and its broker."""

    kind = "receiving"


WHATEVER = Circumstances.of("whatever", *ALWAYS, row="whatever the broker answers")
MOVING = Circumstances.of("moving", PROGRESS, *ALWAYS, row="if no receive loop is stuck")
PROMPT = Circumstances.of("prompt", IN_TIME, *ALWAYS, row="if no answer comes after unsubscribe or shutdown")

# ---- Guarantees, each with its bad states, its invariant and its claims

SDKS = "https://github.com/apache/rocketmq-clients"
Promise = Property[Receiving, Record]
part = Conjunct[Receiving, Record]
guarantee: Guarantees[SdkClient, Receiving, Record] = Guarantees()

ONE = part("one", "A queue has at most one receive loop.", lambda s, lim: loops(s) <= 1)
NO_STRAY = part("no-stray", "No receive loop is without a process queue in the table.", lambda s, lim: s.stray == 0)
STORED_IF_PRESENT = part(
    "stored", "The stored assignment has each queue with a process queue.", lambda s, lim: Implies(s.present, s.member)
)
UP = part(
    "up", "A receive loop runs only in a consumer that is not shut down.", lambda s, lim: Or(s.running, loops(s) == 0)
)
LIVE = part(
    "live",
    "Each process queue has a receive loop, has expired, or belongs to a consumer that is shut down.",
    lambda s, lim: Implies(And(s.present, s.running), Or(s.loops > 0, s.expired)),
)


def _old_python(client: SdkClient) -> bool:
    return client.python and not client.replaces


@guarantee
def one_loop(client: SdkClient) -> Promise:
    """At most one receive loop polls the broker for a queue."""
    return Promise(
        "a queue never has two receive loops",
        SDKS,
        (Holds(WHATEVER, not _old_python(client) and not client.lingers),),
        bad=lambda s, lim: loops(s) > 1,
        broken=lambda run: f"{loops(run.end)} receive loops poll the broker for one queue.",
        invariant=(ONE, NO_STRAY),
    )


@guarantee
def received(client: SdkClient) -> Promise:
    """An answer with the queue leaves it with a receive loop."""
    stores_first = client.made is PythonPushConsumerV5_0
    stuck = Holds(MOVING.dropping(PROGRESS), client.replaces and client.made.notices_idle)
    return Promise(
        "after each answer with a queue, the queue has a receive loop",
        SDKS,
        (Holds(MOVING, not stores_first), *(() if stores_first or client.one_table else (stuck,))),
        bad=lambda s, lim: s.idle,
        broken="the answer has the queue, but no receive loop polls the broker for it.",
        invariant=lambda world: (
            LIVE,
            *((MEMBER_PRESENT,) if _old_python(client) else ()),
            *((NOT_EXPIRED,) if _old_python(client) or client.one_table else ()),
            part("idle", "No answer with the queue left it without a receive loop.", lambda s, lim: Not(s.idle)),
        ),
    )


MEMBER_PRESENT = part(
    "present", "Each queue of the stored assignment has a process queue.", lambda s, lim: Implies(s.member, s.present)
)


NOT_EXPIRED = part("not-expired", "The process queue has not expired.", lambda s, lim: Not(s.expired))


@guarantee
def let_go(client: SdkClient) -> Promise:
    """An answer without the queue leaves it without a receive loop."""
    return Promise(
        "after each answer without a queue that is not empty, the queue has no receive loop",
        SDKS,
        (Holds(WHATEVER, client.made is not PythonPushConsumerV5_0 and not client.lingers),),
        bad=lambda s, lim: s.kept,
        broken="the answer does not have the queue, but a receive loop polls the broker for it.",
        invariant=(
            NO_STRAY,
            *((STORED_IF_PRESENT,) if client.python else ()),
            part("kept", "No answer without the queue left it a receive loop.", lambda s, lim: Not(s.kept)),
        ),
    )


@guarantee
def emptied(client: SdkClient) -> Promise:
    """An empty answer leaves no receive loop."""
    return Promise(
        "after each empty answer, no queue of the topic has a receive loop",
        SDKS,
        (Holds(WHATEVER, client.made not in (CppPushConsumer, GoPushConsumer, PythonPushConsumerV5_0)),),
        bad=lambda s, lim: s.full,
        broken="the answer is empty, but a receive loop polls the broker for the queue.",
        invariant=(
            NO_STRAY,
            *((STORED_IF_PRESENT,) if client.stores else ()),
            part("full", "No empty answer left a receive loop.", lambda s, lim: Not(s.full)),
        ),
    )


@guarantee
def unharmed(client: SdkClient) -> Promise:
    """A failed query changes nothing."""
    return Promise(
        "a failed query for the assignment drops no process queue with a receive loop",
        SDKS,
        (Holds(WHATEVER, client.made is not GoPushConsumer),),
        bad=lambda s, lim: s.lost,
        broken="the query has failed, and the queue's process queue was dropped.",
        invariant=(part("lost", "No failed query dropped a process queue.", lambda s, lim: Not(s.lost)),),
    )


@guarantee
def apart(client: SdkClient) -> Promise:
    """Topics do not affect each other."""
    return Promise(
        "an answer for one topic neither begins nor ends a receive loop of another topic",
        SDKS,
        (Holds(WHATEVER, not _old_python(client) and not client.one_table),),
        bad=lambda s, lim: s.touched,
        broken="the answer is for another topic, and has changed the queue's number of receive loops.",
        invariant=(
            part("touched", "No answer for another topic changed the queue's loops.", lambda s, lim: Not(s.touched)),
        ),
    )


@guarantee
def unsubscribed(client: SdkClient) -> Promise:
    """After ``unsubscribe``, the topic's queues are not received."""
    late = Holds(PROMPT.dropping(IN_TIME), client.replaces)
    return Promise(
        "no queue of a topic has a receive loop after `unsubscribe` of the topic",
        SDKS,
        (Holds(PROMPT, True), late) if client.forgets else (refuted(PROMPT),),
        bad=lambda s, lim: And(Not(s.subscribed), loops(s) > 0),
        broken="the topic is unsubscribed, but a receive loop polls the broker for its queue.",
        invariant=(
            NO_STRAY,
            STORED_IF_PRESENT,
            part(
                "nothing",
                "Nothing is stored of a topic that is unsubscribed.",
                lambda s, lim: Or(s.subscribed, Not(s.known)),
            ),
        ),
    )


@guarantee
def stopped(client: SdkClient) -> Promise:
    """After ``shutdown``, nothing is received."""
    checks = client.made.checks_running
    return Promise(
        "no queue has a receive loop after `shutdown`",
        SDKS,
        (holds(WHATEVER),) if checks else (holds(PROMPT), refuted(PROMPT.dropping(IN_TIME))),
        bad=lambda s, lim: And(Not(s.running), loops(s) > 0),
        broken="the consumer is shut down, but a receive loop polls the broker for the queue.",
        invariant=(UP,),
    )


def _is_entry(present: int, expired: int, loops: int) -> bool:
    """Return True for a process queue, or none, that is possible: an expired one has no loops."""
    return not (expired and loops) if present else not (expired or loops)


PAGE = Page(
    "receiving",
    RECEIVING,
    CLIENTS,
    guarantee,
    WRONG,
    SLIPS,
    examples=Record(),
    search=Search(Record(), limit=8, gives_up=True),
    compared=Compared(  # states in which code and formulas are compared
        "receiving",
        "receive loops",
        Record(),
        (
            every(running=2, subscribed=2, asked=2),
            [one for one in every(known=2, filled=2, member=2) if one["known"] >= one["filled"] >= one["member"]],
            [one for one in every(present=2, expired=2, loops=3) if _is_entry(**one)],
            every(stray=3),
            every(idle=1, kept=1, full=1, lost=1, touched=1),
        ),
    ),
    words=Words(
        "Receive loops",
        "The push consumers of RocketMQ's gRPC clients: which queues they receive after the broker's assignments.",
        about=lambda client: "One queue of one topic, and other topics of the same consumer.",
        given=lambda run: "The consumer has started.",
        who="the consumer",
        around="1 consumer",
        called="receive loops",
        counted="of topics, queues and answers",
        state="one queue at one consumer",
    ),
    scopes=("for all numbers of topics, queues and answers", "the shortest run is shown"),
)
