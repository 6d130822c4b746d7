"""Output of mqadmin is parsed as printed; errors in a file are reported."""

from datetime import datetime
from pathlib import Path

import pytest

from rebalance_proofs.recorded.logs.sources import sources
from rebalance_proofs.report.audit.printed import with_tables
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.cause import Sign
from rebalance_proofs.report.symptoms.fits import question_of
from rebalance_proofs.report.symptoms.mqadmin.members import NotReadable
from rebalance_proofs.report.symptoms.mqadmin.read import read
from rebalance_proofs.report.symptoms.mqadmin.signs import seen
from tests.report.symptoms.printed import NEW, OLD, Consumer, Entry, Row, member, progress, status


@pytest.fixture
def signs(tmp_path):
    """Signs in these texts, each in a file of its own."""

    def of(*texts: str) -> set[Sign]:
        return {one.sign for one in seen(read(files(tmp_path, *texts)))}

    return of


def files(folder: Path, *texts: str) -> list[Path]:
    paths = [folder / f"{place}.txt" for place in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


both = pytest.mark.parametrize("release", [OLD, NEW])
EVEN = (Row(0), Row(1, client="10.0.0.2"))


@both
@pytest.mark.parametrize("clients", [True, False])
def test_table_is_parsed_as_printed(tmp_path, release, clients):
    rows = (Row(0, 120, 20), Row(1, 7, 7, "10.0.0.2", "N/A", topic="T" * 80), Row(2, 5, 9, last=""))
    (table,) = read(files(tmp_path, progress(rows, release, clients))).tables
    assert table.with_clients is clients
    assert [(row.broker_offset, row.consumer_offset) for row in table.rows] == [(120, 20), (7, 7), (5, 9)]
    assert [row.client for row in table.rows] == ([row.client for row in rows] if clients else [None] * 3)
    assert [bool(row.last) for row in table.rows] == [True, False, False]
    assert table.rows[1].queue == ("T" * 64, "broker-a", 1)


@both
def test_healthy_group_has_no_sign(signs, release):
    assert signs(progress(EVEN, release)) == set()
    assert signs(status([("a@1", "V5_3_3"), ("b@2", "V5_3_3")])) == set()
    assert signs(member(Consumer()), member(Consumer(entries=(Entry(1),), address="10.0.0.2"))) == set()


@both
@pytest.mark.parametrize(
    ("rows", "sign"),
    [
        ((*EVEN, Row(2, client="N/A")), Sign.UNOWNED),
        ((*EVEN, Row(2, 5, 9)), Sign.SKIPPED_AHEAD),
        ((*EVEN, Row(2, 101, 100, last="2024-05-01 09:57:59")), Sign.BEHIND),
        ((*EVEN, Row(2), Row(3)), Sign.UNEVEN_TOPIC),
        ((*EVEN, Row(0, topic="U"), Row(0, topic="V")), Sign.UNEVEN),
    ],
)
def test_sign_is_found_in_a_table(signs, release, rows, sign):
    beside = {Sign.ONE_ADDRESS} if sign in (Sign.UNEVEN, Sign.UNEVEN_TOPIC) else set()
    assert signs(progress(rows, release)) == {sign, *beside}


@pytest.mark.parametrize(
    "rows",
    [
        (*EVEN, Row(2, 100, 100, last="2024-05-01 09:00:00")),  # nothing waits
        (*EVEN, Row(2, 101, 100, last="2024-05-01 09:58:00")),  # two minutes, and no more
        (*EVEN, Row(2)),  # one more than the other has
        (*EVEN, *(Row(place, topic="%RETRY%G") for place in range(9))),
    ],
)
def test_ordinary_table_has_no_sign(signs, rows):
    assert signs(progress(rows)) == set()


def test_lag_of_a_queue_without_client_is_no_extra_sign(signs):
    nobody = Row(2, 200, 100, "N/A", "2024-05-01 09:00:00")
    assert signs(progress((*EVEN, nobody))) == {Sign.UNOWNED}
    assert signs(progress((*EVEN, nobody)), progress((*EVEN, nobody))) == {Sign.UNOWNED}


def test_two_tables_show_what_moved(signs):
    before = (Row(0, 100, 50), Row(1, 100, 90, "10.0.0.2"), Row(2, 100, 100))
    after = (Row(0, 120, 50), Row(1, 120, 80, "10.0.0.2"), Row(2, 100, 100))
    assert signs(progress(before), progress(after)) == {Sign.STANDS, Sign.WENT_BACK}
    one = (Row(0, 100, 99), Row(1, 100, 90, "10.0.0.2"), Row(2, 100, 100))
    two = (Row(0, 101, 99), Row(1, 100, 91, "10.0.0.2"), Row(2, 101, 100))
    assert signs(progress(one), progress(two)) == {Sign.STANDS}, "one message waits, then two; none, then one"
    moving = (Row(0, 120, 60), Row(1, 120, 91, "10.0.0.2"), Row(2, 100, 100))
    assert signs(progress(before), progress(moving)) == set()


QUEUE = "MessageQueue [topic=T, brokerName=broker-a, queueId=3]"


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        (status([("a@1", "V5_3_3"), ("a@1", "V5_3_3")]), Sign.SAME_ID),
        (status([("a@1", "V5_3_3"), ("b@2", "V4_9_8")]), Sign.VERSIONS),
        (status([("a@1", "V5_3_3")], same=False), Sign.SUBSCRIPTIONS),
        (status([("a@1", "V5_3_3")], f"a@1 {QUEUE} can't consume for a while, maybe blocked, 61000ms"), Sign.BLOCKED),
        (status([("a@1", "V5_3_3")], f"a@1 {QUEUE} can't lock for a while, 90000ms"), Sign.NOT_LOCKED),
        (status([("a@1", "V5_3_3")], f"a@1 {QUEUE} unlock 3 times, still failed"), Sign.UNLOCK_FAILED),
    ],
)
def test_sign_is_found_in_the_list_of_members(signs, text, sign):
    assert signs(text) == {sign}


NEWER = "20240501101000000"
OLDER = "20240501095759000"


@pytest.mark.parametrize(
    ("one", "sign"),
    [
        (Consumer(subscriptions=(("%RETRY%G", "*"),)), Sign.NO_SUBSCRIPTION),
        (Consumer(entries=()), Sign.IDLE),
        (Consumer(entries=(Entry(0), Entry(1, dropped=True))), Sign.DROPPED),
        (Consumer(entries=(Entry(0, locked=True), Entry(1)), orderly=True), Sign.NOT_LOCKED),
        (Consumer(entries=(Entry(0), Entry(1, pulled=OLDER))), Sign.NOT_PULLED),
        (Consumer(entries=(Entry(0), Entry(1, cached=4, consumed=OLDER))), Sign.BLOCKED),
    ],
)
def test_sign_is_found_in_running_info(signs, one, sign):
    assert signs(member(one)) == {sign}


NEVER = "19700101000000000"
"""As it is printed of a queue of which nothing was consumed yet, where mqadmin runs in UTC."""


def test_newest_pull_is_the_time_where_nothing_was_consumed(signs):
    entries = Entry(0, consumed=NEVER), Entry(1, pulled=OLDER, consumed=NEVER)
    assert signs(member(Consumer(entries=entries))) == {Sign.NOT_PULLED}


def test_failed_unlock_is_found_beside_the_dropped_mark(signs):
    assert signs(member(Consumer(entries=(Entry(0, dropped=True, tries=2),)))) == {Sign.DROPPED, Sign.UNLOCK_FAILED}


THERE = {"address": "10.0.0.2"}


@pytest.mark.parametrize(
    ("other", "sign"),
    [
        (Consumer((Entry(0),), **THERE), Sign.SHARED),
        (Consumer((Entry(1),), (("T", "TagA"),), **THERE), Sign.SUBSCRIPTIONS),
        (Consumer((Entry(1),), strategy="AllocateMessageQueueAveragelyByCircle", **THERE), Sign.STRATEGIES),
        (Consumer((Entry(1),), version="V4_9_8", **THERE), Sign.VERSIONS),
        (Consumer((Entry(1), Entry(2), Entry(3)), **THERE), Sign.UNEVEN_TOPIC),
        (Consumer((Entry(1),)), Sign.SAME_ID),
    ],
)
def test_members_are_compared(signs, other, sign):
    assert signs(member(Consumer()), member(other)) == {sign}
    assert signs(member(Consumer()) + "\n" + member(other)) == {sign}, "one behind the other"


def test_two_reports_of_one_process_are_compared_in_time(signs):
    """Seeded fault: the later report of a process is another process with the same id."""
    started = {"PROP_CONSUMER_START_TIMESTAMP": "1714557000000"}
    first = member(Consumer((Entry(0, cached=3),), more=started))
    stands = member(Consumer((Entry(0, cached=3, pulled=NEWER, consumed=NEWER),), more=started))
    moves = member(Consumer((Entry(0, cached=3, commit=9, pulled=NEWER, consumed=NEWER),), more=started))
    assert signs(first, stands) == {Sign.STANDS}
    assert signs(first, moves) == set()


def test_members_with_one_id_are_compared_separately(signs):
    assert signs(member(Consumer()), member(Consumer((Entry(1), Entry(2), Entry(3))))) == {
        Sign.SAME_ID,
        Sign.UNEVEN_TOPIC,
    }


def test_repeated_file_is_one_member(signs):
    assert signs(member(Consumer()), member(Consumer())) == set()


def test_broadcasting_members_have_the_same_queues(signs):
    assert signs(member(Consumer(model="BROADCASTING")), member(Consumer(model="BROADCASTING", **THERE))) == set()
    # A member that is not, beside one that is, has what it would have without it.
    assert Sign.SHARED not in signs(member(Consumer(model="BROADCASTING")), member(Consumer(**THERE)))


def test_dropped_queue_has_no_owner(signs):
    assert signs(member(Consumer()), member(Consumer((Entry(0, dropped=True), Entry(1)), **THERE))) == {Sign.DROPPED}


def test_file_names_its_client(tmp_path):
    printed = read(files(tmp_path, member(Consumer(orderly=True, version="V5_1_4"))))
    assert question_of(printed, Asked()) == Asked("5.1.4", "push orderly")
    assert question_of(printed, Asked("4.9.8", "push")) == Asked("4.9.8", "push")
    mixed = read(files(tmp_path, member(Consumer(version="V5_1_4")), member(Consumer(version="V4_9_8"))))
    assert question_of(mixed, Asked()) == Asked("", "push")
    newer = read(files(tmp_path, status([("a@1", "V9_9_9")])))
    assert question_of(newer, Asked()) == Asked()


BROKEN = {
    "empty": ("", "not output of `mqadmin"),
    "foreign": ("GROUP  TOPIC  PARTITION  CURRENT-OFFSET\n", "not output of `mqadmin"),
    "all groups": ("#Group   #Count  #Version\nG  1  V5_3_3\n", "a list of groups; print one group"),
    "no rows": (progress(()).splitlines()[0], "the table of consumerProgress has no rows"),
    "no number": (progress(EVEN).replace(" 100 ", " 1e2 "), "the table of consumerProgress has no rows"),
    "no property": ("#Consumer Properties#\nnothing\n", "without properties"),
    "no queue": (
        member(Consumer()).replace("ProcessQueueInfo [", "ProcessQueueInfo ("),
        "not a queue of consumerStatus",
    ),
    "no time of a queue": (
        member(Consumer()).replace("20240501100000000", "yesterday"),
        "not a queue of consumerStatus",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_or_foreign_file_is_refused_with_its_line(tmp_path, name):
    text, said = BROKEN[name]
    with pytest.raises(NotReadable) as refused:
        read(files(tmp_path, text))
    assert said in str(refused.value)
    assert "0.txt" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_unreadable_file_is_refused(tmp_path):
    with pytest.raises(NotReadable, match="No such file"):
        read([tmp_path / "none.txt"])
    with pytest.raises(NotReadable, match="folder"):
        read([tmp_path])
    (tmp_path / "binary").write_bytes(b"\x7fELF\x00\x01\x80\x00")
    with pytest.raises(NotReadable, match="it is not a text file"):
        read([tmp_path / "binary"])


def test_members_of_two_groups_are_refused(tmp_path):
    with pytest.raises(NotReadable, match=r"members of 2 groups \(G, H\)"):
        read(files(tmp_path, member(Consumer()), member(Consumer(group="H"))))


def test_log_output_before_the_table_is_skipped(signs):
    assert signs("RocketMQLog:WARN No appenders could be found\n" + progress(EVEN)) == set()


def test_a_table_of_3_x_has_no_time(tmp_path):
    path = tmp_path / "progress.txt"
    path.write_text(
        "#Topic  #Broker Name  #QID  #Broker Offset  #Consumer Offset  #Diff\n"
        "T       broker-a      0     100             120               -20\n\nConsume TPS: 0\n",
        encoding="utf-8",
    )
    (found,) = read([path]).tables
    assert [(row.queue, row.diff, row.last) for row in found.rows] == [(("T", "broker-a", 0), -20, None)]


def test_connections_are_parsed_as_members(tmp_path):
    path = tmp_path / "connection.txt"
    path.write_text(
        "#ClientId      #ClientAddr     #Language  #Version\n"
        "10.0.0.1@1     10.0.0.1:5555   JAVA       V4_9_8\n"
        "10.0.0.1@1     10.0.0.1:5556   JAVA       V5_3_3\n\nBelow is subscription:\n",
        encoding="utf-8",
    )
    printed = read([path])
    assert printed.lists[0].members == (("10.0.0.1@1", "V4_9_8"), ("10.0.0.1@1", "V5_3_3"))
    assert {one.sign for one in seen(printed)} == {Sign.SAME_ID, Sign.VERSIONS}


def test_a_list_of_3_2_has_no_heading(tmp_path):
    path = tmp_path / "status.txt"
    path.write_text(
        "001  10.0.0.1@1    V3_2_6    /home/a/1/10.0.0.1@1\n002  10.0.0.1@1    V3_5_8    /home/a/1/10.0.0.1@2\n\n"
        "Same subscription in the same group of consumer\n",
        encoding="utf-8",
    )
    printed = read([path])
    assert printed.lists[0].members == (("10.0.0.1@1", "V3_2_6"), ("10.0.0.1@1", "V3_5_8"))
    assert {one.sign for one in seen(printed)} == {Sign.SAME_ID, Sign.VERSIONS}
    path.write_text("001  10.0.0.1@1    V3_2_6    /home/a/1\n002  10.0.0.1@1\n", encoding="utf-8")
    assert read([path]).lists[0].members == (("10.0.0.1@1", "V3_2_6"),), "a row that is cut off is left out"


ROWS = (("pay", "broker-a", 0, 120, 100, "10.0.0.1@7"), ("pay", "broker-a", 1, 120, 120, "N/A"))
TIMES = "0 2021-03-09 20:16:19"
PASTED = {
    "Markdown": "|#Topic | #Broker Name | #QID | #Broker Offset | #Consumer Offset | #Client IP | #Diff | #LastTime |\n"
    "|---|:---|---:|---|---|---|---|---|\n"
    "| pay | broker-a | 0 | 120 | 100 | 10.0.0.1@7 | 20 | 2021-03-09 20:16:19 |\n"
    "| pay | broker-a | 1 | 120 | 120 |  | 0 | 2021-03-09 20:16:19 |\n",
    "a mail": "&gt; #Topic #Broker Name #QID #Broker Offset #Consumer Offset #Client IP #Diff #LastTime\n"
    "> pay broker-a 0 120 100 10.0.0.1@7 20 2021-03-09 20:16:19\n> pay broker-a 1 120 120 N/A 0 2021-03-09 20:16:19\n",
    "spaces of a page": "#Topic\u00a0 #Broker Name #QID #Broker Offset #Consumer Offset #Client IP #Diff #LastTime\n"
    "pay\u00a0 broker-a 0 120 100 10.0.0.1@7 20 2021-03-09 20:16:19\npay broker-a 1 120 120 N/A " + TIMES,
    "the dashboard": "Topic | pay | Delay | 20\n"
    "Broker | Queue | consumerClient | brokerOffset | consumerOffset | diffTotal | lastTimestamp\n"
    "-- | -- | -- | -- | -- | -- | --\n"
    "broker-a | 0 | 10.0.0.1@7 | 120 | 100 | 20 | 2021-03-09 20:16:19\n"
    "broker-a | 1 |  | 120 | 120 | 0 | 2021-03-09 20:16:19\n",
    "the dashboard, with tabs": "Topic:\tpay\n"
    "Broker\tQueue\tconsumer Client\tbroker Offset\tconsumer Offset\tdiff Total\tlast Timestamp\n"
    "broker-a\t0\t10.0.0.1@7\t120\t100\t20\t2021-03-09 20:16:19\n"
    "broker-a\t1\t\t120\t120\t0\t2021-03-09 20:16:19\n",
}


@pytest.mark.parametrize("how", PASTED)
def test_pasted_table_is_parsed(tmp_path, how):
    path = tmp_path / "pasted.txt"
    path.write_text(PASTED[how], "utf-8")
    (table,) = read([path]).tables
    assert [(*row.queue, row.broker_offset, row.consumer_offset, row.client) for row in table.rows] == list(ROWS)
    assert {row.last for row in table.rows} == {datetime(2021, 3, 9, 20, 16, 19)}
    found, left = sources([str(path)], tmp_path)
    (source,) = with_tables(found)
    assert source.mqadmin
    assert not left


def test_bar_in_a_cell_of_a_tab_separated_table_is_kept(tmp_path):
    path = tmp_path / "pasted.txt"
    path.write_text(PASTED["the dashboard, with tabs"].replace("10.0.0.1@7", "10.0.0.1@7|a"), "utf-8")
    (found,) = read([path]).tables
    assert found.rows[0].client == "10.0.0.1@7|a"
