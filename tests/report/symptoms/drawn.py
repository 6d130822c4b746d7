"""Output of mqadmin that is drawn: tables, lists and members of one group, that differ in all that is looked at, and in
times by as much as is looked at, or a second more or less."""

from datetime import datetime, timedelta
from random import Random

from tests.report.symptoms.printed import NEW, OLD, Consumer, Entry, Row, member, progress, status

NOON = datetime(2024, 5, 1, 12)
AGO = (0, 0, 0, 1, 59, 60, 61, 119, 120, 121)
"""Seconds."""
FOUND = (
    "MessageQueue [topic=T, brokerName=a, queueId=0] for commitOffset (5) can't consume for a while, maybe blocked, 7",
    "MessageQueue [topic=T, brokerName=a, queueId=1] can't lock for a while, 70000ms",
    "MessageQueue [topic=T, brokerName=a, queueId=2] unlock 3 times, still failed",
)
"""What consumerStatus says of queues."""


def drawn(number):
    """The texts of the files that are given together."""
    r = Random(f"mqadmin {number}")

    def ago(form):
        return (NOON - timedelta(seconds=r.choice(AGO))).strftime(form)

    def row(queue):
        client = r.choice(("10.0.0.1", "10.0.0.1", "10.0.0.2", "N/A"))
        topic = r.choice(("T", "T", "T", "U", "%RETRY%G"))
        last = r.choice((ago("%Y-%m-%d %H:%M:%S"), ago("%Y-%m-%d %H:%M:%S"), "N/A"))
        return Row(queue, 9, r.choice((9, 9, 8, 7, 10)), client, last, topic)

    def entry(queue):
        return Entry(
            queue, r.choice((0, 0, 2)), r.choice((True, False)), r.choice((0, 0, 3)), not r.randrange(4),
            ago("%Y%m%d%H%M%S000"), ago("%Y%m%d%H%M%S000"), r.choice(("T", "T", "T", "U", "%RETRY%G")),
        )  # fmt: skip

    def queues(of):
        return [of(queue) for queue in r.sample(range(9), r.randrange(1, 9))]

    texts = [progress(queues(row), r.choice((OLD, NEW)), bool(r.randrange(4))) for _ in range(r.choice((0, 1, 2)))]
    if r.randrange(2):
        ids = [
            (r.choice(("a@1", "b@2", "c@3")), r.choice(("V5_3_3", "V5_3_3", "V4_9_8")))
            for _ in range(r.randrange(1, 4))
        ]
        texts.append(status(ids, *r.sample(FOUND, r.randrange(4)), same=bool(r.randrange(4))))
    broadcasting, orderly = not r.randrange(4), not r.randrange(2)
    for _ in range(r.choice((0, 1, 2, 3)) or not texts):
        texts.append(
            member(
                Consumer(
                    queues(entry) if r.randrange(5) else (),
                    r.choice(((("T", "*"),), (("T", "*"),), (("T", "A"), ("U", "*")), (("%RETRY%G", "*"),), ())),
                    orderly if r.randrange(5) else not orderly,
                    r.choice(("V5_3_3", "V5_3_3", "V4_9_8", "V1_2")),
                    r.choice(("AllocateMessageQueueAveragely",) * 3 + ("AllocateByCircle",)),
                    "BROADCASTING" if broadcasting else "CLUSTERING",
                    r.choice(("10.0.0.1", "10.0.0.2", "10.0.0.3")),
                    more={} if r.randrange(5) else {"PROP_CONSUME_TYPE": "CONSUME_ACTIVELY"},
                )
            )
        )
    return texts
