"""Files, folders, globs and rotated series; each file is read once, and unreadable files are reported."""

import gzip
import os

import pytest

from rebalance_proofs.recorded.logs.pieces import pieces
from rebalance_proofs.recorded.logs.sources import GMT8, NotThere, sources
from rebalance_proofs.recorded.logs.times import date_of

LINE = (
    "2023-01-{:02} 12:00:00,000 INFO RocketmqClient - doRebalance, G, add a new mq, "
    "MessageQueue [topic=T, brokerName=b, queueId=1]\n"
)


@pytest.fixture
def place(tmp_path):
    (tmp_path / "spool").mkdir()
    (tmp_path / "logs").mkdir()
    return tmp_path


def named(place, *paths):
    found, left = sources([str(one) for one in paths], place / "spool")
    return [os.path.basename(one.name) for one in found], {os.path.basename(one.name): one.why for one in left}


def test_rotated_files_are_sorted_by_time(place):
    logs = place / "logs"
    for name, day in (("rocketmq_client.log", 3), ("rocketmq_client.log.1", 2), ("rocketmq_client.log.10", 1)):
        (logs / name).write_text(LINE.format(day), encoding="utf-8")
    (logs / "other_days").mkdir()
    (logs / "other_days" / "rocketmq_client-1.log.gz").write_bytes(gzip.compress(LINE.format(4).encode()))
    found, _ = sources([str(logs)], place / "spool")
    assert len({one.series for one in found}) == 1
    assert [os.path.basename(one.name) for one in found] == [
        "rocketmq_client.log.10",
        "rocketmq_client.log.1",
        "rocketmq_client.log",
        "rocketmq_client-1.log.gz",
    ]


def test_host_numbers_are_no_rotation(place):
    for number in (1, 2):
        (place / "logs" / f"app-{number}.log").write_text(LINE.format(number), encoding="utf-8")
    found, _ = sources([str(place / "logs")], place / "spool")
    assert len({one.series for one in found}) == 2


def test_each_file_is_read_once(place):
    one, other = place / "logs" / "a.log", place / "logs" / "b.log"
    one.write_text(LINE.format(1), encoding="utf-8")
    other.write_text(LINE.format(1), encoding="utf-8")
    names, left = named(place, one, place / "logs", place / "logs" / "*.log")
    assert names == ["a.log"]
    assert left["b.log"].startswith("it has the same content as ")
    assert left["a.log"].startswith("it is the same file as")


def test_unreadable_files_are_reported(place):
    logs = place / "logs"
    (logs / "good.log").write_text(LINE.format(1), encoding="utf-8")
    (logs / "binary").write_bytes(bytes(range(256)) * 40 + b"\0" * 5000)
    (logs / "empty.log").write_bytes(b"")
    (logs / "packed.zip").write_bytes(b"PK\x03\x04rest")
    (logs / "torn.log.gz").write_bytes(b"\x1f\x8b\x08\x00")
    (logs / "gone.log").symlink_to(logs / "nowhere")
    names, left = named(place, logs)
    assert names == ["good.log"]
    assert left == {
        "binary": "it is not a text file",
        "empty.log": "it is empty",
        "packed.zip": "it is compressed with zip: unpack it, or use gzip",
        "torn.log.gz": left["torn.log.gz"],
        "gone.log": "no such file or directory",
    }
    assert "damaged" in left["torn.log.gz"]


@pytest.mark.parametrize("path", ["/no/such/file", "/no/such/*.log", "", "a\0b"])
def test_missing_path_is_an_error(place, path):
    with pytest.raises(NotThere):
        sources([path], place / "spool")


def test_file_with_leading_zeros_is_read(place):
    (place / "logs" / "a.log").write_bytes(b"\0" * 20_000 + LINE.format(1).encode())
    assert named(place, place / "logs") == (["a.log"], {})


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("2023-01-31 12:00:00.123 INFO  [1] [main] [RocketmqClient#?:?] - x\n", GMT8),
        ("2023-01-31 12:00:00 INFO HeartbeatThread_1 - new consumer connected\n", GMT8),
        ("2023-01-31 12:00:00,123 INFO RocketmqClient - x\n", None),
        ("2023-01-31T12:00:00.123Z x\n", 0),
    ],
)
def test_zone_is_known_from_the_layout(place, text, zone):
    (place / "logs" / "a.log").write_text(text, encoding="utf-8")
    (found,), _ = sources([str(place / "logs")], place / "spool")
    assert found.zone == zone


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_other_encodings_are_read(place, encoding):
    (place / "logs" / "a.log").write_bytes((LINE.format(1) * 3).encode(encoding))
    (found,), _ = sources([str(place / "logs")], place / "spool")
    assert b"".join(pieces(found.path)).count(b"doRebalance, G") == 3


@pytest.mark.parametrize("size", [1, 50, 137, 138, 139, 1000])
def test_slices_give_the_whole_file(place, size):
    """Lines without a time belong to the line before, wherever the file is split."""
    text = "".join(LINE.format(day) + "\tat Foo\nmore\n" * (day % 3) for day in range(1, 20)).encode()
    path = place / "logs" / "a.log"
    path.write_bytes(text)
    parts = [b"".join(pieces(path, at, min(at + size, len(text)))) for at in range(0, len(text), size)]
    assert b"".join(parts) == text
    assert all(part.startswith(b"2023") for part in parts if part)


def test_endless_line_uses_little_memory(place):
    path = place / "logs" / "a.log"
    path.write_bytes(b"x" * 30_000_000 + b"\n" + LINE.format(1).encode())
    got = list(pieces(path))
    assert sum(map(len, got)) < 6_000_000
    assert got[-1].endswith(b"queueId=1]\n")


@pytest.mark.parametrize(("day", "order", "first"), [("31/05", "dmy", "2024-04-05"), ("05/31", "mdy", "2024-05-04")])
def test_unambiguous_date_decides_the_order_of_day_and_month(place, day, order, first):
    (place / "logs" / "a.log").write_text(f"05/04/2024 10:00:00 x\n{day}/2024 10:00:00 x\n", encoding="utf-8")
    (found,), _ = sources([str(place / "logs")], place / "spool")
    assert found.order == order
    assert f"{date_of(found.first):%Y-%m-%d}" == first


@pytest.mark.parametrize(
    ("changed", "year"), [(1_704_067_200, 2024), (1_704_067_199, 2023), (1_735_689_599, 2024), (0, 1970)]
)
def test_year_is_that_of_the_last_modification(place, changed, year):
    path = place / "logs" / "a.log"
    path.write_text("01-01 00:00:01 x\n", encoding="utf-8")
    os.utime(path, (changed, changed))
    (found,), _ = sources([str(place / "logs")], place / "spool")
    assert found.year == year
    assert found.day == changed // 86_400 * 86_400_000
