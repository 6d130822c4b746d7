"""Self-tests of comparing several queues in one rebalance with each queue alone.

The tested client code is wrong for two queues.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

from rebalance_proofs.evidence.self_tests.compared import said_of
from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.model.client.environment import Answers
from rebalance_proofs.model.client.node import Node
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.client import PUSH, Client
from rebalance_proofs.model.transition.clients import NODE
from rebalance_proofs.model.transition.drivers import Done, Driver, NodeDriver
from rebalance_proofs.spark_enum.transition.calls import Calls
from rebalance_proofs.spark_enum.transition.columns import alphabet
from rebalance_proofs.spark_enum.transition.laboratory import COMES, GOES

LETTERS = 6
"""The number of equivalence classes of a queue's states and answers that are compared."""

Changed = Callable[[Driver, Done], Done]


def _fewer_effects(driver: Driver, done: Done) -> Done:
    return done._replace(effects=done.effects[:-1])


def _other_result(driver: Driver, done: Done) -> Done:
    return done._replace(changed=not done.changed)


def _exception(driver: Driver, done: Done) -> Done:
    return done._replace(thrown="persist")


def _marked(driver: Driver, done: Done) -> Done:
    for entry in driver.table.values():
        entry.dropped = not entry.dropped
    return done


WRONG: dict[str, Changed] = {
    "an effect is wrong": _fewer_effects,
    "the return value is wrong": _other_result,
    "an exception is wrong": _exception,
    "the process queue is wrong": _marked,
}
"""Name of a fault -> the wrong outcome of a call with at least two queues."""


class _Wrong(NodeDriver):
    """A driver of Node's code that is wrong in calls with two queues that are not adjacent.

    The queues are ``GOES`` and ``COMES``.
    """

    def __init__(self, change: Changed, settings: Settings, order: bool, own_store: bool) -> None:
        super().__init__(Node, settings, order, own_store)
        self._change = change

    def update(self, answers: Mapping[MessageQueue, Answers], topic: str, mq_set: Sequence[MessageQueue]) -> Done:
        done = super().update(answers, topic, mq_set)
        known = {queue.queue_id for queue in (*mq_set, *self.table)}
        return self._change(self, done) if len(known) > 1 and not known & {GOES, COMES} else done


def _with_driver(change: Changed) -> Client:
    return replace(NODE, driver=partial(_Wrong, change))


@cache
def _letters() -> tuple[int, ...]:
    return alphabet(NODE, PUSH).at_most(LETTERS)


def trials() -> list[Trial]:
    """Return a self-test for each compared part of a rebalance's outcome."""

    def said(client: Client) -> tuple[str, ...]:
        return said_of(Calls(client, PUSH, _letters(), 2, ways=2).check())

    right = partial(said, NODE)
    return [Trial(f"calls: {name}", right, partial(said, _with_driver(change))) for name, change in WRONG.items()]
