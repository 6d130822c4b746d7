"""Log lines that tell what a group did and point to no cause of a symptom, in the form of ``recorded.logs.lines``."""

from rebalance_proofs.recorded.logs.lines import BROKER_LOG, LOCK_LOG, V4, V5_1, V5_3, Line, Logs, Wording, client_line

__all__ = [
    "BEGINS",
    "BROKER_RESULT",
    "BROKE_OFF",
    "CIDS_DIFFER",
    "COMMITS",
    "CREATED",
    "GOT_LOCK",
    "LOCK_ANSWERED",
    "OFFSET_ILLEGAL",
    "PERSISTS",
    "PULL_FROM",
    "RESETS",
    "ROUTE",
    "SHUT_DOWN",
    "UNREGISTERED",
]


COMMITS = Line(
    Logs.CLIENT,
    "every 5 s, of each queue in the table whose offset is known: this client has it, and sent that offset",
    (
        Wording("[persistAll] Group: {} ClientId: {} updateConsumeOffsetToBroker {} {}", "RemoteBrokerOffsetStore"),
        # alibaba 3.x
        Wording(" Group: {} ClientId: {} updateConsumeOffsetToBroker {} {}", "RemoteBrokerOffsetStore", ()),
    ),
)
PERSISTS = client_line(
    "RemoteBrokerOffsetStore",
    "the same, of a queue that is being given up",
    "[persist] Group: {} ClientId: {} updateConsumeOffsetToBroker {} {}",
)
BROKER_RESULT = client_line(
    "RebalanceImpl",
    "a broker's assignment changed this client's table",
    "broker rebalanced result changed. allocateMessageQueueStrategyName={}, group={}, topic={}, clientId={}, "
    "assignmentSet={}",
    releases=(V5_1, V5_3),
)
BROKE_OFF = client_line(
    "RebalanceImpl, MQClientInstance",
    "an exception ended a rebalance, perhaps after it had changed the table; of a retry topic no line says so",
    "rebalanceByTopic Exception",
    "rebalance Exception",
    "doRebalance exception",
    "doRebalance for consumer group [{}] exception",
)
PULL_FROM = client_line(
    "RebalancePushImpl",
    "the offset at which a new entry begins",
    "doRebalance, {}, add a new pull request PullRequest [consumerGroup={}, messageQueue={}, nextOffset={}]",
    releases=(V4,),
)
OFFSET_ILLEGAL = client_line(
    "DefaultMQPushConsumerImpl",
    "the broker does not have the offset that was asked for, and proposes another one",
    "the pull request offset illegal, PullRequest [consumerGroup={}, messageQueue={}",
)
CREATED = client_line(
    "MQClientInstance",
    "a client instance was made: its id, settings and version",
    "Created a new client Instance, InstanceIndex:{}, ClientID:{}, ClientConfig:{}, ClientVersion:{}, "
    "SerializerType:{}",
)
BEGINS = client_line(
    "DefaultMQPushConsumerImpl",
    "start() of a consumer begins",
    "the consumer [{}] start beginning. messageModel={}, isUnitMode={}",
)
SHUT_DOWN = client_line(
    "DefaultMQPushConsumerImpl",
    "a consumer was shut down: its entries are dropped right after this line",
    "the consumer [{}] shutdown OK",
)
RESETS = client_line(
    "ClientRemotingProcessor",
    "a broker told this client to set offsets of a topic anew: its entries leave the table, and no line says so",
    "invoke reset offset operation from broker. brokerAddr={}, topic={}, group={}, timestamp={}",
)
ROUTE = client_line(
    "MQClientInstance", "a topic's route, broker by broker", "topicRouteTable.put. Topic = {}, TopicRouteData[{}]"
)
LOCK_ANSWERED = Line(
    Logs.CLIENT,
    "this client asked for a lock; the answer follows the word lock",
    (
        Wording("the message queue lock {}, {} {}", "RebalanceImpl", (V4,)),
        Wording("message queue lock {}, {} {}", "RebalanceImpl", (V5_1, V5_3)),
    ),
)
UNREGISTERED = Line(
    Logs.BROKER,
    "a consumer said good-bye",
    (Wording("unregister a consumer[{}] from consumerGroupInfo {}", "ConsumerGroupInfo"),),
    BROKER_LOG,
)
CIDS_DIFFER = Line(
    Logs.BROKER,
    "one connection has had two client ids",
    (
        Wording("[BUG] consumer channel exist in broker, but clientId not equal", "ConsumerGroupInfo", (V4,)),
        Wording(
            "ConsumerGroupInfo: consumer channel exists in broker, but clientId is not the same one",
            "ConsumerGroupInfo",
            (V5_1, V5_3),
        ),
    ),
    BROKER_LOG,
)
GOT_LOCK = Line(
    Logs.BROKER,
    "a client got a lock that nobody had",
    (
        Wording(
            "tryLockBatch, message queue not locked, I got it. Group: {} NewClientId: {} {}",
            "RebalanceLockManager",
            (V4,),
        ),
        Wording(
            "RebalanceLockManager#tryLockBatch: lock a message which has not been locked yet, group={}, "
            "clientId={}, mq={}",
            "RebalanceLockManager",
            (V5_1, V5_3),
        ),
    ),
    LOCK_LOG,
)
