"""Compare one strategy of a real client with the model's, call by call."""

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
"""Number of calls that are sent to the client and compared in one batch."""
SORTED = ""
"""The consumerGroup of a ``Difference.call`` that is an unsorted list: its other list and its currentCID are empty."""
PATIENCE = 3
"""Number of failed calls after which the rest is skipped.

A call fails if it hangs, ends its process, or uses too much memory.
"""


@dataclass(frozen=True)
class Difference:
    """A call with different outcomes in the client and in the model."""

    call: Call | None
    """The call of ``allocate``, or an unsorted list (``SORTED``); None for a constructor or a rebalance step."""
    client: str
    """The client's outcome, such as ``gives [0, 2]`` or ``throws NAME: MESSAGE``."""
    model: str
    """The model's outcome, in the same form as the client's."""
    case: str = ""
    """The inputs of a rebalance step, for people."""


@dataclass(frozen=True)
class Compared:
    """Result of comparing one strategy with one choice of constructor arguments."""

    name: str
    calls: int
    """Number of calls; 1, for the constructor, if the strategy cannot be constructed."""
    differ: int = 0
    smallest: Difference | None = None
    """The difference whose call has the fewest client ids, then the fewest queues.

    A call without empty arguments is preferred.
    """
    left_out: int = 0
    """Number of calls that were not compared, because earlier calls hung or ended their process."""


def compare(name: str, worker: Worker, profile: Profile, strategy: Strategy, calls: Sequence[Call]) -> Compared:
    """Compare the outcomes of all ``calls``, which are sorted smallest first.

    Raises ``StrategyError`` if the worker process cannot start.
    """
    made, differ, ended, smallest = 0, 0, 0, None
    while made < len(calls) and ended < PATIENCE:
        some = calls[made : made + BATCH]
        for call, outcome in zip(some, worker.answers(some), strict=False):
            made += 1
            ended += isinstance(outcome, Refused) and outcome.kind in ENDING
            if isinstance(outcome, Gave) and outcome.null:
                outcome = Refused(NULL, "returns null")  # the strategy's own answer is compared, not the client's
            if profile.refusal is None and isinstance(outcome, Refused) and outcome.kind == NULL:
                outcome = Gave(())  # a client without errors returns nil, its empty list
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
    """Return True if both outcomes are the same.

    They are the same queues in the same order, null, or the same exception.
    """
    if isinstance(outcome, Gave):
        return isinstance(expected, list) and list(outcome.queues) == expected
    if outcome.kind == NULL:
        return expected is None
    return outcome.kind == THROWS and isinstance(expected, ClientError) and throws(outcome.what, expected)


def throws(what: str, error: ClientError) -> bool:
    """Return True if ``throws NAME: MESSAGE (File.java:12)`` is the error in the model.

    The text of a NullPointerException depends on the JVM and is not compared.
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
    """Return a result as text; queues in mqAll are written as their positions in it."""
    places = {queue: str(place) for place, queue in reversed(list(enumerate(call.mq_all)))}
    names = ("null" if one is None else places.get(one) or f"{one.broker_name}:{one.queue_id}" for one in queues)
    return f"gives [{', '.join(names)}]"
