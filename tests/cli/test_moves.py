"""``rebalance moves``: queues that change owners."""

import json
import os
import re
from html import unescape
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.claims.mark import BRIEFLY, EXPLAINED
from rebalance_proofs.report.moves.change_document import schema as change_schema
from rebalance_proofs.report.moves.document import schema
from tests.each import each

LEAST = "AVG moves the fewest queues of all strategies with level shares."
EXPECTED = {claim.id: claim.expected for claim in LEDGER}


def test_moves_from_4_to_5_consumers_with_16_queues(call):
    called = call("moves", "--queues", "16", "--consumers", "4", "--event", "join")
    assert called.status == 0
    assert called.out.splitlines()[0] == (
        f"{LEAST} CONSISTENT_HASH (Java, Rust) moves fewer, but the shares are not always level. "
        "From 4 to 5 consumers with 16 queues, 4 to 10 under AVG, 12 to 16 under AVG_BY_CIRCLE and 1 to 5 under "
        "CONSISTENT_HASH (Java, Rust) change owners, depending on the sort position of the new consumer's id (under "
        "CONSISTENT_HASH, on the id itself). 3 would be enough to give the new consumer a balanced share."
    )
    assert "counted for the ids c0, c1, ..., c4" in called.out
    assert "Kafka RangeAssignor (not RocketMQ)" in called.out
    assert call("moves").out == called.out


def test_moves_row_is_either_proved_or_counted(call):
    for line in call("moves", "--all").out.splitlines():
        if " of 5  " in line:
            assert ("  proved, observed: " in line) is not line.endswith(
                ("  counted, observed", "  counted, not recorded")
            )


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--event", "leave"),
        ("--event", "crash", "--place", "last"),
        ("--grow", "16:24"),
        ("--strategy", "room,nearby"),
    ],
)
def test_json_matches_its_schema_and_names_proved_claims(call, arguments):
    document = json.loads(call("moves", *arguments, "--json").out)
    Draft202012Validator(schema()).validate(document)
    for one in document["strategies"]:
        assert (one["basis"] == "PROVED") is bool(one["claims"])
        assert all(EXPECTED[claim] is Verdict.PROVED for claim in one["claims"])
        assert one["rocketmq"] is not one["strategy"].startswith("kafka")
        hands = [place["change_hands"] for place in one["places"]]
        assert (one["least"], one["worst"]) == (min(hands), max(hands))
    assert document["sentence"] in call("moves", *arguments).out


def test_first_and_last_places_are_among_all_places(call):
    def places(place):
        document = json.loads(call("moves", "--place", place, "--json").out)
        return [one["places"] for one in document["strategies"]]

    every = places("any")
    assert places("first") == [found[:1] for found in every]
    assert places("last") == [found[-1:] for found in every]


def test_crash_moves_the_same_queues_as_a_leave(call):
    left, crashed = (call("moves", "--event", event).out for event in ("leave", "crash"))
    assert left.splitlines()[0] == crashed.splitlines()[0]
    assert "`rebalance settle --client VERSION --event crash`" in crashed
    assert "`rebalance settle --client VERSION --event crash`" not in left
    assert "have to under any strategy: the queues of the leaving consumer." in left


def test_ids_are_sorted_in_java_order(call):
    document = json.loads(call("moves", "--consumers", "2", "--ids", "b@9,B@9,a@10", "--json").out)
    assert document["ids"] == ["B@9", "a@10", "b@9"]


def test_growth_of_a_topic(call):
    out = call("moves", "--strategy", "avg,circle", "--grow", "16:24").out
    assert out.startswith(
        "AVG_BY_CIRCLE moves the fewest queues of all strategies with level shares. "
        "From 16 to 24 queues with 4 consumers, of the old queues 10 under AVG and 0 under AVG_BY_CIRCLE "
    )
    assert "None has to: the 8 new queues could go to the consumers with the fewest queues." in out
    assert "proved, observed: growth.circle.turned" in out
    assert "of each of 2 brokers" in call("moves", "--grow", "16:24", "--brokers", "2").out


@pytest.mark.parametrize("arguments", [(), ("--grow", "16:24"), ("--consumers", "63", "--strategy", "avg")])
def test_charts_are_drawn(call, tmp_path, arguments):
    svg, page = tmp_path / "moves.svg", tmp_path / "moves.html"
    assert call("moves", *arguments, "--output", str(svg)).out.endswith(f"Written: {svg}\n")
    document = json.loads(call("moves", *arguments, "--output", str(page), "--json").out)
    tree = ElementTree.parse(svg)
    bars = [one for one in tree.iter("{http://www.w3.org/2000/svg}rect") if one.get("class") == "between"]
    places = [place for one in document["strategies"] for place in one["places"]]
    wanted = [place["change_hands"] if place["between"] is None else place["between"] for place in places]
    drawn = [float(bar.get("height")) for bar in bars[1:]]  # the first explains the colour
    tallest = max(place["change_hands"] for place in places)
    assert drawn == pytest.approx([84 * number / tallest for number in wanted], rel=1e-4)
    assert "http" not in page.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert call("moves", *arguments, "--output", str(svg)).status == 0  # its own file is written again


@pytest.mark.parametrize("typed", [(), ("--grow", "16:24")])
def test_page_has_preformatted_tables_and_paragraphs(call, tmp_path, typed):
    page = tmp_path / "moves.html"
    told = call("moves", *typed, "--all", "--output", str(page)).out.splitlines()
    text = page.read_text(encoding="utf-8")
    tables = "\n".join(re.findall(r"<pre>(.*?)</pre>", text, re.DOTALL)).splitlines()
    sentences = re.findall(r"<p>(.*?)</p>", text)
    assert [*map(unescape, tables)] == [line for line in told if "  " in line]
    assert [*map(unescape, sentences)] == [line for line in told[:-1] if line and "  " not in line]
    assert unescape(sentences[-1]) == BRIEFLY
    assert EXPLAINED in unescape(" ".join(re.findall(r"<text[^>]*>([^<]*)</text>", text)))


def test_ids_of_one_event_give_the_number_of_consumers(call, tmp_path):
    listed = tmp_path / "ids.txt"
    listed.write_text("b\na\nc\n", encoding="utf-8")
    for event, before in (("join", 2), ("leave", 3), ("crash", 3)):
        document = json.loads(call("moves", "--ids", str(listed), "--event", event, "--json").out)
        assert (document["ids"], document["consumers"]) == (["a", "b", "c"], before)


def test_names_are_escaped_on_the_page(call, tmp_path):
    page = tmp_path / "moves.html"
    call("moves", "--consumers", "1", "--ids", "<script>1</script>,</title>", "--output", str(page))
    assert "<script" not in page.read_text(encoding="utf-8")


def test_another_file_is_not_overwritten(call, tmp_path):
    mine = tmp_path / "mine.svg"
    mine.write_text("mine", encoding="utf-8")
    called = call("moves", "--output", str(mine))
    assert (called.status, mine.read_text(encoding="utf-8")) == (2, "mine")
    assert "already exists, and this command did not write it" in called.complaint


def test_unreadable_folder_is_reported(call, tmp_path, monkeypatch):
    def forbidden(path, *arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(tmp_path), "exists", forbidden)
    called = call("moves", "--output", str(tmp_path / "moves.svg"))
    assert (called.status, called.out) == (2, "")
    assert ": Permission denied" in called.complaint


def test_pipe_is_rejected_at_once(call, tmp_path):
    os.mkfifo(tmp_path / "pipe.svg")
    assert "it is not a file" in call("moves", "--output", str(tmp_path / "pipe.svg")).complaint


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--event", "quake"), "'quake' is not one of"),
        (("--consumers", "0"), "0 is not in the range"),
        (("--queues", "9999"), "9999 is not in the range"),
        (("--consumers", "1", "--event", "leave"), "--event leave with --consumers 1 leaves no consumer"),
        (("--strategy", "avgg"), "unknown strategy 'avgg'; did you mean 'avg'? the strategies are avg, "),
        (("--strategy", "mine.py:f"), "`rebalance check` counts the moves of your own"),
        (("--strategy", ","), "--strategy ',' names no strategy; name some of avg, "),
        (("--strategy", "config"), "CONFIG gives each consumer a fixed list"),
        (("--grow", "24:16"), "write a smaller and a larger number from 1 to 1024"),
        (("--grow", "x"), "'x' is not FROM:TO; write the queues before and after, such as 16:24"),
        (("--grow", "16:24", "--event", "join"), "--grow does not go with --queues"),
        (("--grow", "16:24", "--queues", "16"), "--grow does not go with --queues"),
        (("--brokers", "3"), "--brokers needs --grow"),
        (("--grow", "16:24", "--brokers", "3"), "does not spread evenly over --brokers 3"),
        (("--grow", "16:24", "--brokers", "2", "--strategy", "room"), "is counted in one machine room"),
        (("--ids", "a,b", "--consumers", "4"), "--ids: 2 given, but 5 needed"),
        (("--ids", "a"), "--ids: 1 given, but 2 needed with --event join"),
        (("--ids", "a,a,b,c,d"), "'a' is there twice"),
        (("--ids", "a,,b,c,d"), "is empty; write names, separated by commas"),
        (("--ids", "a,\x1b[31m"), "has characters that cannot be in a name"),
        (("--ids", "/nowhere/ids.txt"), "cannot read '/nowhere/ids.txt'"),
        (("--output", "x.png"), "'x.png' has to end with .svg or .html"),
        (("--output", "/nowhere/x.svg"), "the folder '/nowhere' does not exist"),
    ],
)
def test_wrong_call_ends_with_one_sentence(call, arguments, said):
    called = call("moves", *arguments)
    assert (called.status, called.out) == (2, "")
    assert said in called.complaint


def test_change_from_3_to_7_consumers(call):
    out = call("moves", "--queues", "24", "--consumers", "3", "--to", "7").out
    assert out.startswith(
        f"{LEAST} From 3 to 7 consumers with 24 queues, it moves 13 to 21 at once and 26 to 58 one by one. "
        "CONSISTENT_HASH (Java, Rust) moves fewer, "
    )
    assert "Proved formula for each single join or leave: movement.avg.moved, movement.circle.kept." in out
    assert max(map(len, out.split("\n\n")[1].splitlines())) <= 80


def test_plan_of_a_change_adds_up_to_the_fewest_moves(call):
    out = call("moves", "--queues", "24", "--consumers", "3", "--to", "7", "--plan", "--strategy", "avg").out
    assert "Plan for AVG, 26 moves one by one (exact: the fewest over all positions):" in out
    assert "1. start a consumer whose id sorts at position 2 of 4  8" in out
    named = call("moves", "--queues", "8", "--ids", "a,b,c", "--add", "d,aa", "--remove", "a", "--plan").out
    assert "(exact: the fewest over all orders):" in named
    assert {"d joins", "aa joins", "a leaves"} == set(re.findall(r"[123]\. (\w+ \w+)", named))


@each(
    "arguments",
    [
        ("--to", "2"),
        ("--add", "2", "--remove", "1", "--grow", "8:16", "--brokers", "2"),
        ("--restart", "3"),
        ("--restart", "12", "--consumers", "12"),
        ("--ids", "a=1,b", "--restart", "a=1=c,b=d"),
        ("--ids", "a,b,c", "--add", "d,e", "--remove", "a", "--grow", "8:9"),
        ("--ids", "a,b", "--add", "c,d,e,f,g,h,i,j,k"),
        ("--strategy", "room,nearby,hash-go", "--to", "6"),
    ],
)
def test_json_of_a_change_matches_its_schema(call, arguments):
    document = json.loads(call("moves", *arguments, "--json").out)
    Draft202012Validator(change_schema()).validate(document)
    assert document["sentence"] in call("moves", *arguments, "--plan").out
    for one in document["strategies"]:
        assert all(EXPECTED[claim] is Verdict.PROVED for claim in one["step_claims"])
        for found in (one["at_once"], one["one_by_one"]):
            assert found["least"] <= found["most"]
            if found["certainty"] != "heuristic":
                assert found["least"] <= found["average"] <= found["most"]
        moves = sum(event["moves"] for event in one["plan"]["events"])
        if one["plan"]["certainty"] == "exact":
            assert moves == one["one_by_one"]["least"]
        assert moves >= one["one_by_one"]["least"]


def test_uncertain_numbers_are_marked_and_explained(call):
    out = call("moves", "--queues", "24", "--consumers", "12", "--restart", "12", "--plan").out
    assert "^ A bound: no order exceeds it" in out
    assert "* Heuristic: only some orders were tried" in out
    assert "(heuristic: another plan may move fewer queues):" in out


@pytest.mark.parametrize("arguments", [("--to", "7"), ("--ids", "a,<b>", "--add", "c", "--grow", "8:9")])
def test_charts_of_a_change_are_drawn(call, tmp_path, arguments):
    svg, page = tmp_path / "moves.svg", tmp_path / "moves.html"
    assert call("moves", *arguments, "--output", str(svg)).out.endswith(f"Written: {svg}\n")
    document = json.loads(call("moves", *arguments, "--plan", "--output", str(page), "--json").out)
    boxes = [one.get("class") for one in ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}rect")]
    assert boxes.count("once") == boxes.count("single") == len(document["strategies"])
    text = page.read_text(encoding="utf-8")
    assert "<b>" not in text.split("<main")[1].split("</main>")[0]
    assert "Plan for AVG" in text
    assert "http:" not in text


@each(
    ("arguments", "said"),
    [
        (("--to", "0"), "0 is not in the range"),
        (("--to", "65"), "65 is not in the range"),
        (("--to", "4"), "--to 4 equals the number of consumers; --restart N counts restarts"),
        (("--to", "7", "--add", "1"), "--to does not go with --add, --remove or --restart"),
        (("--to", "7", "--event", "join"), "--event and --place are about one consumer"),
        (("--to", "7", "--brokers", "2"), "--brokers needs --grow"),
        (("--to", "7", "--all"), "--all is for --event and --grow"),
        (("--to", "7", "--grow", "8:16", "--queues", "8"), "--grow does not go with --queues"),
        (("--to", "7", "--strategy", "avgg"), "unknown strategy 'avgg'; did you mean 'avg'?"),
        (("--to", "7", "--output", "x.png"), "'x.png' has to end with .svg or .html"),
        (("--plan",), "--plan needs --to, --add, --remove or --restart"),
        (("--add", "0"), "--add 0 is out of range; give a number from 1 to 64"),
        (("--add", "-2"), "--add -2 is out of range"),
        (("--add", "999999999999"), "--add '999999999999' is not a number of consumers"),
        (("--add", "d"), "--add 'd' is not a number of consumers; ids need --ids"),
        (("--add", "61"), "65 consumers after the change are too many; the most are 64"),
        (("--remove", "4"), "removing 4 of 4 consumers leaves none that stays"),
        (("--restart", "5"), "--restart 5 is more than the 4 consumers"),
        (("--restart", "1", "--consumers", "1"), "--restart needs at least 2 consumers"),
        (("--restart", "1", "--add", "1"), "--restart does not go with --add or --remove"),
        (("--ids", "a,b", "--to", "3"), "--to does not go with --ids; name the ids with --add and --remove"),
        (("--ids", "a,a", "--add", "b"), "--ids: 'a' is there twice"),
        (("--ids", "a,b", "--add", "c,c"), "--add: 'c' is there twice"),
        (("--ids", "a,b", "--add", "b"), "'b' is in the group already"),
        (("--ids", "a,b", "--remove", "c"), "--remove: 'c' is not in --ids"),
        (("--ids", "a,b", "--remove", "a,b"), "removing 2 of 2 consumers leaves none that stays"),
        (("--ids", "a,b", "--restart", "a"), "--restart: 'a' is not OLD=NEW"),
        (("--ids", "a,b", "--restart", "a=c,b=c"), "--add and --restart: 'c' is there twice"),
        (("--ids", "a,b", "--restart", "a=c,a=d"), "--restart: 'a' is there twice"),
        (("--ids", "/nowhere/ids.txt", "--add", "b"), "cannot read '/nowhere/ids.txt'"),
        (("--ids", "a,b", "--add", "c", "--consumers", "3"), "--consumers 3 contradicts --ids, which has 2"),
    ],
)
def test_wrong_call_about_a_change_ends_with_one_sentence(call, arguments, said):
    called = call("moves", *arguments)
    assert (called.status, called.out) == (2, "")
    assert said in called.complaint
