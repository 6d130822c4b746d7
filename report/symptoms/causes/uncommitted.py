"""Messages that were consumed long ago and are still not committed."""

from rebalance_proofs.report.symptoms.cause import Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]

CAUSES = (
    Cause(
        "first-message-slow",
        "A concurrent listener that does not return from one message holds the committed offset there, while the "
        "messages behind it are consumed: whoever takes the queue over reads all of them again.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.TWICE,
                Lasts("once, when the queue changes hands, or the process ends", event=True),
            ),
            Effect(
                Symptom.STUCK,
                Lasts(
                    "until the listener returns, or the message is given back: consumeTimeout, 15 min as shipped, and "
                    "up to as long again until that is looked at",
                    1_800_000,
                ),
            ),
        ),
        looks=(
            "mqadmin consumerStatus -i ID -s: a thread of the listener stands in the same call each time.",
            "The consumer's table has few messages of the queue, and its committed offset does not move. "
            "consumeConcurrentlyMaxSpan does not help: it is held against the messages that are still to be consumed, "
            "and one alone spans nothing.",
        ),
        signs=(Sign.BEHIND,),
        helps=(Help("Timeouts of the listener's own that are far below 15 min. An idempotent listener."),),
        read=("4.9.8", "5.3.3"),
        modes=("push",),
        source="ProcessQueue.getMaxSpan, .removeMessage, .cleanExpiredMsg; DefaultMQPushConsumerImpl.pullMessage",
    ),
    Cause(
        "broker-unreachable",
        "The host of one broker does not answer: the thread that sends all commits of the process, queue by queue, "
        "waits for a connection up to 3 s for each queue of that broker, and the others' commits wait with it.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.TWICE,
                Lasts(
                    "until the broker answers, or has left the client's route: until then the timer commits a queue "
                    "once in so many times 3 s, besides each pull of the queue"
                ),
            ),
        ),
        looks=(
            "The client's log: createChannel: connect remote host ... timeout 3000ms, again and again, of one broker.",
            "Heartbeats and route polls of the process are late, too: they are the same thread's.",
        ),
        helps=(
            Help("One client instance (instanceName) for each cluster, and fewer queues of one broker in a process."),
        ),
        issues=("rocketmq#3143",),
        read=("4.9.8", "5.3.3"),
        modes=("push", "push orderly"),
        source="MQClientInstance.startScheduledTask, NettyRemotingClient.invokeOneway, .createChannel",
    ),
)
