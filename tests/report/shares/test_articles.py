"""Numeric examples of articles about RocketMQ's strategies: the shares that they print are those of the command.

The wording and the names are this project's; the numbers are the articles'. Queues count from 0 here. Examples that
contradict the source of the strategies are listed with the shares of the source.
"""

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.report.shares.described import Asked, Topic
from rebalance_proofs.report.shares.divided import divided
from tests.each import each

STRATEGIES = {one.name: one for one in ALL}
BOOK = "the example of a book on RocketMQ's internals, in several commented copies of the client"
EXAMPLES = (
    # article, strategy, queues, consumers, shares
    ("https://developer.aliyun.com/ask/355233", "avg", 16, 3, ["0-5", "6-10", "11-15"]),
    (BOOK, "avg", 8, 3, ["0-2", "3-5", "6-7"]),
    (BOOK, "circle", 8, 3, ["0 3 6", "1 4 7", "2 5"]),
    ("a course on scaling message queues, from 0", "avg", 8, 3, ["0-2", "3-5", "6-7"]),
    ("the same course", "circle", 8, 3, ["0 3 6", "1 4 7", "2 5"]),
    ("interview notes with consumers A to D", "circle", 10, 4, ["0 4 8", "1 5 9", "2 6", "3 7"]),
    ("notes on a backlog of 20 queues", "avg", 20, 4, ["0-4", "5-9", "10-14", "15-19"]),
    ("the same notes, one consumer for each queue", "avg", 20, 20, [str(place) for place in range(20)]),
    ("https://www.besthub.dev/articles/how-rocketmq-load-balancing-works-and-best-practices-to-avoid-consumer-delays-"
     "e66c23efd2f7", "avg", 24, 3, ["0-7", "8-15", "16-23"]),
    ("https://besthub.dev/articles/understanding-rocketmq-consumer-scaling-and-messagequeue-allocation-strategies-"
     "52ac06d8a54f", "avg", 4, 2, ["0-1", "2-3"]),
    ("the same article, with a third consumer", "avg", 4, 3, ["0-1", "2", "3"]),
)  # fmt: skip
WRONG = (
    # article, strategy, queues, consumers, printed shares, shares of the source
    ("interview notes: the rest is dealt at the end", "avg", 10, 4, ["0-1 8", "2-3 9", "4-5", "6-7"],
     ["0-2", "3-5", "6-7", "8-9"]),
    ("notes with a line of AVG in the table of AVG_BY_CIRCLE", "circle", 8, 3, ["0-2", "1 4 7", "2 5"],
     ["0 3 6", "1 4 7", "2 5"]),
)  # fmt: skip


def group(queues, ids, brokers=("broker-a",), rooms=()):
    each_one = queues // len(brokers)
    every = tuple(MessageQueue("T", broker, place) for broker in brokers for place in range(each_one))
    return Asked((Topic("T", every),), tuple(ids), rooms=rooms)


def parsed(text):
    """Return the queues in a text such as ``0-2 5``."""
    runs = (part.split("-") for part in text.split())
    return [place for run in runs for place in range(int(run[0]), int(run[-1]) + 1)]


def shares(found):
    (topic,) = found.asked.topics
    return [[topic.places[queue] for queue in found.shares[one, "T"]] for one in found.asked.ids]


def computed(name, queues, consumers):
    return shares(divided(STRATEGIES[name], group(queues, [f"c{number:02}" for number in range(consumers)])))


@each(("article", "name", "queues", "consumers", "printed"), EXAMPLES)
def test_shares_are_those_of_the_article(article, name, queues, consumers, printed):
    assert computed(name, queues, consumers) == [parsed(text) for text in printed], article


@each(("article", "name", "queues", "consumers", "printed", "right"), WRONG)
def test_shares_of_a_wrong_article_are_those_of_the_source(article, name, queues, consumers, printed, right):
    found = computed(name, queues, consumers)
    assert found == [parsed(text) for text in right], article
    assert found != [parsed(text) for text in printed]


BROKERS = ("room1@a", "room2@b", "room3@c")
IDS = ("room1-c0", "room1-c1", "room2-c2")


def test_machine_room_leaves_the_queues_of_an_unlisted_room_unread():
    """An article's picture: three consumers read the rooms 1 and 2, and nobody reads room 3."""
    found = divided(STRATEGIES["room"], group(9, IDS, BROKERS, ("room1", "room2")))
    assert shares(found) == [[0, 1], [2, 3], [4, 5]]
    assert [places for _, places in found.unread] == [(6, 7, 8)]


def test_machine_room_nearby_shares_the_queues_of_a_room_without_consumers():
    """The next picture of that article: the consumers of other rooms share the queues of room 3."""
    found = divided(STRATEGIES["nearby"], group(9, IDS, BROKERS, ("room1", "room2", "room3")))
    assert shares(found) == [[0, 1, 6], [2, 7], [3, 4, 5, 8]]
    assert found.sound


def test_config_gives_each_consumer_its_own_list():
    """Articles on CONFIG: the application lists the queues, and no rule prevents gaps and overlaps."""
    asked = group(4, ("c0", "c1"))
    queues = asked.topics[0].queues
    found = divided(STRATEGIES["config"], asked, {"c0": queues[:2], "c1": queues[1:3]})
    assert shares(found) == [[0, 1], [1, 2]]
    assert ([places for _, places in found.unread], [places for _, places in found.doubled]) == ([(3,)], [(1,)])


def test_consistent_hash_returns_queues_to_a_consumer_with_the_same_id():
    """http://runxinzhi.com/allenwas3-p-12678663.html: a leave moves only queues of the leaving consumer."""
    ids = ("c0", "c1", "c2")
    before = divided(STRATEGIES["hash"], group(12, ids))
    without = divided(STRATEGIES["hash"], group(12, ids[1:]))
    for one in ids[1:]:
        assert set(before.shares[one, "T"]) <= set(without.shares[one, "T"])
    assert divided(STRATEGIES["hash"], group(12, ids)).shares == before.shares
