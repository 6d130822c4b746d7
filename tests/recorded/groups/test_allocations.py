"""Every recorded allocation equals that of the model's strategy on the same lists."""

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.groups.member import Allocate
from tests.each import each
from tests.recorded.groups.seen import SCENARIOS, recorded_run

OF_NAME = {strategy.rocketmq_name: strategy for strategy in STRATEGIES}


def queue(q: str) -> MessageQueue:
    topic, broker, number = q.rsplit(":", 2)
    return MessageQueue(topic, broker, int(number))


@each("scenario", SCENARIOS)
def test_recorded_share_equals_the_strategys_result(scenario):
    found = recorded_run(scenario).of(Allocate)
    assert found
    for event in found:
        mq_all = [queue(q) for q in event.mq_all or ()]
        computed = OF_NAME[event.strategy].allocate(event.cid, mq_all, list(event.cid_all or ()))
        assert computed == [queue(q) for q in event.result or ()], event
