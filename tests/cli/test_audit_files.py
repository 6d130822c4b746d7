"""Files that `rebalance audit` refuses or bounds, files that are cut off, and names that no file has."""

import gzip
import json
import os
import socket
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from rebalance_proofs.recorded.logs import pieces, sources
from tests.cli.process import started
from tests.typed import typed

QUEUE = "MessageQueue [topic=pay, brokerName=broker-a, queueId=0]"
ADDED = f"2024-05-21 10:00:00,000 INFO RocketmqClient - doRebalance, G, add a new mq, {QUEUE}\n"
COMMIT = (
    "2024-05-21 10:00:{:02},000 INFO RocketmqClient - [persistAll] Group: G ClientId: c@1 updateConsumeOffsetToBroker "
    f"{QUEUE} {{}}\n"
)
COMMITS = "".join(COMMIT.format(5 * place, 17_448 + place) for place in range(1, 6))


def said(done):
    return " ".join((done.out + done.err).split())


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/dev/zero", 2, "it is a device, not a file"),
        ("/dev/urandom", 2, "it is a device, not a file"),
        ("/dev/null", 3, "it is empty"),
        ("/proc/self/maps", 3, "it is a file of the kernel, not a log"),
        ("/proc/kmsg", 3, "/proc/kmsg"),
    ],
)
def test_device_or_kernel_file_is_refused(path, status, sentence, call):
    if not os.path.exists(path):
        pytest.skip("the system has no such file")
    done = call("audit", path)
    assert (done.status, sentence in said(done)) == (status, True)


def test_pipes_and_sockets_in_a_folder_are_not_opened(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.log").write_text(ADDED + COMMITS, encoding="utf-8")
    os.mkfifo("pipe.log")
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind("socket.log")
        done = call("audit", ".")
        alone = call("audit", "socket.log")
    assert done.status == 0
    assert "pipe.log: it is a named pipe, not a file" in said(done)
    assert "socket.log: it is a socket, not a file" in said(done)
    assert (alone.status, "it is a socket" in said(alone)) == (2, True)


def test_dense_compressed_file_is_read_up_to_a_limit(call, tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "ENOUGH", 1 << 20)
    monkeypatch.setattr(pieces, "CHUNK", 1 << 10)
    bomb = tmp_path / "bomb.log.gz"
    bomb.write_bytes(gzip.compress((ADDED + COMMITS + ("x" * 999 + "\n") * 10_000).encode()))
    done = call("audit", str(bomb), "--json")
    (file,) = json.loads(done.out)["files"]
    assert done.status == 3
    assert "more than 150 times its size" in file["damage"]
    assert file["told"] == 6
    assert file["lines"] < 5_000


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\0" * 3_000_000, "it is not text"),
        (bytes(range(256)) * 4000, "it is not text"),
        (b"y\n" * 2_000_000, "no line about a consumer group"),
    ],
)
def test_endless_input_is_refused(content, sentence, call, monkeypatch):
    monkeypatch.setattr(sources, "ZEROS", 2_000_000)
    monkeypatch.setattr(sources, "WITHOUT", 2_000_000)
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(content)))
    done = call("audit", "-")
    assert (done.status, sentence in said(done)) == (2, True)


def test_copy_of_a_pipe_leaves_disk_free(call, monkeypatch):
    monkeypatch.setattr(sources, "FREE", 1 << 62)
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(ADDED.encode())))
    done = call("audit", "-")
    assert (done.status, "of disk free" in said(done)) == (2, True)


@pytest.mark.parametrize("cut", [-3, -30])
def test_file_that_ends_within_a_line_is_incomplete(call, tmp_path, cut):
    """A cut offset is lower than the one before, and is no rollback."""
    path = tmp_path / "a.log"
    path.write_text((ADDED + COMMITS)[:cut], encoding="utf-8")
    done = call("audit", str(path), "--json")
    told = json.loads(done.out)
    assert (done.status, told["files"][0]["truncated"]) == (3, True)
    assert [one["findings"] for one in told["groups"]] == [[]]
    assert "Incomplete: nothing is SEEN" in said(call("audit", str(path)))


def test_last_line_without_a_newline_is_complete(call, tmp_path):
    path = tmp_path / "a.log"
    path.write_text((ADDED + COMMITS)[:-1], encoding="utf-8")
    assert call("audit", str(path)).status == 0


@pytest.mark.parametrize(
    ("option", "name", "sentence"),
    [
        ("--group", "GG", "No line is about group GG: the logs name G"),
        ("--topic", "payy", "No line is about topic payy: the logs name pay; did you mean 'pay'?"),
    ],
)
def test_absent_name_is_no_pass(option, name, sentence, call, tmp_path):
    path = tmp_path / "a.log"
    path.write_text(ADDED + COMMITS, encoding="utf-8")
    done = call("audit", str(path), option, name)
    assert (done.status, sentence in said(done)) == (3, True)
    assert call("audit", str(path), option, {"--group": "G", "--topic": "pay"}[option]).status == 0


def test_positions_name_files_uniquely(call, tmp_path):
    for pod in "ab":
        folder = tmp_path / f"pod-{pod}"
        folder.mkdir()
        text = (ADDED + COMMITS).replace("c@1", f"{pod}@1")
        (folder / "rocketmq_client.log").write_text(text, encoding="utf-8")
    done = call("audit", str(tmp_path))
    assert done.status == 1
    assert "pod-a/rocketmq_client.log:1" in done.out
    assert "pod-b/rocketmq_client.log:1" in done.out


def test_report_is_written_without_a_reader_of_the_answer(tmp_path):
    (tmp_path / "a.log").write_text(ADDED + COMMITS, encoding="utf-8")
    page, answer = tmp_path / "page.html", tmp_path / "answer"
    reader, writer = os.pipe()
    os.close(reader)
    with started(
        "audit", str(tmp_path / "a.log"), "--report", str(page), "--output", str(answer), stdout=writer
    ) as process:
        process.communicate()
    os.close(writer)
    assert process.returncode == 141
    assert page.stat().st_size > 0
    assert (answer / "audit.json").stat().st_size > 0


def test_test_is_written_without_a_reader_of_the_answer(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("def allocate(group, current, mq_all, cid_all):\n    return list(mq_all)\n", encoding="utf-8")
    reader, writer = os.pipe()
    os.close(reader)
    test = tmp_path / "test_mine.py"
    with started(
        "check", f"{mine}:allocate", "--queues", "2", "--consumers", "2", "--write-test", str(test), stdout=writer
    ) as process:
        _, err = process.communicate()
    os.close(writer)
    assert (process.returncode, "closed pipe" in err) == (141, True)
    assert "mine" in test.read_text(encoding="utf-8")


def test_names_in_chinese_encodings_are_read(call, tmp_path):
    for coding in ("utf-8", "gb18030", "utf-16"):
        path = tmp_path / f"{coding}.log"
        path.write_bytes((ADDED + COMMITS).replace("G", "支付组").replace("pay", "订单").encode(coding))
        (group,) = json.loads(call("audit", str(path), "--json").out)["groups"]
        assert group["group"] == "支付组"
        assert {one["queue"]["topic"] for one in group["owners"]} == {"订单"}


def test_utf_16_without_a_mark_is_read(call, tmp_path):
    for coding in ("utf-16-le", "utf-16-be"):
        path = tmp_path / "a.log"
        path.write_bytes((ADDED + COMMITS).encode(coding))
        assert call("audit", str(path)).status == 0


def test_tables_are_written_in_the_c_locale(tmp_path):
    folder = tmp_path / typed("日志")
    folder.mkdir()
    (folder / "a.log").write_text(ADDED + COMMITS, encoding="utf-8")
    command = [sys.executable, "-m", "rebalance_proofs", "audit", os.fsencode(folder), "--parquet", "tables"]
    env = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    env["PYTHONPATH"] = os.pathsep.join(sys.path)
    done = subprocess.run(command, capture_output=True, check=False, env=env, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "tables" / "findings.parquet").exists()


def test_passed_audit_names_the_other_kinds_that_are_seen(call, tmp_path):
    path = tmp_path / "broker.log"
    path.write_text(
        "2021-10-27 11:29:03 WARN P_35 - The broker's subscription is not latest, group: G *\n" * 20, encoding="utf-8"
    )
    done = call("audit", str(path))
    assert done.status == 0
    assert "Passed: nothing is SEEN of the kinds that fail the audit" in said(done)
    assert "Other kinds SEEN: refused 1." in said(done)
