"""Queues in requests get the name of the broker that received the request."""

from rebalance_proofs.recorded.cluster.names import whole_names
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarting, Heard
from rebalance_proofs.recorded.groups.event import Request, Response
from rebalance_proofs.recorded.groups.member import Ask

PULL = Request(q="T1:0", consumer_group="G")
LOCK = Request(client_id="i@c0", consumer_group="G")


def ask(at: int, to: str, opaque: int, said: Request, code: str = "PULL_MESSAGE") -> Ask:
    return Ask(at=at, who="c0", code=code, opaque=opaque, oneway=False, said=said, to=to, thread="x")


def heard(who: str, opaque: int) -> list[BrokerStarting | Heard]:
    lock = Heard(at=2, who=who, code="LOCK_BATCH_MQ", from_="i:1", opaque=opaque, said=LOCK)
    return [BrokerStarting(at=0, who=who), lock]


def test_broker_name_of_a_request_is_found_by_its_receiver():
    answer = Answered(at=9, who="b1", code="PULL_MESSAGE", from_="i:1", opaque=7, asked=PULL, said=Response(code=25))
    asks = [ask(1, "x:1", 1, LOCK, "LOCK_BATCH_MQ"), ask(1, "x:2", 2, LOCK, "LOCK_BATCH_MQ")]
    asks += [ask(3, "x:1", 3, PULL), ask(3, "x:2", 4, PULL)]
    found = whole_names({"c0": asks, "b0": heard("b0", 1), "b1": [*heard("b1", 2), answer]})
    assert [event.said.q for event in found["c0"][2:]] == ["T1:b0:0", "T1:b1:0"]
    assert found["b1"][-1].asked.q == "T1:b1:0"


def test_request_for_a_topic_has_its_brokers_name_when_heard_and_answered():
    asked = Request(q="T1:-1", group="G")
    came = Heard(at=8, who="b1", code="INVOKE_BROKER_TO_RESET_OFFSET", from_="i:1", opaque=7, said=asked)
    answer = Answered(at=9, who="b1", code=came.code, from_="i:1", opaque=7, asked=asked, said=Response(code=0))
    found = whole_names({"b0": heard("b0", 1), "b1": [*heard("b1", 2), came, answer]})
    assert found["b1"][-2].said == found["b1"][-1].asked


def test_single_broker_name_is_used_without_an_answer():
    found = whole_names({"c0": [ask(3, "x:1", 3, PULL)], "b0": [BrokerStarting(at=0, who="b0")]})
    assert found["c0"][0].said.q == "T1:b0:0"


def test_unknown_broker_name_is_left_out():
    found = whole_names({"c0": [ask(3, "x:9", 3, PULL)], "b0": heard("b0", 1), "b1": heard("b1", 2)})
    assert found["c0"][0].said.q == "T1:0"
