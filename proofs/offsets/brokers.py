"""The worlds of offsets: what a broker has, and what it may answer."""

from dataclasses import dataclass
from typing import ClassVar

import z3

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.offsets.clients import OffsetsClient
from rebalance_proofs.model.offsets.state import NONE, Said, State
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.model.transition.client import PUSH, Mode
from rebalance_proofs.model.transition.numbers import WHERES

__all__ = ["ANSWERED", "COMMITTED", "FIRST", "NOTHING_COMMITTED", "WITH_ERRORS", "Brokers", "skips"]


@dataclass(frozen=True)
class Brokers:
    """All premises hold, or all but one; or another one in its place."""

    name: str
    sentence: str
    otherwise: str = ""
    dropped: bool = True
    committed: bool = True
    """An offset of the queue is committed."""
    errors: bool = False
    """A broker may answer with an error when it is asked for the offset."""
    where: ConsumeFromWhere | None = None
    """Where the group begins without an offset; None for anywhere."""
    subjects: int = 1
    kind: ClassVar[str] = "offsets"
    modes: ClassVar[tuple[Mode, ...]] = (PUSH,)
    """The ways to use a client that it is a world of."""

    @property
    def without(self) -> str:
        """What there is without the premise, as a sentence."""
        return f"Without it {self.otherwise}." if self.otherwise else ""

    def given(self, state: State) -> dict[str, z3.BoolRef]:
        """In words, what the group and its broker are like."""
        least = 0 if self.committed else NONE
        places = range(len(WHERES)) if self.where is None else (WHERES.index(self.where),)
        return {
            "the message has an offset": state.message >= 0,
            "what is committed is an offset, or none where that may be": state.queue.committed >= least,
            "where the group begins": z3.Or([state.where == place for place in places]),
        }

    def allows(self, action: str, state: State, said: Said) -> z3.BoolRef:
        """What the premises say of an action, one that the client itself could do."""
        return z3.Not(said.error) if action == "asks" and not self.errors else YES


ANSWERED = "A broker that is asked for the queue's offset gives it, or does not answer; it answers with no error."
SOMETHING = "An offset of the queue is committed."
ALWAYS = (
    "All consumers of the group subscribe to the message, and divide the queues themselves.",
    "The broker does not lose what is committed, and no other one answers in its place.",
    "Every pull asks for an offset that the broker has: no message is deleted before it is consumed, and nobody resets "
    "offsets.",
    "One pull request at a time circulates for an entry.",
    "The consumers' listeners are concurrent ones, and their offset stores are those that the client ships.",
)
"""Premises that are in every world: what the model does not have."""
COMMITTED = Brokers("committed", " ".join((SOMETHING, ANSWERED, *ALWAYS)), dropped=False)
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
    " ".join(("The group begins with the first offset (`CONSUME_FROM_FIRST_OFFSET`).", *ALWAYS)),
    dropped=False,
    committed=False,
    errors=True,
    where=ConsumeFromWhere.FIRST_OFFSET,
)
"""Whatever is committed, or nothing, and even if a broker answers with an error."""


def skips(client: OffsetsClient, world: Brokers) -> bool:
    """Whether messages can be skipped."""
    return world is NOTHING_COMMITTED or (world is WITH_ERRORS and client.rebalance.broker_error_is_none)
