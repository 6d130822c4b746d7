"""Log lines about a group that are parsed, but indicate no cause of a symptom.

They have the form of ``recorded.logs.lines``.
"""

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
    "commit. Every 5 s, for each queue in the table whose offset is known: the client has the queue, and sent that "
    "offset",
    (
        Wording("[persistAll] Group: {} ClientId: {} updateConsumeOffsetToBroker {} {}", "RemoteBrokerOffsetStore"),
        # alibaba 3.x
        Wording(" Group: {} ClientId: {} updateConsumeOffsetToBroker {} {}", "RemoteBrokerOffsetStore", ()),
    ),
)
PERSISTS = client_line(
    "RemoteBrokerOffsetStore",
    "commit on removal. The same for a queue that the client is giving up",
    "[persist] Group: {} ClientId: {} updateConsumeOffsetToBroker {} {}",
)
BROKER_RESULT = client_line(
    "RebalanceImpl",
    "share assigned by a broker. A broker's assignment changed the client's table",
    "broker rebalanced result changed. allocateMessageQueueStrategyName={}, group={}, topic={}, clientId={}, "
    "assignmentSet={}",
    releases=(V5_1, V5_3),
)
BROKE_OFF = client_line(
    "RebalanceImpl, MQClientInstance",
    "rebalance failed. An exception ended a rebalance, perhaps after it had changed the table. For a retry topic, no "
    "line reports it",
    "rebalanceByTopic Exception",
    "rebalance Exception",
    "doRebalance exception",
    "doRebalance for consumer group [{}] exception",
)
PULL_FROM = client_line(
    "RebalancePushImpl",
    "start offset. The offset at which a new ProcessQueue starts",
    "doRebalance, {}, add a new pull request PullRequest [consumerGroup={}, messageQueue={}, nextOffset={}]",
    releases=(V4,),
)
OFFSET_ILLEGAL = client_line(
    "DefaultMQPushConsumerImpl",
    "illegal offset. The broker does not have the requested offset, and proposes another one",
    "the pull request offset illegal, PullRequest [consumerGroup={}, messageQueue={}",
)
CREATED = client_line(
    "MQClientInstance",
    "client instance created. The line has its id, settings and version",
    "Created a new client Instance, InstanceIndex:{}, ClientID:{}, ClientConfig:{}, ClientVersion:{}, "
    "SerializerType:{}",
)
BEGINS = client_line(
    "DefaultMQPushConsumerImpl",
    "consumer starting. start() of a consumer begins",
    "the consumer [{}] start beginning. messageModel={}, isUnitMode={}",
)
SHUT_DOWN = client_line(
    "DefaultMQPushConsumerImpl",
    "consumer shut down. The client drops its ProcessQueues right after this line",
    "the consumer [{}] shutdown OK",
)
RESETS = client_line(
    "ClientRemotingProcessor",
    "offset reset requested. A broker asked this client to reset the offsets of a topic. Its ProcessQueues leave the "
    "table, and no line reports it",
    "invoke reset offset operation from broker. brokerAddr={}, topic={}, group={}, timestamp={}",
)
ROUTE = client_line(
    "MQClientInstance",
    "route. The line has a topic's route, broker by broker",
    "topicRouteTable.put. Topic = {}, TopicRouteData[{}]",
)
LOCK_ANSWERED = Line(
    Logs.CLIENT,
    "lock requested. The client asked for a lock; the answer follows the word lock",
    (
        Wording("the message queue lock {}, {} {}", "RebalanceImpl", (V4,)),
        Wording("message queue lock {}, {} {}", "RebalanceImpl", (V5_1, V5_3)),
    ),
)
UNREGISTERED = Line(
    Logs.BROKER,
    "consumer unregistered. A consumer unregistered itself",
    (Wording("unregister a consumer[{}] from consumerGroupInfo {}", "ConsumerGroupInfo"),),
    BROKER_LOG,
)
CIDS_DIFFER = Line(
    Logs.BROKER,
    "client id changed. One connection has used two client ids",
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
    "lock granted. A client got a lock that no client held",
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
