"""``rebalance shares``: which consumer takes which queues."""

import json
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.report.shares.document import schema
from tests.each import each

OWN = "def allocate(current_cid, mq_all, cid_all):\n    return mq_all if current_cid == cid_all[0] else []\n"
BROKEN = "def allocate(current_cid, mq_all, cid_all):\n    return mq_all[cid_all.index(current_cid) :][: 1 / 0]\n"


def test_shares_of_8_queues_and_4_consumers(call):
    called = call("shares", "--strategy", "avg", "--queues", "8", "--consumers", "4")
    assert called.status == 0
    lines = called.out.splitlines()
    assert lines[0] == "With 8 queues and 4 consumers, AVG gives each consumer 2 queues."
    assert lines[1] == "Every queue has exactly one consumer."
    assert "c1        2 3" in lines
    assert "AVG    aabbccdd" in lines


def test_tables_and_picture_fit_80_columns(call):
    out = call("shares", "--strategy", "avg,circle,hash,kafka-range,kafka-round-robin", "--queues", "128").out
    table = out.split("\n\n")[1:-1]
    assert max(len(line) for part in table for line in part.splitlines()) <= 80


def test_strategies_are_side_by_side_in_any_spelling(call):
    typed = call("shares", "--strategy", "AVG", "--strategy", "avg_by_circle,Kafka-Range").out
    assert "consumer  AVG  AVG_BY_CIRCLE  Kafka RangeAssignor" in typed


def test_names_come_from_lists_and_files(call, tmp_path):
    ids, brokers, queues = tmp_path / "ids.txt", tmp_path / "brokers.txt", tmp_path / "queues.txt"
    ids.write_text("# mine\nb@9\nB@9\na@10\n", encoding="utf-8")
    brokers.write_text("broker-b 1\nbroker-a 3\n", encoding="utf-8")
    queues.write_text("orders broker-a 1\norders broker-a 0\nrefunds broker-a 0\n", encoding="utf-8")
    listed = call("shares", "--strategy", "avg", "--ids", "b@9,B@9,a@10", "--brokers", "broker-b:1,broker-a:3")
    from_files = call("shares", "--strategy", "avg", "--ids", str(ids), "--brokers", str(brokers))
    assert listed.out == from_files.out
    assert "Queues in the clients' order: 0-2 on broker-a and 3 on broker-b." in listed.out
    document = json.loads(call("shares", "--ids", str(ids), "--queues", str(queues), "--json").out)
    assert [one["id"] for one in document["members"]] == ["B@9", "a@10", "b@9"]
    assert [(one["topic"], len(one["queues"])) for one in document["topics"]] == [("orders", 2), ("refunds", 1)]


def test_members_with_other_views_and_topics(call):
    typed = ("--topic", "orders=6", "--topic", "refunds=4", "--sees", "c2=c0,c2,z", "--subscribe", "c1=orders")
    out = call("shares", "--strategy", "avg,kafka-range", *typed, "--knows", "c3=2").out
    for line in (
        "c2 does not see c1 and c3 and still sees z.",
        "c3 knows only the first 2 queues of each topic.",
        "c1 subscribes only to orders.",
        "Under Kafka RangeAssignor, every queue has exactly one consumer.",
    ):
        assert line in out.splitlines()
    assert "allocation.avg.covers.without-same-subscription" in out


@each(
    "arguments",
    [
        (),
        ("--strategy", "hash,hash-go,room,room-go,room-rust,nearby,nearby-go", "--consumers", "3"),
        ("--strategy", "config,kafka-round-robin", "--config", "c0=0-3,7", "--config", "c1=5"),
        ("--topic", "a=3", "--topic", "b=5", "--subscribe", "c0=a", "--sees", "c1=c1"),
        ("--strategy", "nearby", "--rooms", "x", "--knows", "c0=1"),
    ],
)
def test_json_matches_its_schema(call, arguments):
    document = json.loads(call("shares", *arguments, "--json").out)
    Draft202012Validator(schema()).validate(document)
    assert document["sentence"].startswith("With ")
    for one in document["strategies"]:
        taken = sum(len(share["queues"]) for share in one["shares"])
        assert one["least"] * len(document["members"]) <= taken <= one["most"] * len(document["members"])


def test_user_defined_strategy_beside_avg(call, tmp_path):
    mine, broken = tmp_path / "mine.py", tmp_path / "broken.py"
    mine.write_text(OWN, encoding="utf-8")
    broken.write_text(BROKEN, encoding="utf-8")
    out = call("shares", "--strategy", f"avg,{mine}:allocate", "--queues", "4", "--consumers", "2").out
    assert "mine.py:allocate gives each consumer 0 to 4 queues (1 consumer gets none)" in out
    out = call("shares", "--strategy", f"{broken}", "--queues", "4", "--consumers", "2").out
    assert "throws ZeroDivisionError: division by zero" in out
    assert "c0        throws" in out
    broken.write_text("def allocate(me, queues, ids): return None", encoding="utf-8")
    out = call("shares", "--strategy", f"{broken}", "--queues", "4", "--consumers", "2").out
    assert "c0        no list" in out


@pytest.mark.usefixtures("light")
def test_java_strategy_beside_avg(call, java_classes):
    typed = ("--java", "acme.Deals", "--classpath", java_classes, "--arg", "1")
    out = call("shares", "--strategy", "avg_by_circle", *typed, "--queues", "5", "--consumers", "2").out
    assert "consumer  AVG_BY_CIRCLE  acme.Deals" in out
    assert "c0        0 2 4          0 2 4" in out


@each(
    "typed", [(), ("--topic", "a=3", "--topic", "b=40", "--sees", "c1=c1"), ("--queues", "1000", "--consumers", "30")]
)
def test_pictures_are_drawn(call, tmp_path, typed):
    svg, page = tmp_path / f"{len(typed)}.svg", tmp_path / f"{len(typed)}.html"
    assert call("shares", "--strategy", "avg", *typed, "--output", str(svg)).out.endswith(f"Written: {svg}\n")
    document = json.loads(call("shares", "--strategy", "avg", *typed, "--output", str(page), "--json").out)
    boxes = [one.get("class") for one in ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}rect")]
    taken = sum(len(share["queues"]) for one in document["strategies"] for share in one["shares"])
    unread = sum(len(one["queues"]) for one in document["strategies"][0]["unread"])
    several = any(one["several"] for one in document["strategies"])
    assert boxes.count("takes") + boxes.count("several") == taken + 1 + several  # the legend has one of each kind
    assert boxes.count("nobody") == unread + bool(unread)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html><!-- written by: rebalance shares -->")
    assert "http:" not in text
    assert "https:" not in text
    assert call("shares", *typed, "--output", str(page)).status == 0  # its own file is written again


def test_names_are_escaped_on_the_page(call, tmp_path):
    page = tmp_path / "shares.html"
    call("shares", "--ids", "<script>1</script>,b", "--output", str(page))
    assert "<script" not in page.read_text(encoding="utf-8")


def test_another_file_is_not_overwritten(call, tmp_path):
    mine = tmp_path / "mine.svg"
    mine.write_text("mine", encoding="utf-8")
    called = call("shares", "--output", str(mine))
    assert (called.status, mine.read_text(encoding="utf-8")) == (2, "mine")


BAD = (
    (("--strategy", "avgg"), "unknown strategy 'avgg'; did you mean 'avg'? the strategies are avg, "),
    (("--strategy", ","), "--strategy ',' names no strategy; name some of avg, "),
    (("--strategy", "none.py:allocate"), "the file 'none.py' does not exist"),
    (("--consumers", "0"), "0 is not in the range"),
    (("--consumers", "65"), "65 is not in the range"),
    (("--queues", "0"), "0 queues of 'T' are out of range; give 1 to 1024"),
    (("--queues", "-3"), "-3 queues of 'T' are out of range"),
    (("--queues", "99999999999"), "99999999999 queues of 'T' are out of range"),
    (("--topic", "a=2000"), "2000 queues of 'a' are out of range"),
    (("--topic", "a=1000", "--topic", "b=1000"), "2,000 queues are too many; give at most 1,024 in all topics"),
    (("--topic", "a"), "--topic: 'a' is not NAME=QUEUES; write it like orders=8"),
    (("--topic", "a=1", "--topic", "a=2"), "--topic: 'a' is there twice"),
    (("--topic", "a=1", "--queues", "2"), "leave out --queues"),
    (("--ids", "a,a"), "--ids: 'a' is there twice; write different names, separated by commas"),
    (("--ids", "a,,b"), "a name in 'a,,b' is empty"),
    (("--ids", "a,b", "--consumers", "3"), "--consumers 3 contradicts --ids, which has 2"),
    (("--ids", "/nowhere/ids.txt"), "cannot read '/nowhere/ids.txt': No such file or directory"),
    (("--ids", ",".join(map(str, range(65)))), "65 ids are too many; give at most 64"),
    (("--brokers", "a:x"), "--brokers: 'a:x' is not BROKER or BROKER:QUEUES"),
    (("--brokers", "a,a"), "--brokers: 'a' is there twice"),
    (("--brokers", "a:1,b"), "give numbers of queues for all brokers, or for none"),
    (("--brokers", "0"), "--brokers 0 is out of range"),
    (("--brokers", "a:0"), "0 queues of 'T' are out of range"),
    (("--brokers", "2", "--queues", "7"), "7 queues do not spread evenly over 2 brokers"),
    (("--sees", "c0"), "--sees: 'c0' has no '='; write it like c0=c0,c1"),
    (("--sees", "c9=c0"), "--sees: 'c9' is not a consumer of the group; the ids are c0, c1, c2, c3"),
    (("--sees", "c0=c1,c1"), "--sees c0: 'c1' is there twice"),
    (("--sees", "c0=c1", "--sees", "c0=c2"), "--sees: 'c0' is there twice; give one list for each consumer"),
    (("--knows", "c0=0"), "--knows: '0' is not a number of queues of c0; give 1 to 8"),
    (("--subscribe", "c0=X"), "--subscribe: unknown topic 'X'; the topics are T"),
    (("--config", "c0=1"), "--config needs --strategy config"),
    (("--strategy", "config"), "--strategy config needs --config ID=QUEUES"),
    (("--strategy", "config", "--config", "c0=8"), "--config: '8' is out of range; the queues are 0 to 7"),
    (("--strategy", "config", "--config", "c0=1,1"), "--config: queue 1 is there twice"),
    (("--java", "X"), "--java needs --classpath JARS"),
    (("--classpath", "x.jar"), "--classpath and --arg need --java"),
    (("--output", "x.png"), "'x.png' has to end with .svg or .html"),
    (("--output", "/nowhere/x.svg"), "the folder '/nowhere' does not exist"),
)


@each(("arguments", "said"), BAD)
def test_wrong_call_ends_with_one_sentence(call, arguments, said):
    called = call("shares", *arguments)
    assert (called.status, called.out) == (2, "")
    assert said in called.complaint


@pytest.mark.parametrize("content", ["a\na\n", "", "a b\n", "\x00\x01"])
def test_broken_file_of_ids_is_rejected(call, tmp_path, content):
    ids = tmp_path / "ids.txt"
    ids.write_text(content, encoding="utf-8")
    called = call("shares", "--ids", str(ids))
    assert (called.status, called.out) == (2, "")
    assert called.complaint.startswith("rebalance: --ids: ")
