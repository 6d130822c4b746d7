"""A user-defined strategy whose results are computed in advance and then looked up.

A call that returns no list of queues is called refused; one group needs one call per consumer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time

from rebalance_proofs.model.allocation.strategy import AllocationError, Strategy
from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.own.call import ENDING, Call, Gave, Outcome, Refused, Worker
from rebalance_proofs.model.queues import MessageQueue

BATCH = 4096
"""The number of calls that are sent to the child process at once."""
PATIENCE = 2
"""Number of calls that may hang, end the process or use too much memory.

After these, no more calls are made.
"""

NULL_QUEUE = "null-queue"
"""An additional kind of ``Refused``: the returned list contains null."""


NOT_ASKED = Refused("not-asked", "was not called again")
"""Result of a call that was not made, because calls had stopped before."""


class Refusal(AllocationError):
    """Error for a consumer whose call returned no list of queues.

    The text is a verb phrase: ``returns None``.
    """

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.what)
        self.kind = refused.kind
        """The kind of failure: one of ``call.KINDS``, ``NULL_QUEUE`` or ``not-asked``."""

    @property
    def instead(self) -> str:
        """What the call did instead of returning a list: the error's text, a verb phrase."""
        return str(self)


@dataclass(frozen=True)
class Changed:
    """The first call that changed an argument list, and the change as a verb phrase."""

    call: Call
    what: str


@dataclass(frozen=True)
class Printed:
    """The first call that printed output, and that output."""

    call: Call
    lines: tuple[str, ...]


class Asked:
    """A user's strategy with the stored outcomes of its calls."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self.strategy = Strategy(worker.name, worker.name, "", self._allocate, None, frozenset())
        """The strategy as consumers run it; it looks up outcomes of groups given to ``ask``."""
        self.holds = worker.holds
        """Sources of nondeterminism, such as clocks, that the child process can fix."""
        self.calls = 0
        """The number of calls of the strategy made so far."""
        self.printed: Printed | None = None
        self.changed: Changed | None = None
        self.null: Call | None = None
        """The first call that returned null, if the client treats null as an empty list."""
        self.ended = 0
        """The number of calls that hung, ended the process, or used too much memory."""
        self._known: dict[tuple[str, int, int], Outcome] = {}
        self._began, self._used = perf_counter(), process_time()

    def clock(self) -> float:
        """Return the seconds used so far, to decide whether the strategy is slow.

        This is the calls' CPU time if the worker measures it, but at least a third of the elapsed time. So a busy
        machine slows the strategy's clock by at most a factor of three.
        """
        worked = getattr(self._worker, "seconds", None)
        waited = perf_counter() - self._began
        return waited if worked is None else max(process_time() - self._used + worked(), waited / 3)

    @property
    def gave_up(self) -> bool:
        """True if no more calls are made, because too many have hung or ended the process."""
        return self.ended >= PATIENCE

    def ask(self, groups: Sequence[Group], consumer_group: str) -> int:
        """Make all calls that these groups need, and forget the outcomes of other groups.

        Returns the number of leading groups that have all outcomes. It is smaller than the number of groups if
        calls stopped.
        """
        self._known = {}
        calls: dict[tuple[str, int, int], Call] = {}
        needs = [[self._needed(consumer, consumer_group, calls) for consumer in members(group)] for group in groups]
        waiting = list(calls.items())
        while waiting and not self.gave_up:
            some = waiting[:BATCH]
            outcomes = self._worker.answers([call for _, call in some])
            for (key, call), outcome in zip(some, outcomes, strict=False):
                self._known[key] = self._noted(call, outcome)
            waiting = waiting[len(outcomes) :]
        missing = {key for key, _ in waiting}
        whole = (number for number, needed in enumerate(needs) if missing.intersection(needed))
        return next(whole, len(groups)) if missing else len(groups)

    def outcome(self, consumer: Consumer) -> Outcome:
        """Return the outcome of the consumer's call, or ``NOT_ASKED`` if calls had stopped before."""
        return self._known.get(_key(consumer.client_id, consumer.mq_all, consumer.cid_all), NOT_ASKED)

    def refused(self, group: Group) -> list[tuple[Consumer, Refused]]:
        """Return the consumers whose calls returned no list of queues, with the calls' outcomes.

        They include consumers of the group's references. Calls that were not made are left out.
        """
        mine = (consumer for consumer in members(group) if consumer.strategy is self.strategy)
        said = ((one, self._known.get(_key(one.client_id, one.mq_all, one.cid_all))) for one in mine)
        return [(consumer, outcome) for consumer, outcome in said if isinstance(outcome, Refused)]

    def _needed(
        self, consumer: Consumer, consumer_group: str, calls: dict[tuple[str, int, int], Call]
    ) -> tuple[str, int, int] | None:
        if consumer.strategy is not self.strategy:
            return None
        key = _key(consumer.client_id, consumer.mq_all, consumer.cid_all)
        if key not in calls:
            calls[key] = Call(consumer_group, consumer.client_id, consumer.mq_all, consumer.cid_all)
        return key

    def _noted(self, call: Call, outcome: Outcome) -> Outcome:
        self.calls += 1
        if outcome.printed and not self.printed:
            self.printed = Printed(call, outcome.printed)
        if outcome.changed and not self.changed:
            self.changed = Changed(call, outcome.changed)
        if isinstance(outcome, Gave) and outcome.null and not self.null:
            self.null = call
        if isinstance(outcome, Refused):
            self.ended += outcome.kind in ENDING
        elif None in outcome.queues:
            return Refused(NULL_QUEUE, "returns a list that contains null", changed=outcome.changed)
        return outcome

    def _allocate(self, current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
        outcome = self._known[_key(current_cid, mq_all, cid_all)]
        if isinstance(outcome, Gave):
            return [
                queue for queue in outcome.queues if queue is not None
            ]  # lists with a null became ``Refused`` before
        raise Refusal(outcome)


def _key(client_id: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> tuple[str, int, int]:
    """Return a dictionary key for a call; lists are compared by identity, because that is fast.

    The lists exist as long as their groups.
    """
    return client_id, id(mq_all), id(cid_all)


def members(group: Group) -> Iterator[Consumer]:
    """Yield the consumers of the group, of its reference, of that group's reference, and so on."""
    stage: Group | None = group
    while stage:
        yield from stage.consumers
        stage = stage.reference
