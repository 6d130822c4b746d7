"""The worlds of offsets: what a broker has, and what it may answer."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import z3

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.offsets.resets import RESETTING
from rebalance_proofs.model.offsets.state import NONE, Said, State
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.model.transition.client import ORDERLY as PUSH_ORDERLY
from rebalance_proofs.model.transition.client import PUSH, Mode
from rebalance_proofs.model.transition.numbers import WHERES
from rebalance_proofs.proofs.offsets.acting import acting
from rebalance_proofs.proofs.world import Premised

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
class Brokers(Premised):
    """All premises hold, or all but one; or another one in its place."""

    committed: bool = True
    """An offset of the queue is committed."""
    errors: bool = False
    """A broker may answer with an error when it is asked for the offset."""
    where: ConsumeFromWhere | None = None
    """Where the group begins without an offset; None for anywhere."""
    way: Way = Way.CONCURRENTLY
    """How consumers go through the messages of a queue."""
    in_turn: bool = False
    """A consumer asks for the queue when the one before has no entry of it any more; with ordered listeners, when it
    has nothing to do with it any more."""
    leaves: bool = True
    """A consumer's process may end, and it may unsubscribe from the topic."""
    unanswered: bool = True
    """A broker may not answer when it is asked for the offset."""
    least: int = 0
    """The least offset that is committed, where one is, and the least one of the message."""
    skipping: bool = False
    """A consumer that loops may be shut down while it has messages."""
    handed: bool = False
    """It is about what a hand-over repeats."""
    finishing: bool = False
    """It is about messages whose work is done."""
    stopping: bool = False
    """shutdown() does not wait until no listener runs, and interrupts those that do."""
    staying: bool = False
    """A listener that was interrupted may return as if its work were done, with its interrupt status set."""
    swallowing: bool = False
    """It may do that with its interrupt status cleared, too."""
    replica: bool = False
    """A replica may answer in the broker's place, get commits, and take that place."""
    copied: bool = True
    """What is committed at first is known to the replica, too."""
    steady: bool = False
    """While ``persistAll`` is under way no queue comes to a consumer's table, or leaves it."""
    later: bool = False
    """The message is not there at first: it arrives."""
    keeps: bool = False
    """Before an offset is committed nobody asks for the queue but its first consumer, and that one once."""
    resets: bool = False
    """Offsets may be reset."""
    quiet: bool = False
    """Nothing is noted of a queue whose offset is being reset."""
    lonely: bool = False
    """Runs against it are looked for in which one consumer acts."""
    kind: ClassVar[str] = "offsets"

    @property
    def least_copied(self) -> int:
        """The least that a replica has as the committed offset."""
        return self.least if self.committed and self.copied else NONE

    @property
    def orderly(self) -> bool:
        """The listeners are ordered ones."""
        return self.way is Way.ORDERLY

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The ways to use a client that it is a world of."""
        return (PUSH_ORDERLY,) if self.orderly else (PUSH,)

    def given(self, state: State) -> dict[str, z3.BoolRef]:
        """In words, what the group and its broker are like."""
        least = self.least if self.committed else NONE
        places = range(len(WHERES)) if self.where is None else (WHERES.index(self.where),)
        return {
            "the message has an offset": state.message >= self.least,
            "what is committed is an offset, or none where that may be": state.queue.committed >= least,
            **({"so is what a replica has": state.queue.copied >= self.least_copied} if self.replica else {}),
            "where the group begins": z3.Or([state.where == place for place in places]),
        }

    @property
    def actions(self) -> Mapping[str, str]:
        """What can happen, with its sentence."""
        without = (*(() if self.leaves else LEAVING), *(("overtaken",) if self.in_turn else ()))
        without += () if self.skipping else SKIPPING
        without += () if self.stopping else STOPPING
        without += () if self.replica else REPLICATING
        without += () if self.later else ("arrives",)
        without += () if self.resets else RESETTING
        return {name: sentence for name, sentence in acting(self.way).items() if name not in without}

    def leaves_open(self, action: str, said: Mapping[str, bool]) -> bool:
        """Whether that is something which an action can leave open here, whatever the state is."""
        half = self.swallowing or (self.staying and action == "returns_interrupted")
        return (half or not said.get("half")) and (self.replica or not said.get("replica"))

    def allows(self, action: str, state: State, said: Said) -> z3.BoolRef:
        """What the premises say of an action, one that the client itself could do."""
        given = [z3.Not(said.error)] if action in ASKING and not self.errors else []
        given += [
            z3.Not(getattr(said, name)) for name in ("half", "replica") if not self.leaves_open(action, {name: True})
        ]
        if action == "asks" and self.replica and self.where is not ConsumeFromWhere.FIRST_OFFSET:
            # Where the route has no master, nobody can be asked for the last offset, or by time.
            given.append(z3.Implies(said.replica, state.queue.copied != NONE))
        if action == "shuts" and self.stopping:
            given.append(state.me.interrupted)
        if action in ASKING and not self.unanswered:
            given.append(z3.Not(said.silent))
        if action == "overtaken":
            given.append(self._once_committed(state, said))
        if action == "fixes":
            given.append(z3.Implies(said.older, self._once_committed(state, said)))
        if self.in_turn and self.orderly:
            given += _in_turn(action, state, said)
        elif self.in_turn and action == "asks":
            given.append(z3.Not(state.queue.taken))
        if self.keeps and action == "asks":
            fresh = z3.Not(z3.Or(state.queue.taken, state.queue.owned))
            given.append(z3.Or(state.queue.committed != NONE, fresh))
        if self.later and action in ("overtaken", "fixes"):
            # Where an offset was committed, one is; and it is one of a message, or behind the last.
            once = z3.And(state.queue.committed != NONE, said.offset <= state.queue.end)
            given.append(once if action == "overtaken" else z3.Implies(said.older, once))
        if self.resets and action in RESTING:
            given.append(z3.Not(state.me.resetting))
        if self.resets and action in FIRST_PULL:
            given.append(z3.Not(state.me.rewound))
        if self.quiet and action in NOTING:
            given.append(z3.Not(state.me.resetting))
        if self.quiet and action == "suspends":
            given.append(z3.Not(z3.Or(state.me.recording, state.me.noting)))
        if self.steady and action in CHANGING:
            given.append(z3.Not(z3.Or(state.me.listed, state.me.unlisted)))
        return z3.And(given) if given else YES

    def _once_committed(self, state: State, said: Said) -> z3.BoolRef:
        """What was committed at any time is such: a message below it was taken care of, and stays so."""
        queue = state.queue
        done = z3.Or(queue.finished, queue.given) if self.finishing else queue.done
        return z3.Implies(said.offset > state.message, done)


@dataclass(frozen=True)
class Group(Brokers):
    """A group with consumers of two clients."""

    subjects: ClassVar[int] = 2


ASKING = ("asks", "fixes")
LEAVING = ("crashes", "unsubscribes")
SKIPPING = ("skips", "skips_late")
STOPPING = ("interrupts", "returns_interrupted", "others_fail")
REPLICATING = ("replicates", "swaps")
SENDING = ("sends", "revokes", "shuts")
RESTING = ("marks", "revokes", "unsubscribes")
"""What a suspended consumer does not do: its rebalances rest."""
FIRST_PULL = ("fixes", "overtaken")
"""What waits for no longer than a reset does."""
NOTING = ("pulls", "passes", "empty", *FIRST_PULL)
"""Answers of pulls, which can set the memory, or have it set."""
CHANGING = ("adds", "revokes", "unsubscribes", "shuts", "retires")
"""The table."""


def _in_turn(action: str, state: State, said: Said) -> list[z3.BoolRef]:
    """A queue is not asked for while somebody is concerned with it; a commit arrives before the next one is sent, an
    answer before anything else happens; one pull request circulates; no listener is left behind."""
    me = state.me
    left = z3.And(said.stale, z3.Or(me.runs, said.held))
    given = {
        "asks": [z3.Not(state.queue.taken)],
        "fixes": [z3.Not(said.older), z3.Not(me.sending)],
        "pulls": [z3.Not(me.recording)],
        "passes": [z3.Not(me.recording)],
        "empty": [z3.Not(me.recording)],
        "records": [z3.Not(said.more)],
        "commits": [z3.Not(said.more)],
        "revokes": [z3.Not(left)],
        "shuts": [z3.Not(me.runs)],
    }.get(action, [])
    return [*given, *([z3.Not(me.sending)] if action in SENDING else [])]


ANSWERED = "A broker that is asked for the queue's offset gives it, or does not answer; it answers with no error."
SOMETHING = "An offset of the queue is committed."
ALWAYS = (
    "All consumers of the group subscribe to the message, and divide the queues themselves.",
    "The broker does not lose what is committed, and no other one answers in its place.",
    "Every pull asks for an offset that the broker has: no message is deleted before it is consumed, nobody resets "
    "offsets, and in 4.9 the query of an ordered queue's first pull is answered.",
    "One pull request at a time circulates for an entry.",
    "Of one consumer's rebalances each begins when the one before has ended: nobody resumes it meanwhile, which "
    "rebalances in the caller's thread.",
)
"""Premises that are in every world: what the model does not have."""
CONCURRENTLY = (
    "The consumers' listeners are concurrent ones, and their offset stores are those that the client ships; an entry "
    "that leaves a table is marked as dropped by then."
)
ORDERLY = (
    "The consumers' listeners are ordered ones, which leave it to the client when to commit, and their offset stores "
    "are those that the client ships."
)
COMMITTED = Brokers("committed", " ".join((SOMETHING, ANSWERED, *ALWAYS, CONCURRENTLY)), dropped=False)
"""All of them hold."""
STEADY = (
    "While a `persistAll` of a consumer is under way, from the copy of its table's queues to its end, the consumer "
    "neither adds a queue nor takes one away, and tries neither."
)
COMMITTED_STEADY = replace(COMMITTED, name="committed-steady", sentence=f"{STEADY} {COMMITTED.sentence}", steady=True)
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
)
"""Whatever is committed, or nothing, and even if a broker answers with an error."""

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
)
"""Of a message that comes when there are consumers already."""
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
    """The same with ordered listeners."""
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
)
"""A consumer's offsets are reset, by the code in it."""
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
)
"""Of ordered consumers: hand-overs as they are meant."""
IN_TURN_STEADY = replace(IN_TURN, name="in-turn-steady", sentence=f"{STEADY} {IN_TURN.sentence}", steady=True)
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
    ordered(HEEDED), sentence=ordered(HEEDED).sentence.replace(HEEDS, HEEDS_IN_ORDER), staying=False
)
"""Of an ordered one it is no help to stay interrupted: the next batch's commit is behind the message, too."""
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
)
"""So no listener is interrupted."""

NO_REPLICA = ALWAYS[1]
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
    replica=True,
    copied=False,
)
"""The same for a group that begins with the first offset."""

AFTER_THE_ENTRY = "A consumer asks for the queue when the entry of the one before has left its table."
HANDED_OVER = Brokers(
    "handed-over",
    " ".join((AFTER_THE_ENTRY, COMMITTED.sentence)),
    dropped=False,
    in_turn=True,
    handed=True,
)
"""Of concurrent consumers: hand-overs as they are meant. Processes may end, and commits come late."""
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
"""Premises that are in every world of Node: what the model does not have."""
BY_LOOP = Brokers(
    "loop",
    " ".join((ABOVE, QUERIED, OPEN, *OF_NODE)),
    dropped=False,
    way=Way.BY_LOOP,
    unanswered=False,
    least=1,
)
"""Of Node: all of them hold."""
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
)
HANDED_OVER_BY_LOOP = replace(
    HANDED_OVER,
    sentence=" ".join((AFTER_THE_ENTRY, BY_LOOP.sentence)),
    way=Way.BY_LOOP,
    unanswered=False,
    least=1,
)
