"""The reader of recorded groups: its results for a good recording, its messages for bad ones."""

import gzip
import json
from collections.abc import Callable

import pytest

from rebalance_proofs.recorded.groups.broker import Heard, Key, Member, Table, lock_of, members
from rebalance_proofs.recorded.groups.driver import RunEnd, StartConsumer, StartNameServer
from rebalance_proofs.recorded.groups.event import GroupData, Sent
from rebalance_proofs.recorded.groups.member import Begin, End, EntryNew, Gap
from rebalance_proofs.recorded.groups.names import DRIVER, PROCESSES
from rebalance_proofs.recorded.groups.record import RecordingError
from rebalance_proofs.recorded.groups.run import APART, Run, of_kind
from tests.each import each

START = 1_795_460_711_242
DRIVEN = [
    {"at": START, "who": "driver", "ev": "start-name-server"},
    {"at": START + 9_000, "who": "driver", "ev": "end"},
]
NEW = {"at": START + 5, "who": "c0", "ev": "entry-new", "q": "T1:b0:1", "entry": "a1", "locked": True, "n": 0}
Write = Callable[..., Run]


@pytest.fixture
def write(tmp_path) -> Write:
    """Writes a recording with these lines; a text is a line as it is."""

    def write_run(driver: list[dict[str, object] | str] = DRIVEN, suffix: str = ".jsonl.gz", **processes: list) -> Run:
        for who, rows in {"driver": driver, **processes}.items():
            raw = "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows).encode()
            (tmp_path / f"{who}{suffix}").write_bytes(gzip.compress(raw) if suffix.endswith(".gz") else raw)
        return Run(tmp_path)

    return write_run


def lines(*rows: dict[str, object]) -> list[dict[str, object]]:
    """Lines of c0, numbered."""
    return [{"at": START + number, "who": "c0", **row, "n": number} for number, row in enumerate(rows)]


def told(run: Run, *names: str) -> str:
    """What is wrong with the recording, without where the test wrote it."""
    with pytest.raises(RecordingError) as caught:
        list(run.events(*names))
    return str(caught.value).replace(str(run.folder), "RUN")


class TestGood:
    def test_times_are_relative_to_the_drivers_first_event(self, write):
        (new,) = write(c0=[NEW]).events("c0")
        assert new == EntryNew(at=5, who="c0", n=0, q="T1:b0:1", entry="a1", locked=True)

    def test_events_of_all_processes_are_sorted_by_time(self, write):
        later = {**NEW, "who": "c1", "at": START + 3}
        assert [type(event) for event in write(c0=[NEW], c1=[later]).events()] == [
            StartNameServer,
            EntryNew,
            EntryNew,
            RunEnd,
        ]
        assert [event.who for event in write(c0=[NEW], c1=[later]).events("c0", "c1")] == ["c1", "c0"]

    def test_late_line_is_sorted_by_its_time(self, write):
        second = {**NEW, "at": START + 4, "n": 1, "q": "T1:b0:2"}
        found = of_kind(write(c0=[NEW, second]).events("c0"), EntryNew)
        assert [(event.at, event.n, event.q) for event in found] == [(4, 1, "T1:b0:2"), (5, 0, "T1:b0:1")]

    def test_events_of_one_millisecond_keep_their_order(self, write):
        same = [{**NEW, "n": number, "q": f"T1:b0:{number}"} for number in range(4)]
        assert [event.n for event in write(c0=same).events("c0")] == [0, 1, 2, 3]

    def test_plain_file_is_read(self, write):
        assert len(list(write(suffix=".jsonl", c0=[NEW]).events())) == 3

    def test_other_files_are_ignored(self, write, tmp_path):
        (tmp_path / "README.md").write_text("about", encoding="utf-8")
        (tmp_path / "logs").mkdir()
        assert set(write(c0=[NEW]).files) == {"driver", "c0"}

    def test_files_are_read_on_demand(self, write):
        run = write(c0=["no JSON"])
        assert set(run.files) == {"driver", "c0"}
        assert len(list(run.events("driver"))) == 2
        with pytest.raises(RecordingError):
            run.events("c0")

    def test_restarted_process_may_reuse_its_name(self, write):
        assert len(list(write(c0=[NEW, {**NEW, "n": 1}, NEW, {**NEW, "n": 1}]).events("c0"))) == 4

    def test_two_simultaneous_processes_with_one_name_are_refused(self, write):
        rows = [NEW, {**NEW, "n": 1}, NEW, {**NEW, "n": 2}, {**NEW, "n": 1}, {**NEW, "n": 3}]
        assert len(list(write(c0=rows).events("c0"))) == 6

    def test_field_names_are_converted(self, write):
        begin = {"ev": "begin", "q": "T1:b0:1", "offsets": [3, 4], "keys": ["k", "l"], "tag": None, "thread": "x"}
        rows = lines(
            {**begin, "reconsumeTimes": 2, "bornAgo": 7},
            {"ev": "end", "q": "q", "from": 3, "to": 4, "result": "SUCCESS"},
        )
        began, ended = write(c0=rows).events("c0")
        assert isinstance(began, Begin)
        assert (began.offsets, began.keys, began.tag, began.reconsume_times, began.born_ago) == (
            (3, 4),
            ("k", "l"),
            None,
            2,
            7,
        )
        assert isinstance(ended, End)
        assert (ended.from_, ended.to, ended.interrupted) == (3, 4, False)

    def test_time_field_of_an_event_is_not_its_time(self, write):
        (gap,) = write(c0=lines({"ev": "gap", "ms": 150_025})).events("c0")
        assert gap == Gap(at=0, who="c0", n=0, ms=150_025)

    def test_start_options_of_a_consumer_are_read(self, write):
        row = {"at": START + 1, "who": "driver", "ev": "start-consumer", "of": "c0", "id": "x", "ms": 20}
        run = write([*DRIVEN, {**row, "mode": "ordered", "set_consumeTimeout": 3, "props": None}])
        assert run.consumers == {
            "c0": StartConsumer(
                at=1, who="driver", of="c0", id="x", ms=20, mode="ordered", settings={"consumeTimeout": 3}
            )
        }
        assert run.consumers["c0"].group == "G"
        assert (run.members("G"), run.members("H")) == (("c0",), ())

    def test_system_properties_are_numbers_or_texts(self, write):
        row = {"at": START + 7, "who": "driver", "ev": "start-consumer", "of": "c0", "id": "c0", "ms": 20}
        (start,) = of_kind(write([*DRIVEN, {**row, "props": {"a": 35_000, "b": "7"}}]).events(), StartConsumer)
        assert start.numbers({"first": "a", "second": "b", "third": "c"}) == {"first": 35_000, "second": 7}

    def test_heartbeat_is_read(self, write):
        said = {"clientID": "i@c0", "groups": [{"group": "G", "subs": {"T1": "*@7"}}, {"group": "H", "subs": {}}]}
        (heard,) = write(
            b0=[
                {
                    "at": START,
                    "who": "b0",
                    "ev": "heard",
                    "code": "HEART_BEAT",
                    "from": "p",
                    "opaque": 1,
                    "said": said,
                    "n": 0,
                }
            ]
        ).events("b0")
        assert isinstance(heard, Heard)
        assert heard.said.groups == (GroupData(group="G", subs={"T1": "*@7"}), GroupData(group="H", subs={}))

    def test_numbers_written_as_texts_are_read(self, write):
        said = {"q": "T1:1", "consumerGroup": "G", "queueOffset": "12", "commitOffset": "-1", "subVersion": "7"}
        ask = {
            "ev": "ask",
            "code": "PULL_MESSAGE",
            "opaque": 1,
            "oneway": False,
            "said": said,
            "to": "b",
            "thread": "t",
        }
        (event,) = write(c0=lines(ask)).events("c0")
        assert (event.said.queue_offset, event.said.commit_offset, event.said.sub_version) == (12, -1, 7)

    def test_broker_table_rows_are_read(self):
        row = Table(at=0, who="b0", n=0, what="lock", of="G T1:b0:6", is_=None, was="i@c0")
        assert lock_of(row) == Key("G", "T1:b0:6")
        assert lock_of(Table(at=0, who="b0", n=0, what="members", of="G", is_=None, was="i@c0:1")) is None
        assert members("i@c0:48780 i@c1:48792") == (Member("i@c0", 48780), Member("i@c1", 48792))
        assert members(None) == ()


LACKING = {key: value for key, value in NEW.items() if key != "locked"}
BAD: dict[str, tuple[list, str]] = {
    "unknown": ([{**NEW, "ev": "entry-old"}], 'line 1: unknown event "entry-old"'),
    "a driver's event": ([{**NEW, "ev": "signal"}], 'line 1: unknown event "signal"'),
    "no event": ([{"at": START, "who": "c0", "n": 0}], "line 1: unknown event null"),
    "torn": ([json.dumps(NEW)[:40]], "line 1: not JSON: Expecting value: line 1 column 41 (char 40)"),
    "empty": ([""], "line 1: not JSON: Expecting value: line 1 column 1 (char 0)"),
    "nested lists": (["[" * 100_000], "line 1: nested too deeply"),
    "nested objects": (['{"at":' * 100_000], "line 1: nested too deeply"),
    "nested after a blank": ([" " + "[" * 100_000 + "]" * 100_000], "line 1: nested too deeply"),
    "list": (["[]"], "line 1: [] is not an object"),
    "twice": (['{"at": 1, "at": 2}'], "line 1: an object contains the same key twice"),
    "other's": ([{**NEW, "who": "c1"}], 'line 1: "who" is "c1", but the file belongs to c0'),
    "no time": ([{**NEW, "at": "now"}], 'line 1: "at" is "now", not a number'),
    "no number": ([{**NEW, "n": None}], 'line 1: "n" is null, not a number'),
    "missing line": ([NEW, {**NEW, "n": 2}], 'line 2: "n" is 2, but the process has no earlier line 1'),
    "negative": ([{**NEW, "n": -1}], 'line 1: "n" is -1, but the process has no earlier line -2'),
    "begins late": ([{**NEW, "n": 3}], 'line 1: "n" is 3, but the process has no earlier line 2'),
    "a line twice": (
        [NEW, {**NEW, "n": 1}, {**NEW, "n": 1}],
        'line 3: "n" is 1, but the process has no earlier line 0',
    ),
    "unknown key": ([{**NEW, "age": 3}], 'line 1: entry-new has "age", which is not known'),
    "its own key": ([{**NEW, "epoch": 3}], 'line 1: entry-new has "epoch", which is not known'),
    "lacking": ([LACKING], "line 1: entry-new has no locked"),
    "number": ([{**NEW, "locked": 1}], 'line 1: "locked" of entry-new is 1, neither true nor false'),
    "text": ([{**NEW, "q": None}], 'line 1: "q" of entry-new is null, not a text'),
    "flag": (lines({"ev": "gap", "ms": True}), 'line 1: "ms" of gap is true, not a number'),
    "record": (lines({"ev": "notified", "from": "b", "said": []}), 'line 1: "said" of notified is [], not an object'),
    "within": (
        lines({"ev": "notified", "from": "b", "said": {"queueOffset": "x"}}),
        'line 1: "queueOffset" of "said" of notified is "x", not a number, written as a text',
    ),
    "key within": (
        lines({"ev": "notified", "from": "b", "said": {"x": "y"}}),
        'line 1: "said" of notified has "x", which is not known',
    ),
    "item": (
        lines({"ev": "pulled", "q": "q", "status": "s", "next": 1, "min": 0, "max": 1, "got": [1, "2"]}),
        'line 1: an item of "got" of pulled is "2", not a number',
    ),
    "list wanted": (
        lines({"ev": "pulled", "q": "q", "status": "s", "next": 1, "min": 0, "max": 1, "got": 1}),
        'line 1: "got" of pulled is 1, not a list',
    ),
    "result": (
        lines({"ev": "end", "q": "q", "from": 3, "to": 4, "result": "BANANA"}),
        'line 1: "result" of end is "BANANA", not one of SUCCESS, INTERRUPTED',
    ),
    "no result": (
        lines({"ev": "end", "q": "q", "from": 3, "to": 4, "result": None}),
        'line 1: "result" of end is null, not one of SUCCESS, INTERRUPTED',
    ),
    "member": (
        lines({"ev": "starting", "options": {"ms": 3}}),
        'line 1: "ms" of "options" of starting is 3, not a text',
    ),
}


@each("rows, sentence", BAD.values(), ids=BAD)
def test_damaged_recording_prints_one_sentence(rows, sentence, tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    for who, found in (("driver", DRIVEN), ("c0", rows)):
        text = "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in found)
        (folder / f"{who}.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    assert told(Run(folder), "c0") == f"RUN/c0.jsonl.gz, {sentence}"


class TestBad:
    def test_missing_folder_is_reported(self, tmp_path):
        assert told(Run(tmp_path / "none")) == "cannot read a recording from RUN: No such file or directory"

    def test_missing_driver_is_reported(self, tmp_path):
        assert told(Run(tmp_path)) == "RUN is not a recording: it contains neither driver.jsonl nor driver.jsonl.gz"

    def test_empty_driver_file_is_reported(self, write):
        assert told(write([], c0=[NEW])) == "RUN/driver.jsonl.gz contains no event"

    @pytest.mark.parametrize(
        ("at", "why"),
        [
            (START * 1000, f"more than a day from {START}, the driver's first event"),
            (10**30, f"more than a day from {START}, the driver's first event"),
            (0, f"more than a day from {START}, the driver's first event"),
            (START - APART - 1, f"more than an hour before {START}, the driver's first event"),
            (START + 9_000 + APART + 1, f"more than an hour after {START + 9_000}, the driver's last event"),
        ],
    )
    def test_time_outside_the_run_is_reported(self, write, at, why):
        assert told(write(c0=[NEW, {**NEW, "at": at, "n": 1}])) == f'RUN/c0.jsonl.gz, line 2: "at" is {at}, {why}'

    @pytest.mark.parametrize("at", [START - APART, START + 9_000 + APART])
    def test_time_within_an_hour_of_the_run_is_read(self, write, at):
        (new,) = write(c0=[{**NEW, "at": at}]).events("c0")
        assert new.at == at - START

    def test_time_of_the_driver_outside_the_run_is_reported(self, write):
        why = f'"at" is {10**30}, more than a day from {START}, the driver\'s first event'
        end = {**DRIVEN[1], "at": 10**30}
        assert told(write([DRIVEN[0], end], c0=[NEW])) == f"RUN/driver.jsonl.gz, line 2: {why}"

    @pytest.mark.parametrize("depth", [100, 100_000, *range(800, 1_000, 5)])
    def test_nested_value_is_reported_at_any_depth(self, write, depth):
        """Reading, checking and quoting a value need different depths of the stack."""
        nested = json.dumps({**NEW, "q": 0}).replace('"q": 0', f'"q": {"[" * depth}{"]" * depth}')
        said = told(write(c0=[nested]), "c0")
        assert said.startswith("RUN/c0.jsonl.gz, line 1: ")
        assert said.endswith((": nested too deeply", ", not a text"))

    def test_plain_and_gzipped_copies_are_refused(self, write):
        write()
        assert told(write(suffix=".jsonl")) == "RUN contains driver.jsonl both plain and gzipped; keep one of them"

    def test_unknown_process_is_reported(self, write):
        assert told(write(c0=[NEW]), "c7") == "RUN contains no process c7; its processes are c0, driver"

    def test_folder_in_place_of_a_file_is_reported(self, write, tmp_path):
        (tmp_path / "c0.jsonl.gz").mkdir()
        assert told(write(), "c0") == "cannot read RUN/c0.jsonl.gz: Is a directory"

    @pytest.mark.parametrize("keep", [0.2, 0.5, 0.9])
    def test_truncated_file_is_reported(self, keep, write):
        run = write(c0=[{**NEW, "n": number, "q": f"T1:b0:{number * 7919 % 4001}"} for number in range(500)])
        packed = run.files["c0"].read_bytes()
        run.files["c0"].write_bytes(packed[: int(keep * len(packed))])
        assert "damaged gzip stream: Compressed file ended before" in told(run, "c0")

    def test_binary_file_is_reported(self, write):
        run = write(suffix=".jsonl", c0=[NEW])
        run.files["c0"].write_bytes(b"\xff\xfe")
        assert told(run, "c0") == "RUN/c0.jsonl, line 1: not UTF-8 at byte 1 of the line"

    def test_invalid_setting_is_reported(self, write):
        row = {"at": START, "who": "driver", "ev": "start-consumer", "of": "c0", "id": "x", "ms": 20, "set_x": []}
        assert told(write([*DRIVEN, row]), "driver").startswith(
            'RUN/driver.jsonl.gz, line 3: "x" of "settings" of start-consumer is [], not a'
        )


def test_each_event_has_its_own_record():
    for names in (DRIVER, PROCESSES):
        assert len(set(names.values())) == len(names)
    assert all(record.__doc__ for record in {*DRIVER.values(), *PROCESSES.values()})


def test_producer_line_is_read(write):
    row = {
        "at": START,
        "who": "p",
        "ev": "sent",
        "q": "T1:b0:0",
        "offset": 4,
        "key": "k",
        "tag": "A",
        "status": "SEND_OK",
        "n": 0,
    }
    (sent,) = write(p=[row]).events("p")
    assert sent == Sent(at=0, who="p", n=0, q="T1:b0:0", offset=4, key="k", tag="A", status="SEND_OK")
