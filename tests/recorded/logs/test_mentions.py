"""Names of consumer groups are found in lines without a parser, and nothing else is taken for one."""

import pytest

from rebalance_proofs.recorded.logs.mentions import groups_in

THREAD = "[{}] INFO RocketmqRemoting - closeChannel: the channel[a:1] has been closed before"


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("running container: DefaultListenerContainer{name='c', consumerGroup='g-1', tag='*'}", ["g-1"]),
        ('{"msg":"start","consumerGroup":"G"}', ["G"]),
        ("create retry topic for consumer group: pay_cg, topic: %RETRY%pay_cg", ["pay_cg"]),
        (
            "delete subscription group OK, subscription group:SubscriptionGroupConfig{groupName=G, consumeEnable=true",
            ["G"],
        ),
        ("the consumer group[ns%G] was changed", ["ns%G"]),
        ("Group: G", ["G"]),
        ("pop lock of group: G failed", ["G"]),
        ("CID=CID_pay, topic=t", ["CID_pay"]),
        (THREAD.format("PullMsgThread-feed_consumer_group4"), ["feed_consumer_group4"]),
        (THREAD.format("ConsumeMessageThread_pay-cg_12"), ["pay-cg"]),
        ("Pop initial offset, because store is no correct, orders-1@shop@3, 5384577->null", ["shop"]),
        ("09 Y - [ocr_group]SYSTEM_ERROR: no consumer for this group", ["ocr_group"]),
        ("[NettyServer] topic=t, group=G, queueId=1", ["G"]),
        # Not a consumer group.
        ("c.a.c.n.c.NacosConfig - [Nacos Config] [subscribe] dataId=app.yaml, group=DEFAULT_GROUP", []),
        ("subscribe consumer://10.0.0.1/c.e.Stock?group=stock&version=1.0", []),
        ("metrics - group: JVM, name: heap", []),
        (THREAD.format("ConsumeMessageThread_12"), []),
        (THREAD.format("ConsumeMessageThread_" + "g" * 100 + "_1"), []),
        ("thread group: main, consumer", []),
        ("dLegerGroup=broker-a, dledger group: broker-a", []),
        ("MQClient start,producerGroup=P, group: P", []),
        ("consumerGroup=null", []),
        ("how to change a consumer group: use the dashboard", []),
        ("subscription group: GroupConfig{retry=1}", []),
    ],
)
def test_group_of_a_line_is_found(line, names):
    assert groups_in(line) == names
