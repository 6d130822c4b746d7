"""Causes of messages that were consumed long ago and are still not committed."""

from rebalance_proofs.report.symptoms.cause import Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]

CAUSES = (
    Cause(
        "first-message-slow",
        "A concurrent listener is stuck on one message, which holds the committed offset there while later messages "
        "are consumed. The queue's next owner reads all of them again.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.TWICE,
                Lasts("once, when the queue changes owner or the process ends", event=True),
            ),
            Effect(
                Symptom.STUCK,
                Lasts(
                    "until the listener returns, or the client gives the message back to the broker. That comes after "
                    "consumeTimeout (15 min by default), and up to the same time again until the client checks",
                    1_800_000,
                ),
            ),
        ),
        looks=(
            "mqadmin consumerStatus -i ID -s shows a listener thread in the same call each time.",
            "The consumer caches few messages of the queue, and its committed offset does not move. "
            "consumeConcurrentlyMaxSpan does not help: it limits the span of the unconsumed messages, and one message "
            "has no span.",
        ),
        signs=(Sign.BEHIND,),
        helps=(
            Help(
                "Give the listener its own timeouts far below 15 min. Make the listener idempotent.",
                short="Give the listener its own timeouts far below 15 min, and make it idempotent.",
            ),
        ),
        read=("4.9.8", "5.3.3", "5.5.0"),
        modes=("push",),
        source="ProcessQueue.getMaxSpan, .removeMessage, .cleanExpiredMsg; DefaultMQPushConsumerImpl.pullMessage",
    ),
    Cause(
        "broker-unreachable",
        "One broker's host does not answer, which delays all commits of the process. One thread sends them queue by "
        "queue, and waits up to 3 s for a connection for each queue of that broker.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.TWICE,
                Lasts(
                    "until the broker answers or leaves the client's route. Until then, the timer commits a queue only "
                    "once in 3 s times the number of that broker's queues. Each pull of a queue commits it as well"
                ),
            ),
        ),
        looks=(
            'The client repeatedly logs "createChannel: connect remote host ... timeout 3000ms" for one broker.',
            "Heartbeats and route polls of the process are late too, because the same thread sends them.",
        ),
        helps=(
            Help(
                "Use one client instance (instanceName) for each cluster, and fewer queues of one broker in a process."
            ),
        ),
        issues=("rocketmq#3143",),
        read=("4.9.8", "5.3.3", "5.5.0"),
        modes=("push", "push orderly"),
        source="MQClientInstance.startScheduledTask, NettyRemotingClient.invokeOneway, .createChannel",
    ),
)
