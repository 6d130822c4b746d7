"""Wrong calls: one sentence on standard error, status 2, and no file of the user is changed."""

import os
import subprocess
import sys

import pytest

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.spark_enum.preflight import require_java
from tests.cli.bad_calls import CALLS, FAMILIES
from tests.each import each
from tests.report.snapshot import snapshot
from tests.typed import typed


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a file, an empty folder, a folder with a user's file, and two with the wrong kind of entry in a
    file's place.
    """
    root = tmp_path_factory.mktemp("place")
    (root / "file").write_text("mine", encoding="utf-8")
    for name in ("empty", "mine", "folder", "pipe"):
        (root / name).mkdir()
    (root / "mine" / "notes.txt").write_text("mine", encoding="utf-8")
    (root / "folder" / "avg.tsv").mkdir()
    os.mkfifo(root / "pipe" / "avg.tsv")
    return root


OF_EACH_LAYER = ("commands", "values", "claims")
"""Refused by the group of commands, by an option, by what a command calls."""


def named(text: str, place) -> str:
    return text.replace("{place}", str(place))


def every(calls):
    return each(("arguments", "said"), calls, ids=[" ".join(map(repr, arguments)) for arguments, _ in calls])


@every([called for called in CALLS if "--master" not in called[0]])
def test_invalid_call_prints_one_sentence_and_exits_with_status_2(call, arguments, said, place):
    answered(call, arguments, said, place)


@every([called for called in CALLS if "--master" in called[0]])
def test_invalid_master_prints_one_sentence_and_exits_with_status_2(call, arguments, said, place):
    try:
        require_java()
    except UsageError as error:
        pytest.skip(str(error))
    answered(call, arguments, said, place)


def answered(call, arguments, said, place):
    called = call(*(named(argument, place) for argument in arguments))
    assert called.status == 2
    assert named(said, place) in called.complaint
    assert not called.out


def test_invalid_calls_are_numerous_and_have_different_messages():
    assert len({arguments for arguments, _ in CALLS}) == len(CALLS) >= 250
    assert len({said for _, said in CALLS}) >= 60


def test_invalid_output_leaves_the_folder_unchanged(call, place):
    before = snapshot(place / "mine")
    call("prove", "--output", str(place / "mine"))
    assert snapshot(place / "mine") == before


@pytest.mark.parametrize(
    "family", [pytest.param(name, marks=[] if name in OF_EACH_LAYER else [pytest.mark.slow]) for name in FAMILIES]
)
def test_invalid_call_in_a_separate_process_prints_the_same_message(family, place):
    """The other calls run in this process, without starting an interpreter."""
    arguments, said = FAMILIES[family][-1]
    process = subprocess.run(
        [sys.executable, "-m", "rebalance_proofs", *(typed(named(argument, place)) for argument in arguments)],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (process.returncode, process.stdout) == (2, "")
    complaint, nothing = process.stderr.split("\n")
    assert complaint.startswith("rebalance: ")
    assert printable(typed(named(said, place))) in complaint
    assert not nothing
