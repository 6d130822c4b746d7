"""Shapes in which strangers paste logs and tables into threads, with what an audit of each has to say.

The shapes are real, of threads about every client and mqadmin of 3.2 to 5.x; names, offsets and times are ours.
"""

import json
from dataclasses import dataclass

Q0, Q1 = (f"MessageQueue [topic=pay, brokerName=broker-a, queueId={number}]" for number in (0, 1))
ADD, REMOVE = f"doRebalance, G, add a new mq, {Q0}", f"doRebalance, G, remove unnecessary mq, {Q0}"
PULL = f"doRebalance, G, add a new pull request PullRequest [consumerGroup=G, messageQueue={Q0}, nextOffset=17]"
COMMIT = f"[persistAll] Group: G ClientId: c@1 updateConsumeOffsetToBroker {Q0} "
JAVA = "2024-05-21 10:00:0{},123 INFO RocketmqClient - {}\n"
BOTH = JAVA.format(0, ADD) + JAVA.format(5, REMOVE)
LOGGED = (0, "2024-05-21 10:00:00", "2024-05-21 10:00:05")
"""The entry of ``BOTH``."""
NODE_QUEUE = json.dumps(
    {"topic": "pay", "brokerName": "broker-a", "queueId": 0}
    | {"key": '[topic="pay", brokerName="broker-a", queueId="0"]'}
)
FASTJSON = (
    '{"jstack":null,"mqTable":{{"brokerName":"broker-a","queueId":0,"topic":"pay"}:{"cachedMsgCount":0,"droped":false,'
    '"lastPullTimestamp":1745305620620,"locked":true,"lastConsumeTimestamp":1745303082331,"tryUnlockTimes":0}},'
    '"properties":{"consumerGroup":"G","PROP_CLIENT_VERSION":"V4_9_4"},"subscriptionSet":[]}\n'
)


@dataclass(frozen=True)
class Shape:
    """A paste, and what is to be read of it."""

    text: str
    entries: tuple[tuple[int, str, str], ...] = ()
    """(queue, from, to): times to the second as the lines have them; "" where no line says it."""
    found: tuple[str, ...] = ()
    """Kinds of findings."""
    group: str = "G"
    status: int = 0
    cut: int = 0
    nameless: int = 0
    said: str = ""
    """In the answer."""


def _nothing(text: str, said: str = "No evidence: nothing in these files is about a consumer group.") -> Shape:
    return Shape(text, group="", status=3, said=said)


def _printed(text: str, said: str = "output of mqadmin", group: str = "") -> Shape:
    return Shape(text, group=group, said=said)


SHAPES = {
    "first pull alone": Shape(JAVA.format(0, PULL), ((0, LOGGED[1], ""),)),
    "entry and first pull": Shape(JAVA.format(0, ADD) + JAVA.format(1, PULL), ((0, LOGGED[1], ""),)),
    "br": Shape(BOTH.replace("\n", "<br>"), (LOGGED,)),
    "br, escaped": Shape(BOTH.replace("\n", "&lt;br /&gt;"), (LOGGED,)),
    "br between commits": Shape("<br/>".join(JAVA.format(i, f"{COMMIT}{i}")[:-1] for i in range(4)), ((0, "", ""),)),
    "zeros before": Shape("\0" * 70_000 + BOTH, (LOGGED,)),
    "many zeros before": Shape("\0" * 3_000_000 + BOTH, (LOGGED,)),
    "AM and PM, date of the United States": Shape(
        f"5/21/2024 9:00:00 PM INFO {ADD}\n5/21/24, 9:00:05.123 PM INFO {REMOVE}\n",
        ((0, "2024-05-21 21:00:00", "2024-05-21 21:00:05"),),
    ),
    "java.util.logging": Shape(
        f"May 21, 2024 12:00:00 AM o.a.r.c.i.c.RebalanceImpl updateProcessQueueTableInRebalance\nINFO: {ADD}\n"
        f"May 21, 2024 12:00:05 PM o.a.r.c.i.c.RebalanceImpl updateProcessQueueTableInRebalance\nINFO: {REMOVE}\n",
        ((0, "2024-05-21 00:00:00", "2024-05-21 12:00:05"),),
    ),
    "java.util.logging in Chinese": Shape(
        f"十一月 21, 2024 9:00:00 下午 o.a.r.c.i.c.RebalanceImpl x\n信息: {ADD}\n"
        f"十一月 21, 2024 9:00:05 下午 o.a.r.c.i.c.RebalanceImpl x\n信息: {REMOVE}\n",
        ((0, "2024-11-21 21:00:00", "2024-11-21 21:00:05"),),
    ),
    "AM and PM behind an ISO date": Shape(
        f"2024-05-21 09:00:00 PM INFO {ADD}\n2024-05-21 09:00:05 p.m. INFO {REMOVE}\n",
        ((0, "2024-05-21 21:00:00", "2024-05-21 21:00:05"),),
    ),
    "JSON whose text has zone and text both": Shape(
        json.dumps({"log": JAVA.format(0, ADD), "stream": "stdout", "time": "2024-05-21T10:00:00.1Z"}) + "\n",
        ((0, LOGGED[1], ""),),
    ),
    "one digit of an hour": Shape(
        f"2024/5/21 9:00:00 INFO {ADD}\n2024-5-21 10:00:05 INFO {REMOVE}\n",
        ((0, "2024-05-21 09:00:00", "2024-05-21 10:00:05"),),
    ),
    "Kibana": Shape(
        f'"May 21, 2024 @ 10:00:00.123","{ADD}",host-1\n"May 21, 2024 @ 10:00:05.123","{REMOVE}",host-1\n', (LOGGED,)
    ),
    "log4j2's JSON": Shape(
        "".join(
            json.dumps(
                {"instant": {"epochSecond": second, "nanoOfSecond": 5_000_000}, "level": "INFO", "message": message}
            )
            + "\n"
            for second, message in ((1_716_285_600, ADD), (1_716_285_605, REMOVE))
        ),
        (LOGGED,),
    ),
    "C++ 2": Shape(
        f"[2024-May-21 10:00:00.401570](info):Add mq:{Q1}, request initial offset:71[update:528]\n"
        f"[2024-May-21 10:00:00.422711](info):Start to pull {Q1}, offset:71, GroupName G[updateRequestTable:539]\n"
        "[2024-May-21 10:00:01.561140](info):Allocation result for [Consumer Group: G, Topic: pay, Current Consumer "
        "ID: 10.0.0.1@77] is changed.\nTotal Queue :#2, Total Consumer :#2, Allocated Queues are: \n"
        f"{Q1}\n[doRebalance:138]\n"
        f"[2024-May-21 10:00:05.192164](info):oneway updateConsumeOffsetToBroker of mq:{Q1}, its offset is:79[x:310]\n"
        f"[2024-May-21 10:00:07.401570](info):Drop mq:{Q1},because not responsive[update:493]\n",
        ((1, "2024-05-21 10:00:00", "2024-05-21 10:00:07"),),
    ),
    "C++ 2, commits alone": Shape(
        f"[2024-May-21 10:00:05.1](info):oneway updateConsumeOffsetToBroker of mq:{Q1}, its offset is:79[x:310]\n" * 2,
        group="",
        status=3,
        nameless=2,
        said="No evidence: no line names its consumer group.",
    ),
    "C++, of two groups with one topic": Shape(
        "".join(
            f"[2024-05-21 10:00:0{second}.1] [info] [t@3] - doRebalance, {group} pay, get consumer id list failed\n"
            for second, group in enumerate("GH")
        )
        + f"[2024-May-21 10:00:05.1](info):oneway updateConsumeOffsetToBroker of mq:{Q1}, its offset is:79[x:310]\n",
        found=("unlisted",),
        nameless=1,
    ),
    "C++ re_dev": Shape(
        f"[2024-05-21 10:00:00.545] [warning] [t@3] - doRebalance, G, add a new mq failed, {Q0}, because lock failed\n"
        f"[2024-05-21 10:00:00.546] [error] [thread@3] - the message queue locked Failed, mq:{Q1}\n"
        f"[2024-05-21 10:00:00.593] [warning] [thread@3] - the message queue locked OK, but it is released, mq:{Q1}\n"
        "[2024-05-21 10:00:00.600] [info] [thread@3] - notifyConsumerIdsChanged, group:G\n",
        found=("locks",),
    ),
    "Go at a terminal": Shape(
        f'INFO[0000] lock MessageQueue                             MessageQueue="{Q1}" consumerGroup=G lockOK=false\n'
        f'WARN[0000] do defaultConsumer, add a new mq failed, because lock failed MessageQueue="{Q1}" '
        "consumerGroup=G\n",
        found=("locks",),
    ),
    "Go, a map": Shape(
        f"2024/05/21 10:00:00 consumer.go:533: [info] lock MessageQueue map[MessageQueue:{Q1} consumerGroup:G "
        "lockOK:false]\n",
        found=("locks",),
    ),
    "Go, unlocked": Shape(
        f'time="2024-05-21T10:00:00Z" level=info msg="unlock MessageQueue" MessageQueue="{Q1}" consumerGroup=G '
        'clientID="c@1"\n',
    ),
    "Go, as logrus writes": Shape(
        'time="2024-05-21T10:00:00Z" level=info msg="the consumer start beginning" consumerGroup=G unitMode=false\n'
        'time="2024-05-21T10:00:01Z" level=info msg="receive broker\'s notification to consumer group" '
        "consumerGroup=G\n"
        'time="2024-05-21T10:00:02Z" level=warning msg="do balance in group failed, get consumer id list failed" '
        "consumerGroup=G topic=pay\n"
        'time="2024-05-21T10:00:03Z" level=error msg="get consumer list of group from broker error" broker="b:10911" '
        'consumerGroup=G underlayError="request timeout"\n'
        f'time="2024-05-21T10:00:06Z" level=info msg="update offset to broker success" MessageQueue="{Q1}" '
        "consumerGroup=G offset=17\n"
        f'time="2024-05-21T10:00:09Z" level=info msg="remove unnecessary mq because unsubscribed" MessageQueue="{Q1}" '
        "consumerGroup=G\n",
        ((1, "", "2024-05-21 10:00:09"),),
        found=("unlisted",),
    ),
    "Go, as zap writes": Shape(
        json.dumps({"level": "info", "ts": "2024-05-21T10:00:06.000+0800", "msg": "update offset to broker success"})[
            :-1
        ]
        + f', "consumerGroup":"G","MessageQueue":"{Q1}","offset":17}}\n',
        ((1, "", ""),),
    ),
    "Node": Shape(
        '2024-05-21 10:00:00,123 INFO 77 [mq:consumer] rebalance topic: pay, with consumer ids: ["c@1","c@2"]\n'
        "2024-05-21 10:00:00,124 INFO 77 [mq:consumer] allocate queue for group: G, clientId: c@1, result: "
        f"[{NODE_QUEUE}]\n2024-05-21 10:00:01,130 INFO 77 [mq:consumer] doRebalance, G, add a new messageQueue, "
        f"{NODE_QUEUE}, its nextOffset: 17\n"
        "2024-05-21 10:00:20,124 INFO 77 [mq:consumer] allocate queue for group: G, clientId: c@1, result: "
        f"[{NODE_QUEUE.replace('0', '1')}]\n",
        ((0, "2024-05-21 10:00:01", "2024-05-21 10:00:20"), (1, "", "")),
    ),
    "a logger with file and line": Shape(
        "2024-05-21 20:59:59,854 INFO  [clientmanage-2] RocketmqClient(Slf4jLoggerFactory.java:100) - [persistAll] "
        f"Group: G-0c44 ClientId: 172.17.0.1@G-0c44-r1(COMMON)-3.0.0-0 updateConsumeOffsetToBroker {Q0} 0\n",
        ((0, "", ""),),
        group="G-0c44",
    ),
    "illegal offset": Shape(
        JAVA.format(
            0,
            f"the pull request offset illegal, PullRequest [consumerGroup=G, messageQueue={Q0}, nextOffset=17] "
            "PullResult [pullStatus=OFFSET_ILLEGAL, nextBeginOffset=5, minOffset=5, maxOffset=9, msgFoundList=0]",
        ),
        found=("corrected",),
        said="the requested offset 17 is above the broker's last one, 9; it was corrected to 5",
    ),
    "a stack that says why, and not of whom": Shape(
        "2024-05-21 10:00:02 WARN NettyClientPublicExecutor_1 - execute the pull request exception\n"
        "org.apache.rocketmq.client.exception.MQBrokerException: CODE: 24  DESC: the consumer's group info not exist\n"
        "See http://rocketmq.apache.org/docs/faq/ for further details.\n"
        " at org.apache.rocketmq.client.impl.MQClientAPIImpl.processPullResponse(MQClientAPIImpl.java:640)\n",
        found=("refused",),
        group="",
        status=3,
        said="Lines that name no group",
    ),
    "broker of 3.x, wrapped": Shape(
        "2015-04-08 10:13:38 WARN PullMessageThread_9 - the consumer's group info not exist, group: G\n"
        "2015-04-08 10:13:38 ERROR NettyServerSelector_3_3 - RemotingCommand [code=24, language=JAVA, flag(B)=1, r\n"
        "emark=the consumer's group info not exist\n",
        found=("refused",),
    ),
    "broker, quoted": Shape(
        "> 2026-01-08 10:09:25 INFO HeartbeatThread_6 - new consumer connected, group: G CONSUME_PASSIVELY CLUSTERING "
        "channel: ClientChannelInfo [channel=[id: 0x1a, L:/10.0.0.9:10911 - R:/10.0.0.1:50001], clientId=10.0.0.1@7, "
        "language=JAVA, version=401, lastUpdateTimestamp=1767838165123]\n",
        said="No finding and no consumer's log: G.",
    ),
    "subscriptions": Shape(
        "2022-11-08 13:54:00 INFO HeartbeatThread_6 - subscription changed, group: G OLD: SubscriptionData [topic=pay, "
        "subString=a] NEW: SubscriptionData [topic=pay, subString=b]\n"
        "2022-11-08 13:54:00 WARN PullMessageThread_29 - The broker's subscription is not latest, group: G b\n",
        found=("refused",),
    ),
    "a line that a page cut": Shape(JAVA.format(0, ADD[:-20]), group="", status=3, cut=1, said="incomplete"),
    "nothing: a producer": _nothing(
        "2024-05-21 10:00:00,123 WARN RocketmqClient - send to broker failed\norg.apache.rocketmq.client.exception."
        "MQClientException: Send [3] times, still failed, cost [3010]ms, Topic: pay, BrokersSent: [broker-a]\n"
        " at org.apache.rocketmq.client.impl.producer.DefaultMQProducerImpl.sendDefaultImpl(Impl.java:588)\n"
    ),
    "nothing: pulls that name nobody": _nothing(
        "16-11-02 19:15:58 ERROR PullMessageService - pullKernelImpl exception\n",
        said="No evidence: no line names its consumer group.",
    ),
    "nothing: a stack of mqadmin": _nothing(
        "at org.apache.rocketmq.tools.command.consumer.ConsumerProgressSubCommand.execute(Sub.java:240)\nCaused by: "
        "org.apache.rocketmq.client.exception.MQClientException: CODE: 17  DESC: No topic route info in name server "
        "for the topic: %RETRY%G\nSee http://rocketmq.apache.org/docs/faq/ for further details.\n"
    ),
    "nothing: C++ 5": _nothing("[2024-05-21 10:00:00.123456] [info] [Impl.cpp:92] ProcessQueue=pay-0 is expired.\n"),
    "nothing but a group: C#, in Chinese": _nothing(
        "10:37:59.286 04 Y T [G]准备从所有Broker服务器上获取消费者列表\n",
        "No evidence: the lines name G, but none shows which member has a queue.",
    ),
    "nothing but a group: a listener container of Spring": _nothing(
        "2025-07-20 02:41:33.304 [main] INFO o.a.r.c.s.DefaultListenerContainer - running container: "
        "DefaultListenerContainer{name='c', endpoints='192.168.7.177:8081', consumerGroup='G', topic='pay'}\n",
        "Not modelled: the gRPC SDKs",
    ),
    "nothing but groups: their settings": _nothing(
        "2026-01-08 10:09:25 INFO BrokerControllerScheduledThread1 - delete subscription group OK, subscription "
        "group:SubscriptionGroupConfig{groupName=G, consumeEnable=true, retryQueueNums=1}\n",
        "These are the settings of group G at a broker.",
    ),
    "a thread that names its group": Shape(
        "2019-04-25 10:38:54.339 [PullMsgThread-G] WARN RocketmqClient - fetchConsumeOffsetFromBroker exception, "
        "MessageQueue [topic=pay, brokerName=broker-a, queueId=1]\n",
        found=("unreached",),
        group="",
        status=3,
        said="Open: the lines name G, but the lines of the findings do not",
    ),
    "topicRoute": _nothing(
        json.dumps({"brokerDatas": [{"brokerName": "b"}], "queueDatas": [{"readQueueNums": 4}]}, indent=1),
        "it is the output of mqadmin topicRoute, which names no group",
    ),
    "topicRoute as a list": _nothing(
        "#ClusterName  #BrokerName  #BrokerAddrs  #ReadQueue  #WriteQueue #Perm\nC   broker-a  {0=b:10911}  4  4  6\n",
        "the output of mqadmin topicRoute",
    ),
    "brokerStatus": _nothing(
        "EndTransactionQueueSize    : 0\nbootTimestamp                   : 1577155584000\nbrokerVersion    : 335\n",
        "the output of mqadmin brokerStatus",
    ),
    "topicStatus": _nothing(
        "#Broker Name   #QID  #Min Offset   #Max Offset  #Last Updated\nb  0  0  5   2024-05-21 10:00:00,123\n",
        "the output of mqadmin topicStatus",
    ),
    "clusterList": _nothing(
        "#Cluster Name     #Broker Name            #BID  #Addr                  #Version\nC  b  0   b:10911  V4_9_4\n",
        "the output of mqadmin clusterList",
    ),
    "consumerProgress, a list of groups": _nothing(
        "#Group   #Count #Version #Type #Model #TPS #Diff Total\nG 2 V4_9_4 PUSH CLUSTERING 0 1\n",
        "a list of groups; print one group",
    ),
    "consumerProgress, wrapped": _printed(
        "#Topic  #Broker Name   #QID  #Broker Offset    \n   #Consumer Offset     #Diff\npay  b  0  7\n   5  2\n",
        "one queue of pay",
    ),
    "consumerProgress 3.2": _printed(
        "#Topic     #Broker Name      #QID  #Broker Offset        #Consumer Offset      #Diff\n"
        "pay        broker-a          0     7                     5                     2\n\n"
        "Consume TPS: 0.0\nDiff Total: 2\n"
    ),
    "consumerProgress 5": _printed(
        "#Topic #Broker Name #QID  #Broker Offset  #Consumer Offset  #Client IP  #Diff  #Inflight  #LastTime\n"
        "pay    broker-a     0     7               5                 10.0.0.1    2      0         2024-05-21 10:00:00\n"
        "pay    broker-a     1     7               5                 N/A         2      0          N/A\n\n"
        "Consume TPS: 0.00\nConsume Diff Total: 4\nConsume Inflight Total: 0\n",
        "gives this answer, too: Read: ",
    ),
    "consumerConnection 4.9": _printed(
        "#ClientId          #ClientAddr            #Language  #Version\n"
        "10.0.0.1@7         10.0.0.1:50001         JAVA       V4_9_4\n"
        "10.0.0.1@7         10.0.0.2:50002         JAVA       V4_9_4\n\n"
        "Below is subscription:\nTopic: pay       SubExpression: *\n\nConsumeType: CONSUME_PASSIVELY\n",
        "gives this answer, too: Read: ",
    ),
    "consumerConnection 3.2": _printed(
        "001  10.0.0.1@7         10.0.0.1:50001         JAVA     V3_2_6\n"
        "002  10.0.0.1@7         10.0.0.2:50002         JAVA     V3_2_6\n\n"
        "Below is subscription:\n001  Topic: pay       SubExpression: *\n\nConsumeType: CONSUME_PASSIVELY\n",
        "gives this answer, too: Read: ",
    ),
    "fastjson's running info": _printed(FASTJSON, group="G"),
}
