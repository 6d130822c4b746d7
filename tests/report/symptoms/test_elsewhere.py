"""Pastes about pop, gRPC, producers and the broker's store: recognised, and not taken for a group's problem."""

import pytest

from rebalance_proofs.report.symptoms.elsewhere import elsewhere
from rebalance_proofs.report.symptoms.mqadmin.read import nothing, parsed
from rebalance_proofs.report.symptoms.understood import understood

PASTES = {
    "[PopBuffer]ck done timeout": "pop",
    "INFO PopReviveService_0 - reviveQueueId=4, revive to retry failed": "pop",
    "PopMessageProcessor - pop message from topic pay": "pop",
    "WARN ck not found, pop offset 12": "pop",
    "[POP] reviveQid=3 revive offset is 7": "pop",
    "io.grpc.StatusRuntimeException: DEADLINE_EXCEEDED": "grpc",
    "org.apache.rocketmq.client.java.impl.ClientImpl - telemetry": "grpc",
    "ERROR ReceiveMessageActivity - forward failed": "grpc",
    "[grpc] TelemetryCommand{settings}": "grpc",
    "org.apache.rocketmq.proxy.common.ProxyException: no permission": "grpc",
    "RemotingTooMuchRequestException: sendDefaultImpl call timeout": "producer",
    "The producer group[pay_pg] has been created before, specify another name please.": "producer",
    "CODE: 2  DESC: [TIMEOUT_CLEAN_QUEUE]broker busy, start flow control for a while": "producer",
    "Send [3] times, still failed, cost [9012]ms, Topic: pay, BrokersSent: [broker-a]": "producer",
    "system busy, start flow control for a while": "producer",
    "CODE: 14  DESC: service not available now, maybe disk full, CL:  0.92": "broker-store",
    "java.io.IOException: No space left on device": "broker-store",
}


@pytest.mark.parametrize("text", PASTES)
def test_paste_outside_the_model_is_recognised(text):
    found = elsewhere(text)
    assert found
    assert found.subject == PASTES[text]
    assert bool(found.unmodelled) is (found.subject in ("pop", "grpc"))
    assert len(list(found.lines)) >= 2


@pytest.mark.parametrize(
    "text",
    [
        "messages are consumed twice after a deploy",
        "the consumer's group info not exist",
        "PullCallback: CODE: 2  DESC: [TIMEOUT_CLEAN_QUEUE]broker busy, start flow control for a while",
        "doRebalance, pay_cg, add a new mq, MessageQueue [topic=pay, brokerName=broker-a, queueId=1]",
        "one queue is stalled, population of orders stops",
    ],
)
def test_text_about_a_group_is_not_elsewhere(text):
    assert elsewhere(text) is None


CLUSTER = (
    "#Cluster Name     #Broker Name            #BID  #Addr                  #Version   #InTPS(LOAD)       "
    "#OutTPS(LOAD) #PCWait(ms) #Hour #SPACE\n"
    "DefaultCluster    broker-a                0     {}:10911     V4_9_4     0.00(0,0ms)         0.00(0,0ms)          "
    "0 478.10 0.2100\n"
)
OTHERS = {
    CLUSTER.format("10.0.0.4"): "clusterList",
    "分片\t编号\t地址\t版本\t生产消息TPS\t消费消息TPS\nbroker-a\t0(主)\t10.0.0.4:10911\tV4_9_4\t0.00\n": "clusterList",
    "#Cluster Name  #Broker Name  #InTotalYest  #OutTotalYest\nDefaultCluster broker-a 3 3\n": "clusterList",
    "$ sh mqadmin topicList -n 127.0.0.1:9876\npay\nTBW102\n": "topicList",
    "#Cluster Name  #Topic  #Consumer Group\nDefaultCluster pay pay_cg\n": "topicList",
    "0001  10.0.0.5@1234   10.0.0.5:43210   JAVA  V4_9_4\n": "producerConnection",
    "bootTimestamp                   : 1700000000000\nputMessageEntireTimeMax         : 30\n": "brokerStatus",
    '{\n"brokerDatas":[\n{"brokerAddrs":{0:"10.0.0.4:10911"}}]}\n': "topicRoute",
}


@pytest.mark.parametrize("text", OTHERS)
def test_output_about_no_group_is_named(text):
    found = parsed(text)
    assert not found.something
    assert f"mqadmin {OTHERS[text]}, which says nothing about a group" in nothing(found)
    assert "brokerIP1" not in nothing(found)


def test_list_of_accumulations_names_the_group_with_the_largest():
    found = parsed(
        "#Topic  #Consumer Group  #Accumulation  #InTPS  #OutTPS\n"
        "pay pay_cg 100 2.1 2.0\npay audit_cg 70 2.1 2.0\nrefund audit_cg 50 2.1 2.0\n"
    )
    assert found.groups == [("pay_cg", 100), ("audit_cg", 120)]
    assert "the lag of audit_cg is the largest: 120" in nothing(found)


@pytest.mark.parametrize("address", ["172.17.0.3", "127.0.0.1"])
def test_broker_address_inside_a_container_is_remarked(address):
    assert f"the broker's address {address}" in nothing(parsed(CLUSTER.format(address)))


@pytest.mark.parametrize(("read", "fewer"), [(4, True), (8, False), (16, False)])
def test_route_with_fewer_read_queues_names_the_cause(read, fewer):
    text = f'{{"queueDatas":[\n{{"brokerName":"a","perm":6,"readQueueNums":{read},\n"writeQueueNums":8}}]}}\n'
    assert ("rebalance why unread-queues" in nothing(parsed(text))) is fewer


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("will messages be lost if we reduce the queue number from 8 to 4", "queues-reduced"),
        ("decrease the number of read queues", "queues-reduced"),
        ("缩容队列会丢消息吗", "queues-reduced"),
        ("topic 的队列从16缩容到8，消息会丢失吗", "queues-reduced"),
        ("减少队列数", "queues-reduced"),
        ("topic deleted, consumer keeps pulling", "topic-deleted"),
        ("name servers all down, consumers stop", "name-servers-down"),
        ("心跳间隔设置过长，broker 重启后消费停止", "heartbeat-interval-long"),
    ],
)
def test_words_about_the_cluster_name_their_cause(text, cause):
    assert cause in understood(text).sure


@pytest.mark.parametrize(
    "text", ["how do I delete a topic", "lag is lower but the queue is stuck", "消费者减少后队列堆积"]
)
def test_similar_words_name_no_cluster_cause(text):
    assert not {"queues-reduced", "topic-deleted"} & set(understood(text).sure)
