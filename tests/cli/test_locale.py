"""Terminals with another encoding than UTF-8: missing characters are escaped, without a stack trace."""

import io
import os
import subprocess
import sys
from contextlib import redirect_stdout

import click
import pytest

from rebalance_proofs.cli.streams import Guarded
from tests.typed import typed

NAME = typed("Größe-日本")
SETTINGS = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "COLUMNS": "100"}


def run(*words, encoding=""):
    """Status and bytes of both streams, as the C locale has them, or an encoding of Python's streams."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "PYTHONIO"))}
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    named = {"PYTHONIOENCODING": encoding} if encoding else {}
    command = [sys.executable, "-m", "rebalance_proofs", *map(os.fsencode, words)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=120, env=env | SETTINGS | path | named)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def logs(tmp_path):
    """A folder of logs whose names are not ASCII, as is a topic with a name too long for its lane."""
    place = tmp_path / NAME
    place.mkdir()
    queue = f"MessageQueue [topic={'a-long-name-of-a-topic' * 2}, brokerName=a-broker-with-a-name, queueId=1]"
    lines = [
        f"2023-01-31 12:00:0{second},000 INFO RocketmqClient - doRebalance, G, add a new mq, {queue}\n"
        for second in range(3)
    ]
    (place / f"{NAME}.log").write_text("".join(lines), encoding="utf-8")
    (place / f"{NAME}.txt").write_text("#Topic #Broker Name #QID #Broker Offset #Other\nT b 0 1 2\n", encoding="utf-8")
    return place


@pytest.mark.parametrize("encoding", ["", "ascii", "ascii:strict", "latin-1:strict"])
def test_answer_in_a_poor_encoding_is_escaped(logs, encoding):
    status, out, err = run("audit", str(logs), encoding=encoding)
    assert (status, err) == (0, b"")
    said = out.decode("latin-1")
    assert "\\u2026" in said  # the lane's name is cut
    assert NAME not in said
    assert "Gr" in said


def test_complaint_in_a_poor_encoding_is_escaped(logs):
    status, out, err = run("audit", str(logs / typed("none…")), encoding="ascii:strict")
    assert (status, out) == (2, b"")
    assert err.decode("ascii").endswith("' does not exist\n")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("words", ["--help", "explore --help", "list --json allocation.avg.disjoint", "why twice"])
def test_answers_of_the_c_locale_are_ascii(words):
    status, out, err = run(*words.split())
    assert (status, err) == (0, b"")
    assert out.isascii()


def test_stream_escapes_what_its_encoding_lacks():
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="strict")
    guarded = Guarded(stream, "standard output")
    assert guarded.write("a… é \udcff\n") == len("a… é \udcff\n")
    guarded.flush()
    assert stream.buffer.getvalue() == b"a\\u2026 \\xe9 \\udcff\n"


def test_click_writes_through_the_guard():
    """Otherwise it would write UTF-8 to the buffer of a stream whose encoding is ASCII."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="strict")
    with redirect_stdout(Guarded(stream, "standard output")):
        click.echo("a…")
    stream.flush()
    assert stream.buffer.getvalue() == b"a\\u2026\n"
