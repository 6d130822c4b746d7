"""A member's running info as JSON: the fields of a queue's entry, and invalid input."""

from datetime import datetime

import pytest

from rebalance_proofs.report.symptoms.mqadmin.members import NotReadable, running_info

QUEUE = '{"brokerName":"b","queueId":3,"topic":"T"}'
INFO = (
    '{"cachedMsgCount":5,"droped":true,"lastConsumeTimestamp":0,"lastPullTimestamp":86400000,"locked":true,'
    '"tryUnlockTimes":2,"commitOffset":9}'
)


def text(queue: str = QUEUE, info: str = INFO) -> str:
    subscriptions = '[{"subString":"B","topic":"U"},{"subString":"A","topic":"T"}]'
    return f'{{"mqTable":{{{queue}:{info}}},"properties":{{"k":"v"}},"subscriptionSet":{subscriptions}}}'


def test_every_field_of_an_entry_is_parsed():
    member = running_info(text())
    assert (member.properties, member.subscriptions) == ({"k": "v"}, (("T", "A"), ("U", "B")))
    (entry,) = member.entries
    assert tuple(vars(entry).values()) == (("T", "b", 3), 5, True, 2, True, datetime(1970, 1, 2), None, 9)


def test_missing_fields_of_an_entry_have_defaults():
    (entry,) = running_info(text(info="{}")).entries
    assert tuple(vars(entry).values()) == (("T", "b", 3), 0, False, 0, False, None, None, None)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"topic"', '"other"'),
        ('"brokerName"', '"other"'),
        ('"queueId":3', '"queueId":x'),
        ('"cachedMsgCount":5', '"cachedMsgCount":x'),
        ("86400000", "9" * 30),
        ("86400000", "9" * 400),
        ("86400000", "9" * 17),
    ],
)
def test_unreadable_entry_is_refused(old, new):
    with pytest.raises(NotReadable, match="a queue in mqTable cannot be parsed"):
        running_info(text(QUEUE.replace(old, new), INFO.replace(old, new)))


@pytest.mark.parametrize("lacks", ['"mqTable"', '"properties"'])
def test_other_json_is_refused(lacks):
    with pytest.raises(NotReadable, match="mqTable or properties is missing"):
        running_info(text().replace(lacks, '"other"'))
