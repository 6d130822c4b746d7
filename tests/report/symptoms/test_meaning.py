"""Symptoms in operators' words, and how they are interpreted."""

from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.facts import After, Reach
from rebalance_proofs.report.symptoms.meaning import Meant, meant
from tests.each import each

SAID = {
    "the offset went back on one queue": Meant(Symptom.BACK, reach=Reach.ONE),
    "progress rolled back after a broker restart": Meant(Symptom.BACK, After.BROKER),
    "messages are consumed twice after a deploy": Meant(Symptom.TWICE, After.DEPLOY),
    "duplicates since we restarted": Meant(Symptom.TWICE, After.DEPLOY),
    "out of order": Meant(Symptom.TWICE),
    "messages lost in a new topic": Meant(Symptom.LOST, After.NEW),
    "some queues are skipped": Meant(Symptom.LOST, reach=Reach.ONE),
    "one queue stands still after a crash": Meant(Symptom.STUCK, After.CRASH, Reach.ONE),
    "backlog on all queues": Meant(Symptom.STUCK, reach=Reach.ALL),
    "no progress after scaling": Meant(Symptom.STUCK, After.SCALING),
    "stuck for a while": Meant(Symptom.STUCK, over=True),
    "it was stuck and recovered": Meant(Symptom.STUCK, over=True),
    "it hangs temporarily": Meant(Symptom.STUCK, over=True),
    "it is still blocked": Meant(Symptom.STUCK, over=False),
    "stuck for ever": Meant(Symptom.STUCK, over=False),
    "one consumer has more queues than others": Meant(Symptom.TILTED, reach=Reach.ONE),
    "uneven, everything on a single consumer": Meant(Symptom.TILTED, reach=Reach.ONE),
    "idle consumers after we subscribed": Meant(Symptom.TILTED, After.SUBSCRIPTION),
    "after a reset of offsets nothing is consumed": Meant(None, After.RESET, Reach.ALL),
    "after a failover to the slave": Meant(None, After.BROKER),
    "somebody killed it": Meant(None, After.CRASH),
    "a consumer joined": Meant(None, After.SCALING, Reach.ONE),
    "fifo listener": Meant(mode="push orderly"),
    "ordered broadcasting": Meant(mode="push orderly broadcasting"),
    "broadcast": Meant(mode="push broadcasting"),
    "litepull": Meant(mode="lite pull"),
    "concurrently": Meant(mode="push"),
    "golang": Meant(client="go"),
    "nodejs": Meant(client="node"),
    "c++": Meant(client="cpp"),
    "rust": Meant(client="rust"),
    "AllocateMessageQueueConsistentHash": Meant(strategy="hash"),
    "org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragelyByCircle": Meant(strategy="circle"),
    "same client id": Meant(cause="same-client-id"),
    "more consumers than queues": Meant(cause="more-consumers-than-queues"),
    "different tags": Meant(cause="tags-differ"),
    "rebalance storm": Meant(cause="storm"),
    "paused": Meant(cause="suspended"),
    "static topics": Meant(cause="static-topic"),
    "something else": Meant(),
}
"""Words -> what they mean."""


@each("words", SAID)
def test_symptom_in_operators_words_is_recognised(words):
    assert meant(words) == SAID[words]
    assert meant(words.upper()) == SAID[words]
    assert meant(words).something is (SAID[words] != Meant())


@each(("words", "whole"), [("the queue is stuck again", True), ("my queue is stuck with cheese", False)])
def test_unrecognised_words_are_reported(words, whole):
    assert meant(words).whole is whole


def test_remark_for_spring_users_names_the_client():
    assert "DefaultMQPushConsumer" in meant("spring boot consumer stuck").remark
    assert not meant("consumer stuck").remark
