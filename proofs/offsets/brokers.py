"""Worlds of offsets: what a broker has, what it may answer, and what consumers may do."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or
from rebalance_proofs.model.offsets.state import NONE, Choices, Limits, Offsets, concerned, done, has_or_asks
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.model.transition.client import ORDERLY as PUSH_ORDERLY
from rebalance_proofs.model.transition.client import PUSH, Mode
from rebalance_proofs.model.transition.numbers import WHERES
from rebalance_proofs.proofs.machine.world import MachineWorld

__all__ = [
    "ANSWERED",
    "ARRIVING",
    "ARRIVING_IN_ORDER",
    "AT_ZERO",
    "AWAITED",
    "BY_LOOP",
    "CLOSING",
    "COMMITTED",
    "COMMITTED_STEADY",
    "FAILING",
    "FIRST",
    "FIRST_BY_LOOP",
    "HANDED_ON",
    "HANDED_ON_IN_ORDER",
    "HANDED_OVER",
    "HANDED_OVER_BY_LOOP",
    "HEEDED",
    "HEEDED_IN_ORDER",
    "HELD_BY_TWO",
    "IN_TURN",
    "IN_TURN_STEADY",
    "NOISY",
    "NOISY_IN_ORDER",
    "NOTHING_COMMITTED",
    "NOTHING_COMMITTED_BY_LOOP",
    "OUT_OF_TURN",
    "REPLACED",
    "REPLACED_BY_NONE",
    "REPLACED_FIRST",
    "RESET",
    "RESET_IN_ORDER",
    "SWALLOWED",
    "SWALLOWED_IN_ORDER",
    "UNSTEADY",
    "UNSTEADY_IN_TURN",
    "WITHOUT_GOODBYE",
    "WITH_ERRORS",
    "Brokers",
    "Group",
    "ordered",
]


@dataclass(frozen=True)
class Brokers(MachineWorld[Offsets, Choices, Limits]):
    """A world in which all premises hold, or all but one, or another one in place of that."""

    committed: bool = True
    """Whether an offset of the queue is committed."""
    errors: bool = False
    """Whether a broker may answer a query for the offset with an error."""
    where: ConsumeFromWhere | None = None
    """Where the group begins without an offset; None if it may begin anywhere."""
    way: Way = Way.CONCURRENTLY
    """How consumers go through the messages of a queue."""
    in_turn: bool = False
    """Whether a consumer asks for the queue only after the one before has no entry of it any more; with ordered
    listeners, after that one has nothing to do with it any more."""
    leaves: bool = True
    """Whether a consumer's process may end, and a consumer may unsubscribe from the topic."""
    unanswered: bool = True
    """Whether a broker may leave a query for the offset unanswered."""
    least: int = 0
    """The least offset that is committed, if one is, and the least offset of the message."""
    skipping: bool = False
    """Whether a consumer that loops may be shut down while it has messages."""
    handed: bool = False
    """Whether the world is about what a hand-over repeats."""
    finishing: bool = False
    """Whether the world is about messages whose work is done."""
    stopping: bool = False
    """Whether shutdown() interrupts listeners that run, instead of waiting until none does."""
    staying: bool = False
    """Whether an interrupted listener may return as if its work were done, with its interrupt status set."""
    swallowing: bool = False
    """Whether an interrupted listener may return so with its interrupt status cleared, too."""
    replica: bool = False
    """Whether a replica may answer in the broker's place, get commits, and take that place."""
    copied: bool = True
    """Whether the replica, too, knows what is committed at first."""
    steady: bool = False
    """Whether no queue comes to a consumer's table, or leaves it, while ``persistAll`` is under way."""
    later: bool = False
    """Whether the message arrives later, and is not there at first."""
    keeps: bool = False
    """Whether, before an offset is committed, nobody asks for the queue but its first consumer, and that one once."""
    resets: bool = False
    """Whether offsets may be reset."""
    quiet: bool = False
    """Whether nothing is noted of a queue whose offset is being reset."""
    lonely: bool = False
    """Whether only one consumer acts in the runs that are searched for a counterexample."""
    kind: ClassVar[str] = "offsets"

    @property
    def least_copied(self) -> int:
        """The least offset that a replica can have as the committed one."""
        return self.least if self.committed and self.copied else NONE

    @property
    def orderly(self) -> bool:
        """Whether the listeners are ordered ones."""
        return self.way is Way.ORDERLY

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The ways to use a client that the world is about."""
        return (PUSH_ORDERLY,) if self.orderly else (PUSH,)

    def has(self, s: Offsets) -> Bool:
        """Whether the consumer counts as one that has taken the queue."""
        return concerned(s) if self.orderly else has_or_asks(s)

    def given(self, limits: Limits) -> dict[str, Bool]:
        """Premises about the group, by sentence."""
        places = range(len(WHERES)) if self.where is None else (WHERES.index(self.where),)
        return {
            "the message has an offset": limits.message >= self.least,
            "where the group begins": Or(*(limits.from_where == place for place in places)),
        }

    def first(self, state: Offsets, limits: Limits) -> Offsets:
        """The initial state: nobody has consumed the message, which is there or to come; if an offset is committed, it
        is the message's."""
        committed = limits.message if self.committed else NONE
        end = limits.message if self.later else limits.message + 1
        return state.but(committed=committed, copied=committed if self.copied else NONE, end=end)

    @property
    def excludes(self) -> Mapping[str, str]:
        """Excluded actions, with the premises that exclude them; empty if the exclusion makes no difference to what is
        claimed there."""
        return {
            **({} if self.leaves else dict.fromkeys(LEAVING, STAYS)),
            **({"overtaken": TURN} if self.in_turn else {}),
            **({} if self.skipping else dict.fromkeys(SKIPPING, OPEN)),
            **({} if self.stopping else dict.fromkeys(STOPPING, "")),
            **({} if self.replica else dict.fromkeys(REPLICATING, NO_REPLICA)),
            **({} if self.later else {"arrives": ""}),
            **({} if self.resets else dict.fromkeys(RESETTING, "nobody resets offsets")),
        }

    def leaves_open(self, action: str, said: Mapping[str, bool]) -> bool:
        """Whether an action may have these choices in this world, whatever the state is."""
        half = self.swallowing or (self.staying and action == "returns_interrupted")
        return (half or not said.get("half")) and (self.replica or not said.get("replica"))

    def allows(self, action: str, state: Offsets, choices: Choices, limits: Limits) -> Bool:
        s, c = state, choices
        given = [Not(c.error)] if action in ASKING and not self.errors else []
        given += [Not(getattr(c, name)) for name in ("half", "replica") if not self.leaves_open(action, {name: True})]
        if action == "asks" and self.replica and self.where is not ConsumeFromWhere.FIRST_OFFSET:
            # Where the route has no master, nobody can be asked for the last offset, or by time.
            given.append(Implies(c.replica, s.copied != NONE))
        if action == "shuts" and self.stopping:
            given.append(s.interrupted)
        if action in ASKING and not self.unanswered:
            given.append(Not(c.silent))
        if action in FIRST_PULL:
            once = self._once_committed(s, c, limits)
            given.append(once if action == "overtaken" else Implies(c.older, once))
        if self.in_turn:
            given += _in_turn(action, s, c) if self.orderly else [Not(s.taken)] if action == "asks" else []
        if self.keeps and action == "asks":
            given.append(Or(s.committed != NONE, Not(Or(s.taken, s.owned))))
        if self.later and action in FIRST_PULL:
            # Where an offset was committed once, one still is; and it does not lie beyond the queue's end.
            once = And(s.committed != NONE, c.offset <= s.end)
            given.append(once if action == "overtaken" else Implies(c.older, once))
        if self.resets and action in RESTING:
            given.append(Not(s.resetting))
        if self.resets and action in FIRST_PULL:
            given.append(Not(s.rewound))
        if self.quiet and action in NOTING:
            given.append(Not(s.resetting))
        if self.quiet and action == "suspends":
            given.append(Not(Or(s.recording, s.noting)))
        if self.steady and action in CHANGING:
            given.append(Not(Or(s.listed, s.unlisted)))
        return And(*given)

    def _once_committed(self, s: Offsets, c: Choices, limits: Limits) -> Bool:
        """Premise about an offset that was committed at any time: a message below it was taken care of, and stays
        so."""
        return Implies(c.offset > limits.message, Or(s.finished, s.given) if self.finishing else done(s))

    def isolated(self, action: str, state: Offsets, choices: Choices, limits: Limits) -> Bool:
        """Conditions of runs without other messages. Also, a pull of Node's is answered before its consumer is shut
        down; proofs do without that."""
        if action == "ends" and self.way is Way.CONCURRENTLY:
            return choices.none == Not(state.cached)
        return Not(state.closed) if action in ("pulls", "empty") and self.way is Way.BY_LOOP else True


@dataclass(frozen=True)
class Group(Brokers):
    """A group with consumers of two clients."""

    subjects: ClassVar[int] = 2


ASKING = ("asks", "fixes")
LEAVING = ("crashes", "unsubscribes")
SKIPPING = ("skips", "skips_late")
STOPPING = ("interrupts", "returns_interrupted", "others_fail")
RESETTING = ("suspends", "rewinds", "retires")
REPLICATING = ("replicates", "swaps")
SENDING = ("sends", "revokes", "shuts")
RESTING = ("marks", "revokes", "unsubscribes")
"""Actions of a consumer's rebalances, which rest while it is suspended."""
FIRST_PULL = ("fixes", "overtaken")
"""Actions in which a first pull hears its answer; no such query is under way for longer than a reset takes."""
NOTING = ("pulls", "passes", "empty", *FIRST_PULL)
"""Actions in which a pull is answered, which set the memory, or are about to."""
CHANGING = ("adds", "revokes", "unsubscribes", "shuts", "retires")
"""Actions that change a consumer's table of queues."""


def _in_turn(action: str, s: Offsets, c: Choices) -> list[Bool]:
    """Conditions of hand-overs in turn: a queue is not asked for while somebody is concerned with it; a commit arrives
    before the next one is sent, an answer before anything else happens; one pull request circulates; no listener is
    left behind."""
    left = And(c.stale, Or(s.runs, c.held))
    given = {
        "asks": [Not(s.taken)],
        "fixes": [Not(c.older), Not(s.sending)],
        "pulls": [Not(s.recording)],
        "passes": [Not(s.recording)],
        "empty": [Not(s.recording)],
        "records": [Not(c.more)],
        "commits": [Not(c.more)],
        "revokes": [Not(left)],
        "shuts": [Not(s.runs)],
    }.get(action, [])
    return [*given, *([Not(s.sending)] if action in SENDING else [])]


ANSWERED = "A broker that is asked for the queue's offset gives it, or does not answer; it answers with no error."
SOMETHING = "An offset of the queue is committed."
NO_REPLICA = "The broker does not lose what is committed, and no other one answers in its place."
ALWAYS = (
    "All consumers of the group subscribe to the message, and divide the queues themselves.",
    NO_REPLICA,
    "Every pull asks for an offset that the broker has: no message is deleted before it is consumed, nobody resets "
    "offsets, and in 4.9 the query of an ordered queue's first pull is answered.",
    "One pull request at a time circulates for an entry.",
    "Of one consumer's rebalances each begins when the one before has ended: nobody resumes it meanwhile, which "
    "rebalances in the caller's thread.",
)
"""Premises of every world, about what the model leaves out."""
CONCURRENTLY = (
    "The consumers' listeners are concurrent ones, and their offset stores are those that the client ships; an entry "
    "that leaves a table is marked as dropped by then."
)
ORDERLY = (
    "The consumers' listeners are ordered ones, which leave it to the client when to commit, and their offset stores "
    "are those that the client ships."
)
ANSWERED_SO = "an offset is committed, and is answered without an error"
STEADY_SO = "no queue comes to a consumer's table, or leaves it, while a `persistAll` of the consumer is under way"
"""Premises as sentences of claims name them."""
COMMITTED = Brokers(
    "committed",
    " ".join((SOMETHING, ANSWERED, *ALWAYS, CONCURRENTLY)),
    dropped=False,
    when=f", if {ANSWERED_SO}",
)
"""All premises hold."""
STEADY = (
    "While a `persistAll` of a consumer is under way, from the copy of its table's queues to its end, the consumer "
    "neither adds a queue nor takes one away, and tries neither."
)
COMMITTED_STEADY = replace(
    COMMITTED,
    name="committed-steady",
    sentence=f"{STEADY} {COMMITTED.sentence}",
    steady=True,
    when=f", if {ANSWERED_SO}, and {STEADY_SO}",
)
CHANGES = "a queue comes to a consumer's table, or leaves it, while a `persistAll` of the consumer is under way"
UNSTEADY = Brokers("steady", STEADY, CHANGES, lonely=True)
WITH_ERRORS = Brokers(
    "answers",
    ANSWERED,
    "a broker that is asked for the queue's offset answers with an error",
    errors=True,
)
NOTHING_COMMITTED = Brokers(
    "offset",
    SOMETHING,
    "no offset of the queue is committed yet, and the group begins with the last one (`CONSUME_FROM_LAST_OFFSET`)",
    committed=False,
    where=ConsumeFromWhere.LAST_OFFSET,
)
FIRST = Brokers(
    "first",
    " ".join(("The group begins with the first offset (`CONSUME_FROM_FIRST_OFFSET`).", *ALWAYS, CONCURRENTLY)),
    dropped=False,
    committed=False,
    errors=True,
    where=ConsumeFromWhere.FIRST_OFFSET,
    when=", if the group begins with the first offset",
)
"""Any offset is committed, or none, and a broker may answer with an error."""

LAST = (
    "Nothing is committed of the queue before, and the group begins with the last offset (`CONSUME_FROM_LAST_OFFSET`)."
)
KEEPS = (
    "Before an offset is committed, nobody asks for the queue but the consumer that has it first, and that one once."
)
ARRIVING = Brokers(
    "arriving",
    " ".join((KEEPS, LAST, ANSWERED, *ALWAYS, CONCURRENTLY)),
    dropped=False,
    committed=False,
    where=ConsumeFromWhere.LAST_OFFSET,
    later=True,
    keeps=True,
    when=(
        ", if nothing was committed before, the group begins with the last offset, no query is answered with an error, "
        "and before an offset is committed nobody asks for the queue but the consumer that has it first, and that one "
        "once"
    ),
)
"""The message arrives when there are consumers already."""
HANDED_ON = Brokers(
    "keeping",
    KEEPS,
    "somebody asks for the queue before an offset is committed that is not its first consumer, or that one again",
    committed=False,
    where=ConsumeFromWhere.LAST_OFFSET,
    later=True,
)

TURN = (
    "One consumer after the other: it asks for the queue when the entry of the one before has left its table, its "
    "listener has returned, what it sent has arrived, and no `persistAll` is under way that was told that it has the "
    "queue. No lock is given back under a running listener. A commit "
    "arrives before its sender sends another one, or asks; a first pull is answered while its entry is there."
)
STAYS = "No consumer's process ends, and none unsubscribes from the topic."


def ordered(world: Brokers) -> Brokers:
    """The world with ordered listeners in place of concurrent ones."""
    return replace(world, sentence=world.sentence.replace(CONCURRENTLY, ORDERLY), way=Way.ORDERLY)


ARRIVING_IN_ORDER, HANDED_ON_IN_ORDER = ordered(ARRIVING), ordered(HANDED_ON)
QUIET = (
    "When a reset marks an entry, no offset of the queue is about to be noted, and no pull of the queue is answered "
    "until the reset has sent its own."
)
RESETS = (
    "While an offset is reset, its consumer's rebalances rest, as it is suspended; one at a time is under way. A query "
    "for an offset is answered, or given up, before the ten seconds of a reset are over."
)
ALWAYS_BUT_RESETS = tuple(one.replace(", nobody resets offsets,", ",") for one in ALWAYS[:-1])
RESET = Brokers(
    "reset",
    " ".join((QUIET, RESETS, STEADY, SOMETHING, ANSWERED, *ALWAYS_BUT_RESETS, CONCURRENTLY)),
    dropped=False,
    resets=True,
    quiet=True,
    steady=True,
    lonely=True,
    when=(
        ", if no offset of the queue is about to be noted when the reset marks its entry, and no pull of it is "
        "answered until the reset has sent its own"
    ),
)
"""A consumer's own code resets its offsets."""
NOISY = Brokers(
    "quiet",
    QUIET,
    "an offset of the queue is about to be noted when a reset marks its entry, or a pull is answered before it has "
    "sent its own",
    resets=True,
    steady=True,
    lonely=True,
)
RESET_IN_ORDER, NOISY_IN_ORDER = ordered(RESET), ordered(NOISY)

IN_TURN = Brokers(
    "in-turn",
    " ".join((TURN, STAYS, SOMETHING, ANSWERED, *ALWAYS, ORDERLY)),
    dropped=False,
    way=Way.ORDERLY,
    in_turn=True,
    leaves=False,
    when=", if one consumer comes after the other, and none ends at once",
)
"""Hand-overs of ordered consumers as they are meant."""
IN_TURN_STEADY = replace(
    IN_TURN,
    name="in-turn-steady",
    sentence=f"{STEADY} {IN_TURN.sentence}",
    steady=True,
    when=f"{IN_TURN.when}, and {STEADY_SO}",
)
UNSTEADY_IN_TURN = Brokers("steady", STEADY, CHANGES, way=Way.ORDERLY, in_turn=True, leaves=False)
OUT_OF_TURN = Brokers(
    "turn",
    TURN,
    "a consumer asks for the queue while another one has something to do with it",
    way=Way.ORDERLY,
    leaves=False,
    steady=True,
)
WITHOUT_GOODBYE = Brokers(
    "staying",
    STAYS,
    "a consumer's process ends, or it unsubscribes from the topic, and sends no offset",
    way=Way.ORDERLY,
    in_turn=True,
    steady=True,
)

HEEDS = (
    "A listener that shutdown() interrupts returns success only when its work is done, unless it leaves its thread's "
    "interrupt status set."
)
HEEDED = Brokers(
    "heeded",
    " ".join((HEEDS, SOMETHING, ANSWERED, *ALWAYS, CONCURRENTLY)),
    dropped=False,
    finishing=True,
    stopping=True,
    staying=True,
    when=(
        ", if a listener that is interrupted returns success only when its work is done, or stays interrupted, and "
        f"{ANSWERED_SO}"
    ),
)
"""Listeners may be interrupted, and heed it."""
SWALLOWED = Brokers(
    "heeding",
    HEEDS,
    "a listener that shutdown() interrupts before its work is done returns success, and has cleared its thread's "
    "interrupt status, as whoever catches an InterruptedException has",
    finishing=True,
    stopping=True,
    staying=True,
    swallowing=True,
)
HEEDS_IN_ORDER = (
    "A listener that shutdown() interrupts returns success only when its work is done; else it throws, or asks for the "
    "message again."
)
HEEDED_IN_ORDER = replace(
    ordered(HEEDED),
    sentence=ordered(HEEDED).sentence.replace(HEEDS, HEEDS_IN_ORDER),
    staying=False,
    when=(f", if a listener that is interrupted returns success only when its work is done, and {ANSWERED_SO}"),
)
"""It does not help an ordered listener to stay interrupted: the next batch's commit is behind the message, too."""
SWALLOWED_IN_ORDER = replace(
    ordered(SWALLOWED),
    sentence=HEEDS_IN_ORDER,
    otherwise="a listener that shutdown() interrupts before its work is done returns success",
)
AWAITED = Brokers(
    "awaited",
    " ".join(
        (
            "shutdown() waits (`awaitTerminationMillisWhenShutdown`) until no call of the listener runs, or waits for "
            "a thread.",
            SOMETHING,
            ANSWERED,
            *ALWAYS,
            CONCURRENTLY,
        )
    ),
    dropped=False,
    finishing=True,
    when=f", if shutdown() waits until no call of the listener runs, or waits to, and {ANSWERED_SO}",
)
"""A shutdown waits, so no listener is interrupted."""

REPLACED = Brokers(
    "master",
    NO_REPLICA,
    "a replica, which was told some time ago what is committed, answers queries for it and takes commits while the "
    "route has no master, or takes its place",
    replica=True,
)
REPLACED_BY_NONE = Brokers(
    "copy",
    NO_REPLICA,
    "a replica that has not been told of any offset of the queue takes the broker's place, and the group begins with "
    "the last one (`CONSUME_FROM_LAST_OFFSET`)",
    where=ConsumeFromWhere.LAST_OFFSET,
    replica=True,
    copied=False,
)
REPLACED_FIRST = replace(
    FIRST,
    name="first-copy",
    sentence=FIRST.sentence.replace(NO_REPLICA, "A broker and its replica do not lose what they were told."),
    otherwise="a replica, with or without an offset, answers in the broker's place",
    replica=True,
    copied=False,
)
"""``REPLACED_BY_NONE`` for a group that begins with the first offset."""

AFTER_THE_ENTRY = "A consumer asks for the queue when the entry of the one before has left its table."
HANDED_OVER = Brokers(
    "handed-over",
    " ".join((AFTER_THE_ENTRY, COMMITTED.sentence)),
    dropped=False,
    in_turn=True,
    handed=True,
    when=f", if a consumer asks for it when the entry of the one before has left its table, {ANSWERED_SO}",
)
"""Hand-overs of concurrent consumers as they are meant. Processes may end, and commits may come late."""
HELD_BY_TWO = Brokers(
    "turn",
    AFTER_THE_ENTRY,
    "a consumer asks for the queue while another one still has an entry of it",
    handed=True,
)

QUERIED = "Every query for the queue's offset is answered with it."
ABOVE = "The offset that is committed is above 0."
OPEN = "A consumer is not shut down while it has messages that were not consumed."
OF_NODE = (
    *ALWAYS[:2],
    "Every pull asks for an offset that the broker has: no message is deleted before it is consumed, and nobody resets "
    "offsets.",
    "A message that its listener fails to consume can be given back, or fails no more often than `maxReconsumeTimes`.",
    "Of one consumer's rebalances each begins when the one before has ended.",
    "The consumers are not broadcasting.",
)
"""Premises of every world of Node, about what the model leaves out."""
BY_LOOP = Brokers(
    "loop",
    " ".join((ABOVE, QUERIED, OPEN, *OF_NODE)),
    dropped=False,
    way=Way.BY_LOOP,
    unanswered=False,
    least=1,
    when=", if an offset above 0 is committed, every query is answered, and no consumer is shut down that has messages",
)
"""All premises of Node hold."""
FAILING = replace(
    BY_LOOP,
    name="answers",
    sentence=QUERIED,
    otherwise="a query for the queue's offset fails, or is not answered in time",
    dropped=True,
    errors=True,
    unanswered=True,
)
AT_ZERO = replace(
    BY_LOOP,
    name="above",
    sentence=ABOVE,
    otherwise="the offset that is committed is 0, and the group begins with the last one (`CONSUME_FROM_LAST_OFFSET`)",
    dropped=True,
    least=0,
    where=ConsumeFromWhere.LAST_OFFSET,
)
CLOSING = replace(
    BY_LOOP,
    name="open",
    sentence=OPEN,
    otherwise="a consumer is shut down while it has messages that were not consumed",
    dropped=True,
    skipping=True,
)
NOTHING_COMMITTED_BY_LOOP = replace(NOTHING_COMMITTED, way=Way.BY_LOOP, unanswered=False)
FIRST_BY_LOOP = replace(
    FIRST,
    sentence=" ".join(("The group begins with the first offset (`CONSUME_FROM_FIRST_OFFSET`).", OPEN, *OF_NODE)),
    way=Way.BY_LOOP,
    when=f"{FIRST.when}, and no consumer is shut down that has messages",
)
HANDED_OVER_BY_LOOP = replace(
    HANDED_OVER,
    sentence=" ".join((AFTER_THE_ENTRY, BY_LOOP.sentence)),
    way=Way.BY_LOOP,
    unanswered=False,
    least=1,
    when=(
        ", if a consumer asks for it when the entry of the one before has left its table, an offset above 0 is "
        "committed, every query is answered, and no consumer is shut down that has messages"
    ),
)
