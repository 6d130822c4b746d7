"""Sets of assumptions of claims about offsets.

They cover the broker's state and answers, and the consumers' possible actions. A claim is about one queue and one
arbitrary message of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.offsets.state import NONE, Choices, Limits, Offsets, Way, concerned, done, has_or_asks
from rebalance_proofs.model.transition.client import ORDERLY as PUSH_ORDERLY
from rebalance_proofs.model.transition.client import PUSH, Mode
from rebalance_proofs.model.transition.numbers import WHERES

TURN = "no offset query of a new owner before the old owner has let the queue go"
LET_GO = "let go: process queue removed, listener returned, commits arrived at the broker, running `persistAll` ended"


@dataclass(frozen=True)
class Brokers(MachineWorld[Offsets, Choices, Limits]):
    """A set of assumptions about brokers, and consumers that commit offsets.

    All assumptions hold, all but one, or another one replaces one of them.
    """

    committed: bool = True
    """Whether the broker initially has a committed offset of the queue."""
    errors: bool = False
    """Whether a broker may answer a query for the offset with an error."""
    where: ConsumeFromWhere | None = None
    """The setting ``ConsumeFromWhere``, used without a committed offset; None for any setting."""
    way: Way = Way.CONCURRENTLY
    """How consumers process messages: concurrently, in order, or in a pull loop (Node)."""
    in_turn: bool = False
    """Whether a consumer asks for the queue only after its old owner removed its process queue.

    With ordered listeners, the old owner must also have finished all work on the queue.
    """
    leaves: bool = True
    """Whether a consumer's process may end, and a consumer may unsubscribe from the topic."""
    unanswered: bool = True
    """Whether a broker may leave a query for the offset unanswered."""
    least: int = 0
    """The smallest possible offset of the message, and of a commit."""
    skipping: bool = False
    """Whether a consumer with a pull loop may be shut down while it has messages."""
    handed: bool = False
    """Whether the claims are about messages that a hand-over redelivers."""
    finishing: bool = False
    """Whether the claims are about messages whose processing is complete."""
    stopping: bool = False
    """Whether shutdown() interrupts running listeners, instead of waiting for their end."""
    staying: bool = False
    """Whether an interrupted listener may return success with its interrupt status set."""
    swallowing: bool = False
    """Whether an interrupted listener may return success with its interrupt status cleared, too."""
    replica: bool = False
    """Whether a replica may answer for the broker, receive commits, and replace the broker."""
    copied: bool = True
    """Whether the replica, too, initially knows the committed offset."""
    steady: bool = False
    """Whether no queue is added to or removed from a consumer's table while ``persistAll`` runs."""
    later: bool = False
    """Whether the message arrives during the run, instead of existing initially."""
    keeps: bool = False
    """Whether only one consumer asks for the queue before the first commit, and only once."""
    resets: bool = False
    """Whether offsets may be reset."""
    quiet: bool = False
    """Whether no offset is recorded in memory for a queue whose offset is being reset."""
    lonely: bool = False
    """Whether searches for a counterexample let only one consumer act."""
    kind: ClassVar[str] = "offsets"
    definitions: ClassVar[Mapping[str, str]] = {TURN: LET_GO}

    @property
    def least_copied(self) -> int:
        """Return the smallest committed offset that a replica can have."""
        return self.least if self.committed and self.copied else NONE

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

    @property
    def excludes(self) -> Mapping[str, str]:
        """Return excluded actions, with the assumptions that exclude them.

        The assumption is empty if the exclusion does not affect the claims.
        """
        return {
            **({} if self.leaves else dict.fromkeys(LEAVING, STAYS)),
            **({"overtaken": TURN} if self.in_turn else {}),
            **({} if self.skipping else dict.fromkeys(SKIPPING, OPEN)),
            **({} if self.stopping else dict.fromkeys(STOPPING, "")),
            **({} if self.replica else dict.fromkeys(REPLICATING, NO_REPLICA)),
            **({} if self.later else {"arrives": ""}),
            **({} if self.resets else dict.fromkeys(RESETTING, NO_RESETS)),
        }

    def leaves_open(self, action: str, said: Mapping[str, bool]) -> bool:
        """Return whether an action with the choices ``said`` is permitted in some state."""
        half = self.swallowing or (self.staying and action == "returns_interrupted")
        return (half or not said.get("half")) and (self.replica or not said.get("replica"))

    def allows(self, action: str, state: Offsets, choices: Choices, limits: Limits) -> Bool:
        s, c = state, choices
        given = [Not(c.error)] if action in ASKING and not self.errors else []
        given += [Not(getattr(c, name)) for name in ("half", "replica") if not self.leaves_open(action, {name: True})]
        if action == "asks" and self.replica and self.where is not ConsumeFromWhere.FIRST_OFFSET:
            # Without a master in the route, no query for the last offset, or by time, is possible.
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
            # An offset that was committed stays committed, and is not beyond the queue's end.
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
        """Return the condition that messages below any earlier committed offset were handled.

        They stay handled.
        """
        return Implies(c.offset > limits.message, Or(s.finished, s.given) if self.finishing else done(s))

    def isolated(self, action: str, state: Offsets, choices: Choices, limits: Limits) -> Bool:
        """Return the conditions that runs involve no other messages.

        For Node also: a pull is answered before its consumer is shut down. Proofs do not assume that.
        """
        if action == "ends" and self.way is Way.CONCURRENTLY:
            return choices.none == Not(state.cached)
        return Not(state.closed) if action in ("pulls", "empty") and self.way is Way.BY_LOOP else True


@dataclass(frozen=True)
class Group(Brokers):
    """Assumptions about a group with consumers of two different clients."""

    subjects: ClassVar[int] = 2


ASKING = ("asks", "fixes")
LEAVING = ("crashes", "unsubscribes")
SKIPPING = ("skips", "skips_late")
STOPPING = ("interrupts", "returns_interrupted", "others_fail")
RESETTING = ("suspends", "rewinds", "retires")
REPLICATING = ("replicates", "swaps")
SENDING = ("sends", "revokes", "shuts")
RESTING = ("marks", "revokes", "unsubscribes")
"""Actions of a rebalance, which do not happen while the consumer is suspended."""
FIRST_PULL = ("fixes", "overtaken")
"""Actions that end the offset query of a first pull.

No such query is still running when a reset ends.
"""
NOTING = ("pulls", "passes", "empty", *FIRST_PULL)
"""Actions that end a pull, and record its offset in memory at once or later."""
CHANGING = ("adds", "revokes", "unsubscribes", "shuts", "retires")
"""Actions that change a consumer's table of queues."""


def _in_turn(action: str, s: Offsets, c: Choices) -> list[Bool]:
    """Return the conditions of hand-overs without overlap, for the action.

    No consumer asks for a queue while another one works on it. A commit arrives before the next one is sent, an
    answer before any other event. One pull request circulates. No listener outlives its process queue.
    """
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


ANSWERED = "no error answers to offset queries: the broker sends the offset or does not answer"
SOMETHING = "an offset that the group has already committed for the queue"
NO_REPLICA = "no loss of committed offsets at the broker, and no replica that answers for the broker or takes over"
EXISTING = "pulls of existing offsets only: no message deleted before it is consumed"
NO_RESETS = "no offset resets"
IN_SEQUENCE = "no two rebalances of a consumer at the same time: no `resume()` during a rebalance"
_ALWAYS = (
    "the same subscription for all members",
    "client-side rebalance",
    NO_REPLICA,
    EXISTING,
    "one pull request per process queue, never two at the same time",
)
ALWAYS = (*_ALWAYS, NO_RESETS, IN_SEQUENCE)
"""Assumptions of every claim about offsets: behaviour outside the model."""
OWN_STORES = "the client's built-in offset stores"
ASCENDING = "messages of each pull in the order of their offsets"
CONCURRENTLY = (
    "concurrent listeners",
    ASCENDING,
    "every process queue marked as dropped before its removal from the table",
    OWN_STORES,
)
ORDERLY = (
    "ordered listeners with automatic commits",
    "an answer to the offset query of the queue's first pull (needed only for 4.9)",
    OWN_STORES,
)
COMMITTED = Brokers("committed", (SOMETHING, ANSWERED, *ALWAYS, *CONCURRENTLY))
"""All assumptions hold, and the broker has a committed offset."""
STEADY = "no addition or removal of a queue, completed or attempted, while a `persistAll` of the consumer runs"
COMMITTED_STEADY = replace(COMMITTED, name="committed-steady", premises=(STEADY, *COMMITTED.premises), steady=True)
CHANGES = "the queue table changes during `persistAll`"
UNSTEADY = Brokers("steady", COMMITTED_STEADY.premises, CHANGES, drops=STEADY, lonely=True)
WITH_ERRORS = Brokers(
    "answers",
    COMMITTED.premises,
    "the broker answers an offset query with an error",
    drops=ANSWERED,
    errors=True,
)
NOTHING_COMMITTED = Brokers(
    "offset",
    COMMITTED.premises,
    "nothing is committed yet and the group starts at the last offset",
    drops=SOMETHING,
    committed=False,
    where=ConsumeFromWhere.LAST_OFFSET,
)
FROM_FIRST = "`CONSUME_FROM_FIRST_OFFSET`"
FIRST = Brokers(
    "first",
    (FROM_FIRST, *ALWAYS, *CONCURRENTLY),
    committed=False,
    errors=True,
    where=ConsumeFromWhere.FIRST_OFFSET,
    when=", if the group starts at the first offset",
)
"""The broker has a committed offset or none, and the group starts at the first offset.

The broker may answer with an error.
"""

LAST = "no offset committed for the queue at first, and `CONSUME_FROM_LAST_OFFSET`"
KEEPS = "only one consumer that queries the queue's offset before the first commit, and only once"
ARRIVING = Brokers(
    "arriving",
    (KEEPS, LAST, ANSWERED, *ALWAYS, *CONCURRENTLY),
    committed=False,
    where=ConsumeFromWhere.LAST_OFFSET,
    later=True,
    keeps=True,
)
"""The message arrives during the run, when consumers already exist."""
HANDED_ON = Brokers(
    "keeping",
    ARRIVING.premises,
    "the queue is taken twice before a commit",
    drops=KEEPS,
    committed=False,
    where=ConsumeFromWhere.LAST_OFFSET,
    later=True,
)

IN_ORDER = (
    "no unlock of a queue while its listener runs",
    "commits of a consumer that arrive in order, and before the consumer's next offset query",
    "every first pull answered while its process queue exists",
)
STAYS = "no crash or kill of a consumer's process, and no unsubscribe"


def ordered(world: Brokers) -> Brokers:
    """Return the assumptions with ordered listeners instead of concurrent ones."""
    others = tuple(one for one in world.premises if one not in CONCURRENTLY)
    return replace(world, premises=(*others, *ORDERLY), way=Way.ORDERLY)


ARRIVING_IN_ORDER, HANDED_ON_IN_ORDER = ordered(ARRIVING), ordered(HANDED_ON)
QUIET = (
    "no recording of the queue's offset pending when a reset drops its process queue, and no pull answered until the "
    "reset has sent its offset"
)
RESETS = (
    "no rebalance during the reset, which suspends the consumer",
    "no two offset resets at the same time",
    "every offset query answered or timed out before a reset writes its offset",
)
RESET = Brokers(
    "reset",
    (QUIET, *RESETS, STEADY, SOMETHING, ANSWERED, *_ALWAYS, *CONCURRENTLY),
    resets=True,
    quiet=True,
    steady=True,
    lonely=True,
)
"""The user's own code in the consumer resets its offsets."""
NOISY = Brokers(
    "quiet",
    RESET.premises,
    "a pull answer or offset update interferes",
    drops=QUIET,
    resets=True,
    steady=True,
    lonely=True,
)
RESET_IN_ORDER, NOISY_IN_ORDER = ordered(RESET), ordered(NOISY)

IN_TURN = Brokers(
    "in-turn",
    (TURN, *IN_ORDER, STAYS, SOMETHING, ANSWERED, *ALWAYS, *ORDERLY),
    way=Way.ORDERLY,
    in_turn=True,
    leaves=False,
)
"""Ordered consumers own the queue one after another, without overlap."""
IN_TURN_STEADY = replace(IN_TURN, name="in-turn-steady", premises=(STEADY, *IN_TURN.premises), steady=True)
UNSTEADY_IN_TURN = Brokers(
    "steady", IN_TURN_STEADY.premises, CHANGES, drops=STEADY, way=Way.ORDERLY, in_turn=True, leaves=False
)
OUT_OF_TURN = Brokers(
    "turn",
    tuple(one for one in IN_TURN_STEADY.premises if one not in IN_ORDER),
    "a new owner queries the offset too early",
    drops=TURN,
    way=Way.ORDERLY,
    leaves=False,
    steady=True,
)
WITHOUT_GOODBYE = Brokers(
    "staying",
    IN_TURN_STEADY.premises,
    "a process ends or unsubscribes without sending its offset",
    drops=STAYS,
    way=Way.ORDERLY,
    in_turn=True,
    steady=True,
)

HEEDS = (
    "no early success of a listener that `shutdown()` interrupts: success only after its work, or with the thread's "
    "interrupt status set"
)
HEEDED = Brokers(
    "heeded",
    (HEEDS, SOMETHING, ANSWERED, *ALWAYS, *CONCURRENTLY),
    finishing=True,
    stopping=True,
    staying=True,
    when=", if interrupted listeners return success only when done or stay interrupted",
)
"""Listeners may be interrupted; then they return success only when done, or interrupted.

The latter means that the interrupt status of the thread is still set.
"""
SWALLOWED = Brokers(
    "heeding",
    HEEDED.premises,
    "an interrupted listener clears the interrupt and returns success early",
    drops=HEEDS,
    finishing=True,
    stopping=True,
    staying=True,
    swallowing=True,
)
HEEDS_IN_ORDER = (
    "no early success of a listener that `shutdown()` interrupts: before its work is done, it throws or requests a "
    "retry"
)


def _heeding_in_order(world: Brokers) -> tuple[str, ...]:
    return tuple(HEEDS_IN_ORDER if one == HEEDS else one for one in ordered(world).premises)


HEEDED_IN_ORDER = replace(
    ordered(HEEDED),
    premises=_heeding_in_order(HEEDED),
    staying=False,
    when=", if interrupted listeners return success only when done",
)
"""Ordered listeners may be interrupted; then they return success only when done.

Keeping the interrupt status set does not help them, because the next batch's commit also covers the message.
"""
SWALLOWED_IN_ORDER = replace(
    ordered(SWALLOWED),
    premises=_heeding_in_order(SWALLOWED),
    drops=HEEDS_IN_ORDER,
    otherwise="an interrupted listener returns success early",
)
WAITS = (
    "a `shutdown()` that waits (`awaitTerminationMillisWhenShutdown`) until no listener call runs or waits for a thread"
)
AWAITED = Brokers(
    "awaited",
    (WAITS, SOMETHING, ANSWERED, *ALWAYS, *CONCURRENTLY),
    finishing=True,
    when=", if shutdown() waits for running listeners",
)
"""A shutdown waits for running listeners, so that no listener is interrupted."""

REPLACED = Brokers(
    "master",
    (
        *COMMITTED.premises,
        "a replica that has an offset committed by the group for the queue",
        "no loss of committed offsets that the broker or its replica has received",
    ),
    "an outdated replica answers or takes over",
    drops=NO_REPLICA,
    replica=True,
)
REPLACED_BY_NONE = Brokers(
    "copy",
    COMMITTED.premises,
    "a replica without the group's offsets replaces the broker (CONSUME_FROM_LAST_OFFSET)",
    drops=NO_REPLICA,
    where=ConsumeFromWhere.LAST_OFFSET,
    replica=True,
    copied=False,
)
REPLACED_FIRST = replace(
    FIRST,
    name="first-copy",
    premises=tuple(
        "no loss of committed offsets that the broker or its replica has received" if one == NO_REPLICA else one
        for one in FIRST.premises
    ),
    otherwise="a replica answers for the broker",
    replica=True,
    copied=False,
)
"""``REPLACED_BY_NONE``, with ``CONSUME_FROM_FIRST_OFFSET``."""

AFTER_THE_ENTRY = "no offset query for the queue before the old owner's process queue is removed"
HANDED_OVER = Brokers("handed-over", (AFTER_THE_ENTRY, *COMMITTED.premises), in_turn=True, handed=True)
"""Concurrent consumers own the queue one after another, without overlap.

Processes may end, and commits may arrive late.
"""
HELD_BY_TWO = Brokers(
    "turn",
    HANDED_OVER.premises,
    "the old owner still holds the queue",
    drops=AFTER_THE_ENTRY,
    handed=True,
)

QUERIED = "an answer with the offset to every offset query"
ABOVE = "an offset greater than 0 that the group has already committed for the queue"
OPEN = "no shutdown of a consumer with unconsumed messages"
OF_NODE = (
    "the same subscription for all members",
    "client-side rebalance",
    NO_REPLICA,
    EXISTING,
    NO_RESETS,
    "every failed message sent back for a retry, or consumed after at most `maxReconsumeTimes` failures",
    "no two rebalances of a consumer at the same time",
    "no broadcasting",
)
"""Assumptions of every claim about Node: behaviour outside the model."""
BY_LOOP = Brokers("loop", (ABOVE, QUERIED, OPEN, *OF_NODE), way=Way.BY_LOOP, unanswered=False, least=1)
"""All assumptions about Node's consumers, which process messages in a pull loop, hold."""
FAILING = replace(
    BY_LOOP,
    name="answers",
    drops=QUERIED,
    otherwise="an offset query fails or times out",
    errors=True,
    unanswered=True,
)
AT_ZERO = replace(
    BY_LOOP,
    name="above",
    drops=ABOVE,
    otherwise="the committed offset is 0 (CONSUME_FROM_LAST_OFFSET)",
    least=0,
    where=ConsumeFromWhere.LAST_OFFSET,
)
CLOSING = replace(
    BY_LOOP,
    name="open",
    drops=OPEN,
    otherwise="a consumer with unconsumed messages is shut down",
    skipping=True,
)
NOTHING_COMMITTED_BY_LOOP = replace(
    NOTHING_COMMITTED, premises=(SOMETHING, QUERIED, OPEN, *OF_NODE), way=Way.BY_LOOP, unanswered=False
)
FIRST_BY_LOOP = replace(FIRST, premises=(FROM_FIRST, OPEN, *OF_NODE), way=Way.BY_LOOP)
HANDED_OVER_BY_LOOP = replace(
    HANDED_OVER,
    premises=(AFTER_THE_ENTRY, *BY_LOOP.premises),
    way=Way.BY_LOOP,
    unanswered=False,
    least=1,
)
