"""Comparison of one strategy of a real client with the model's, call by call."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.own.call import ENDING, NULL, THROWS, Call, Gave, Outcome, Refused
from rebalance_proofs.model.own.worker import Worker
from rebalance_proofs.model.profiles.profile import ClientError, Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.outcome import NULL_POINTER

BATCH = 4096
"""Calls that are compared in one batch."""
PATIENCE = 3
"""After so many calls that hang, end their process or take too much memory, the others are not made."""


@dataclass(frozen=True)
class Difference:
    """A call whose outcomes of the client and of the model differ."""

    call: Call | None
    """The call; None for the constructor."""
    client: str
    """What the client does: ``gives [0, 2]``, ``throws java.lang.IllegalArgumentException: ...``."""
    model: str
    """What the model does, in the same words."""


@dataclass(frozen=True)
class Compared:
    """The result of comparing one strategy, made in one way."""

    name: str
    calls: int
    """The number of calls made; 1, for its constructor, if the strategy cannot be made."""
    differ: int = 0
    smallest: Difference | None = None
    """The difference with the fewest client ids, then the fewest queues; one without empty arguments if possible."""
    left_out: int = 0
    """The number of calls that were not made any more."""


def compare(name: str, worker: Worker, profile: Profile, strategy: Strategy, calls: Sequence[Call]) -> Compared:
    """Compare all ``calls``, which come smallest first. Raises ``StrategyError`` where the worker cannot be started."""
    made, differ, ended, smallest = 0, 0, 0, None
    while made < len(calls) and ended < PATIENCE:
        some = calls[made : made + BATCH]
        for call, outcome in zip(some, worker.answers(some), strict=False):
            made += 1
            ended += isinstance(outcome, Refused) and outcome.kind in ENDING
            expected = _of_model(profile, strategy, call)
            if not agrees(outcome, expected):
                differ += 1
                smallest = smallest or Difference(call, _told(outcome, call), _said(expected, call))
    return Compared(name, made, differ, smallest, len(calls) - made)


Expected = list[MessageQueue | None] | ClientError | None


def _of_model(profile: Profile, strategy: Strategy, call: Call) -> Expected:
    try:
        return profile.allocate(strategy, call.current_cid, call.mq_all, call.cid_all)
    except ClientError as error:
        return error


def agrees(outcome: Outcome, expected: Expected) -> bool:
    """Whether both outcomes are the same: the same queues in the same order, null, or the same exception."""
    if isinstance(outcome, Gave):
        return isinstance(expected, list) and list(outcome.queues) == expected
    if outcome.kind == NULL:
        return expected is None
    return outcome.kind == THROWS and isinstance(expected, ClientError) and throws(outcome.what, expected)


def throws(what: str, error: ClientError) -> bool:
    """Whether ``throws NAME: MESSAGE (File.java:12)`` is this error.

    The text of a NullPointerException is the virtual machine's own, and not compared.
    """
    message = "(: .*)?" if error.exception == NULL_POINTER else f": {re.escape(error.message)}"
    return bool(re.fullmatch(rf"throws {re.escape(error.exception)}{message}( \([^()]*:\d+\))?", what, re.DOTALL))


def _told(outcome: Outcome, call: Call) -> str:
    return _given(outcome.queues, call) if isinstance(outcome, Gave) else outcome.what


def _said(expected: Expected, call: Call) -> str:
    if isinstance(expected, ClientError):
        return f"throws {expected}"
    return "returns null" if expected is None else _given(expected, call)


def _given(queues: Sequence[MessageQueue | None], call: Call) -> str:
    """The queues in words, by position in mqAll if they are in it."""
    places = {queue: str(place) for place, queue in reversed(list(enumerate(call.mq_all)))}
    names = ("null" if one is None else places.get(one) or f"{one.broker_name}:{one.queue_id}" for one in queues)
    return f"gives [{', '.join(names)}]"
