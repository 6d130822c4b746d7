"""How a user's strategy is named on the command line, and which process is started for it."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.own.call import LIMIT, MEMORY_MB, Held, Limits
from rebalance_proofs.model.own.java.worker import ONE_HASH, other_hashes
from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.own.surroundings import Surroundings
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.own import strategies as own
from tests.spark_enum.own import strategies

MINE = f"{strategies.__file__}:snake"


@pytest.mark.parametrize(
    ("limits", "typed"),
    [
        (Limits(), ()),
        (Limits(LIMIT, MEMORY_MB), ()),
        (Limits(0.5), ("--limit", "0.5")),
        (Limits(memory_mb=64), ("--memory", "64")),
        (Limits(30, 64), ("--limit", "30", "--memory", "64")),
    ],
)
def test_only_changed_limits_are_in_the_repeat_command(limits, typed):
    assert own.typed(limits) == typed


def test_built_in_strategy_is_found_by_either_name():
    for one in ALL:
        assert own.other(one.name, Limits()) is one
        assert own.other(one.rocketmq_name, Limits()).rocketmq_name == one.rocketmq_name
    for name in ("snake", "mine.txt", "AVGG"):
        with pytest.raises(UsageError, match=f"--same-as: unknown strategy {name!r}; "):
            own.other(name, Limits())
    assert own.other(MINE, Limits()).typed == (MINE,)


def test_java_class_is_printed_with_all_construction_options(monkeypatch, tmp_path):
    made = []
    monkeypatch.setattr(own.classpaths, "hash_of", lambda entries, name: "0f")
    monkeypatch.setattr(own, "JavaWorker", lambda *given, **more: made.append((given, more)))
    mine = own.java("acme.Deals", str(tmp_path), ("1", "two"), Limits(3, 64))
    assert mine.typed == ("--java", "acme.Deals", "--classpath", str(tmp_path), "--arg", "1", "--arg", "two")
    assert mine.named is None
    mine.open(2)
    mine.open(2, Held.HASHES)
    given = ("acme.Deals", str(tmp_path), ("1", "two"))
    more = {"limit": 3, "memory_mb": 64, "surroundings": Surroundings()}
    assert made == [(given, {**more, "options": options}) for options in (other_hashes(2), ONE_HASH)]


@pytest.mark.parametrize(
    ("name", "fits"),
    [("MyTest.java", True), ("_1.java", True), ("MyTest.kt", False), ("my-test.java", False), ("1Test.java", False)],
)
def test_java_test_name_must_be_a_class_name(monkeypatch, tmp_path, name, fits):
    monkeypatch.setattr(own.classpaths, "hash_of", lambda entries, name: "0f")
    mine = own.java("acme.Deals", str(tmp_path), (), Limits())
    if fits:
        mine.fits(Path(name))
    else:
        with pytest.raises(UsageError, match="is not the name of a Java test"):
            mine.fits(Path(name))


@pytest.mark.parametrize("carried", [True, False])
def test_carried_code_runs_without_its_file(carried, tmp_path):
    """Workers on other machines do not have the file; workers on this machine read it."""
    file = tmp_path / "mine.py"
    file.write_text("def mine(current_cid, mq_all, cid_all):\n    return []\n", encoding="utf-8")
    made = own.python(f"{file}:mine", Limits(), carried=carried)
    file.unlink()
    with nullcontext() if carried else pytest.raises(StrategyError), made.open(0) as worker:
        assert worker.arguments == 3
