"""The worlds of offsets: what a broker has, and what it may answer."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import z3

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
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
    "AT_ZERO",
    "BY_LOOP",
    "CLOSING",
    "COMMITTED",
    "FAILING",
    "FIRST",
    "FIRST_BY_LOOP",
    "HANDED_OVER",
    "HANDED_OVER_BY_LOOP",
    "HELD_BY_TWO",
    "IN_TURN",
    "NOTHING_COMMITTED",
    "NOTHING_COMMITTED_BY_LOOP",
    "OUT_OF_TURN",
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
    kind: ClassVar[str] = "offsets"

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
            "where the group begins": z3.Or([state.where == place for place in places]),
        }

    @property
    def actions(self) -> Mapping[str, str]:
        """What can happen, with its sentence."""
        without = (*(() if self.leaves else LEAVING), *(("overtaken",) if self.in_turn else ()))
        without += () if self.skipping else SKIPPING
        return {name: sentence for name, sentence in acting(self.way).items() if name not in without}

    def allows(self, action: str, state: State, said: Said) -> z3.BoolRef:
        """What the premises say of an action, one that the client itself could do."""
        given = [z3.Not(said.error)] if action in ASKING and not self.errors else []
        if action in ASKING and not self.unanswered:
            given.append(z3.Not(said.silent))
        if action == "overtaken":
            given.append(_once_committed(state, said))
        if action == "fixes":
            given.append(z3.Implies(said.older, _once_committed(state, said)))
        if self.in_turn and self.orderly:
            given += _in_turn(action, state, said)
        elif self.in_turn and action == "asks":
            given.append(z3.Not(state.queue.taken))
        return z3.And(given) if given else YES


@dataclass(frozen=True)
class Group(Brokers):
    """A group with consumers of two clients."""

    subjects: ClassVar[int] = 2


ASKING = ("asks", "fixes")
LEAVING = ("crashes", "unsubscribes")
SKIPPING = ("skips", "skips_late")
SENDING = ("sends", "revokes", "shuts")


def _once_committed(state: State, said: Said) -> z3.BoolRef:
    """What was committed at any time is such: a message below it was taken care of, and stays so."""
    return z3.Implies(said.offset > state.message, state.queue.done)


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

TURN = (
    "One consumer after the other: it asks for the queue when the entry of the one before has left its table, its "
    "listener has returned, and what it sent has arrived. No lock is given back under a running listener. A commit "
    "arrives before its sender sends another one, or asks; a first pull is answered while its entry is there."
)
STAYS = "No consumer's process ends, and none unsubscribes from the topic."


def ordered(world: Brokers) -> Brokers:
    """The same with ordered listeners."""
    return replace(world, sentence=world.sentence.replace(CONCURRENTLY, ORDERLY), way=Way.ORDERLY)


IN_TURN = Brokers(
    "in-turn",
    " ".join((TURN, STAYS, SOMETHING, ANSWERED, *ALWAYS, ORDERLY)),
    dropped=False,
    way=Way.ORDERLY,
    in_turn=True,
    leaves=False,
)
"""Of ordered consumers: hand-overs as they are meant."""
OUT_OF_TURN = Brokers(
    "turn",
    TURN,
    "a consumer asks for the queue while another one has something to do with it",
    way=Way.ORDERLY,
    leaves=False,
)
WITHOUT_GOODBYE = Brokers(
    "staying",
    STAYS,
    "a consumer's process ends, or it unsubscribes from the topic, and sends no offset",
    way=Way.ORDERLY,
    in_turn=True,
)

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
