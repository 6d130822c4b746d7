"""Pasted tables of mqadmin and the dashboard: each is read in any form, and answered with the rows that show it."""

import re
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.language import use
from rebalance_proofs.recorded.knowledge.pasted_texts import kinds, pasted
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.mqadmin.answer import FIRST, MOST, observed
from rebalance_proofs.report.symptoms.mqadmin.columns import decoded
from rebalance_proofs.report.symptoms.mqadmin.members import NotReadable
from rebalance_proofs.report.symptoms.mqadmin.read import parsed
from rebalance_proofs.report.symptoms.stated import by_tables
from tests.report.symptoms.printed import NEW, OLD, Consumer, Entry, Row, member, progress, status

FOLDER = Path(__file__).with_name("tables")
CASES = {one["file"]: one for one in tomllib.loads((FOLDER / "cases.toml").read_text("utf-8"))["case"]}
EVEN = tuple(Row(number, client=f"10.0.0.{1 + number // 2}") for number in range(4))
EARLIER = "2024-05-01 06:00:00"


def shown(*texts: str) -> list[str]:
    """Kinds of observations in these texts, in order."""
    return [one.kind.name for one in observed(parsed("\n".join(texts)), Asked()).shown]


def causes(*texts: str) -> list[str]:
    """Names of the causes in the answer about these texts."""
    return [one.found.cause.name for one in observed(parsed("\n".join(texts)), Asked()).causes]


def test_each_table_has_a_right_answer():
    assert set(CASES) | {"cases.toml"} == {path.name for path in FOLDER.iterdir()}


@pytest.mark.parametrize("name", CASES)
def test_pasted_table_is_answered(name):
    case = CASES[name]
    answer = observed(parsed(decoded((FOLDER / name).read_bytes())), Asked())
    told = "\n".join(by_tables(answer, Asked()))
    first = [one.found.cause.name for one in answer.causes]
    assert len(first) <= MOST
    assert (first[:1] == [case["first"]]) if case["first"] else not first
    for part in case["says"]:
        assert part in told


@pytest.mark.parametrize("name", CASES)
def test_chinese_answer_names_the_same_values(name):
    printed = parsed(decoded((FOLDER / name).read_bytes()))
    english = observed(printed, Asked())
    use("zh")
    try:
        chinese = observed(printed, Asked())
        told = "\n".join(by_tables(chinese, Asked()))
    finally:
        use("en")
    assert [one.kind.name for one in chinese.shown] == [one.kind.name for one in english.shown]
    assert "Not shown" not in told.replace("Not shown:", "")  # the heading is translated with the command's messages
    for one in chinese.shown:
        assert any("\u4e00" <= letter <= "\u9fff" for letter in one.words)


FAULTS = {
    "stands-pulled": (Row(4, 900, 100, "10.0.0.1", EARLIER),),
    "unowned": (Row(4, 900, 100, "N/A", EARLIER),),
    "unowned-broker": tuple(Row(number, 900, 100, "N/A", EARLIER, broker="broker-b") for number in range(2)),
    "unowned-topic": (Row(0, 900, 100, "N/A", EARLIER, topic="U"),),
    "ahead": (Row(4, 100, 900),),
    "uneven-addresses": (Row(4, client="10.0.0.1"), Row(5, client="10.0.0.1")),
    "queue-busy": (Row(4, 9000, 6000),),
    "broker-stands": tuple(
        Row(number, 900, 100, f"10.0.0.{1 + number}", EARLIER, broker="broker-b") for number in range(2)
    ),
    "client-stands": tuple(Row(number, 900, 100, "10.0.0.3", EARLIER) for number in range(4, 6)),
    "retries-wait": (Row(0, 900, 100, "10.0.0.1", EARLIER, topic="%RETRY%G"),),
}
"""Kind -> rows that are added to a healthy table, and show it."""


def test_healthy_table_shows_nothing():
    for release in (OLD, NEW):
        assert shown(progress(EVEN, release)) == []
        assert shown(progress(EVEN, release, clients=False)) == []


@pytest.mark.parametrize("kind", FAULTS)
def test_fault_in_a_healthy_table_is_shown(kind):
    rows = (*EVEN, *FAULTS[kind])
    text = progress(rows, OLD)
    if kind == "stands-pulled":
        text = progress(rows, NEW).replace("800                  0  ", "800                  32 ")
    if kind == "queue-busy":
        text = text.replace("Consume TPS: 0.00", "Consume TPS: 5.00")
    found = shown(text)
    assert found[:1] == [kind]
    assert causes(text)[:1] == list(kinds()[kind].causes[:1])


@pytest.mark.parametrize("name", ["N/A", None])
def test_missing_client_says_nothing_if_no_row_has_one(name):
    rows = [Row(number, 150, 100, "N/A") for number in range(4)]
    text = progress(rows, OLD, clients=name is not None)
    assert shown(text) == []
    assert "-s true" in "\n".join(by_tables(observed(parsed(text), Asked()), Asked()))


def test_inflight_tells_a_blocked_listener_from_a_lost_pull():
    stuck = (*EVEN, Row(4, 900, 100, "10.0.0.1", EARLIER))
    assert shown(progress(stuck, NEW)) == ["stands-not-pulled"]
    assert causes(progress(stuck, NEW))[0] == "pull-request-lost"


def test_two_tables_show_what_moved():
    one = progress([Row(0, 200, 100), Row(1, 200, 100)], OLD)
    two = progress([Row(0, 300, 100), Row(1, 300, 250)], OLD)
    assert shown(one, two) == ["stands"]
    assert shown(one, progress([Row(0, 300, 20), Row(1, 300, 250)], OLD)) == ["went-back"]
    assert shown(one, progress([Row(0, 300, 95), Row(1, 300, 250)], OLD)) == ["went-back-little"]
    assert shown(one, progress([Row(0, 300, 100), Row(1, 300, 100)], OLD)) == ["all-stand"]
    assert shown(one, progress([Row(0, 210, 205), Row(1, 210, 206)], OLD)) == []
    slow = progress([Row(0, 9000, 400), Row(1, 9000, 500)], OLD)
    assert shown(one, slow) == ["lag-grows"]


def test_tables_of_two_groups_are_not_compared():
    one = "$ mqadmin consumerProgress -g G -s true\n" + progress([Row(0, 200, 100), Row(1, 100, 100)], OLD)
    two = "$ mqadmin consumerProgress -g H -s true\n" + progress([Row(0, 200, 20), Row(1, 100, 100)], OLD)
    assert "went-back" not in shown(one, two)
    assert shown(one, two.replace("-g H", "-g G")) == ["went-back"]


def test_offset_below_the_topics_minimum_is_shown():
    topic = (
        "#Broker Name  #QID  #Min Offset  #Max Offset  #Last Updated\nbroker-a  0  150  200  2024-05-01 10:00:00,123\n"
    )
    assert shown(progress([Row(0, 200, 100)], OLD), topic)[0] == "below-minimum"


def test_listed_member_without_a_queue_is_shown_beside_queues_without_a_client():
    table = progress((*EVEN, Row(4, 900, 100, "N/A", EARLIER)), OLD)
    members = status([("10.0.0.1@7", "V4_9_8"), ("10.0.0.2@7", "V4_9_8"), ("10.0.0.9@7", "V4_9_8")])
    assert shown(table, members) == ["member-silent", "unowned"]
    assert causes(table, members)[0] == "host-vanished"
    assert shown(table, members.replace("10.0.0.9", "10.0.0.2")) == ["same-id", "unowned"]
    assert shown(progress(EVEN, OLD), members) == []


MEMBERS = {
    "blocked": (Consumer((Entry(0), Entry(1, cached=4, consumed="20240501095000000"))),),
    "not-locked": (Consumer((Entry(0, locked=True), Entry(1)), orderly=True),),
    "dropped": (Consumer((Entry(0), Entry(1, dropped=True))),),
    "unlock-failed": (Consumer((Entry(0, dropped=True, tries=2),)),),
    "not-pulled": (Consumer((Entry(0), Entry(1, pulled="20240501095000000"))),),
    "no-subscription": (Consumer(subscriptions=(("%RETRY%G", "*"),)),),
    "idle": (Consumer(entries=()),),
    "shared": (Consumer(), Consumer(address="10.0.0.2")),
    "strategies": (Consumer(), Consumer((Entry(1),), strategy="AllocateByCircle", address="10.0.0.2")),
    "tags": (Consumer(), Consumer((Entry(1),), (("%RETRY%G", "*"), ("T", "A")), address="10.0.0.2")),
    "other-subscriptions": (Consumer(), Consumer((Entry(1),), (("%RETRY%G", "*"), ("U", "*")), address="10.0.0.2")),
    "uneven": (Consumer(), Consumer(tuple(map(Entry, (1, 2, 3))), address="10.0.0.2")),
}


@pytest.mark.parametrize("kind", MEMBERS)
def test_fault_in_members_reports_is_shown(kind):
    assert shown(*map(member, MEMBERS[kind]))[:1] == [kind]


def test_healthy_members_show_nothing():
    assert shown(member(Consumer()), member(Consumer((Entry(1),), address="10.0.0.2"))) == []
    assert shown(status([("a@1", "V5_3_3"), ("b@2", "V5_3_3")])) == []
    answer = observed(parsed(status([("a@1", "V5_3_3"), ("b@2", "V4_9_8")])), Asked())
    assert not answer.shown, "versions alone are no fault"
    assert any("V4_9_8 and V5_3_3" in one for one in answer.notes)


TABLES = {
    "progress": progress((*EVEN, Row(4, 900, 100, "N/A", EARLIER)), NEW),
    "progress 4": progress((*EVEN, Row(4, 900, 100, "10.0.0.2", EARLIER)), OLD),
    "status": status(
        [("10.0.0.1@7", "V5_3_3"), ("10.0.0.2@7", "V5_3_3")],
        "10.0.0.1@7 MessageQueue [topic=T, brokerName=broker-a, queueId=3] can't lock for a while, 90000ms",
    ),
    "JSON": (FOLDER / "dashboard-unowned.json").read_text("utf-8"),
    "connections": (FOLDER / "same-ns.txt").read_text("utf-8"),
}
PROSE = st.lists(
    st.sampled_from(["Hi all,", "thanks!", "大家好，帮忙看一下", "see below:", "## Environment"]), max_size=3
)


def wrapped(text: str, width: int) -> str:
    """The text as a terminal of this width shows it."""
    lines = [line[at : at + width] for line in text.splitlines() for at in range(0, max(len(line), 1), width)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def meaning(text: str) -> list[tuple[str, str]]:
    return [(one.kind.name, one.words) for one in observed(parsed(text), Asked()).shown]


@given(
    st.sampled_from(sorted(TABLES)),
    PROSE,
    PROSE,
    st.sampled_from(["", "> ", ">> ", "    ", "&gt; "]),
    st.booleans(),
    st.sampled_from(["\n", "\r\n"]),
)
def test_table_between_prose_is_read_unchanged(name, above, below, quote, fenced, end):
    table = TABLES[name]
    text = f"```\n{table}\n```" if fenced else table
    lines = [*above, *(f"{quote}{line}" for line in text.splitlines()), *below]
    assert meaning(end.join(lines)) == meaning(table)


@given(st.sampled_from(["progress", "progress 4"]), st.integers(50, 190))
def test_table_that_a_terminal_wrapped_is_read_unchanged(name, width):
    assert meaning(wrapped(TABLES[name], width)) == meaning(TABLES[name])


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030", "utf-16"])
def test_encodings_and_colours_do_not_matter(name, encoding):
    text = "帮忙看一下这个消费者组\n" + TABLES[name].replace("broker-a", "\x1b[31mbroker-a\x1b[0m")
    assert meaning(decoded(text.encode(encoding))) == meaning(TABLES[name])


@given(st.text(st.characters(blacklist_categories=("Cs",)), max_size=400))
def test_any_text_is_read_or_refused(text):
    with suppress(NotReadable):
        observed(parsed(text), Asked())


@given(st.sampled_from(sorted(TABLES)), st.data())
def test_damaged_table_is_read_or_refused(name, data):
    text = TABLES[name]
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, min(len(text), begin + 60)))
    put = data.draw(st.sampled_from(["", "\n", "x", "9", " ", "N/A", "\t", "{"]))
    with suppress(NotReadable):
        observed(parsed(text[:begin] + put + text[end:]), Asked())


def _texts(value):
    if isinstance(value, dict):
        if set(value) == {"en", "zh"}:
            yield value
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


@pytest.mark.parametrize("name", ["tables", "codes", "exceptions"])
def test_texts_have_both_languages_with_the_same_values(name):
    for one in _texts(pasted(name)):
        assert one["en"]
        assert one["zh"]
        assert set(re.findall(r"\{(\w+)\}", one["en"])) == set(re.findall(r"\{(\w+)\}", one["zh"]))


def test_kinds_and_their_causes_are_known():
    assert set(FIRST) == set(kinds())
    names = {cause.name for cause in CAUSES}
    for one in kinds().values():
        assert set(one.causes) <= names
