"""Faults tested in forks of one process: which are detected there, and which are not."""

import os
import subprocess
import sys

import pytest

from rebalance_proofs.report.text import english
from tests.faults.generated.forked import tried_in_forks
from tests.faults.generated.sites import sites_of
from tests.faults.generated.swapped import FILE, Wanted, renewed, told
from tests.faults.tree import ROOT

SOURCE = """
import os
from rebalance_proofs.report.text.english import count, seconds

def test_counts():
    assert count(2, "queue") == "2 queues"

def test_tells_seconds():
    assert seconds(500) == "0.5 s"

def test_fails():
    assert count(1, "queue") == ""

def test_ends():
    assert count(2, "queue") == "2 queues" or os._exit(1)
"""
FILE_CHANGED = "report/text/english.py"


def sites(function: str):
    """The faults of one function."""
    return [
        site
        for site in sites_of(FILE_CHANGED, (ROOT / FILE_CHANGED).read_text(encoding="utf-8"))
        if site.function == function
    ]


@pytest.fixture(scope="module")
def noticed(tmp_path_factory):
    """What forks say of the faults of `count`, each put to three lists of tests."""
    place = tmp_path_factory.mktemp("forks")
    (place / "test_some.py").write_text(SOURCE, encoding="utf-8")
    ids = {name: f"test_some.py::test_{name}" for name in ("counts", "tells_seconds", "fails", "ends")}
    found = {}
    for name, tests in {
        "not reached": ("tells_seconds",),
        "fails anyhow": ("fails",),
        "crashes": ("ends",),
        "noticed": ("tells_seconds", "fails", "counts"),
    }.items():
        wanted = place / f"{name}.jsonl"
        lines = [Wanted(site, [ids[test] for test in tests]).written() for site in sites("count")]
        wanted.write_text("\n".join(lines), encoding="utf-8")
        words = ["-q", "-p", "tests.faults.generated.swapped", "-p", "no:cacheprovider", "--rootdir", str(place), "."]
        called = subprocess.run(
            [sys.executable, "-m", "pytest", *words, "--capture=sys"],
            cwd=place,
            env=os.environ | {FILE: str(wanted), "PYTHONPATH": str(ROOT)},
            capture_output=True,
            encoding="utf-8",
        )
        assert called.returncode == 0, called.stdout + called.stderr
        found[name] = told(wanted)
    return found


def test_test_that_fails_only_with_a_fault_notices_it(noticed):
    names = [site.name for site in sites("count")]
    assert names
    assert noticed["noticed"] == dict.fromkeys(names, "test_some.py::test_counts")


@pytest.mark.parametrize("how", ["not reached", "fails anyhow", "crashes"])
def test_fault_without_a_failing_test_is_unnoticed(noticed, how):
    assert noticed[how] == dict.fromkeys((site.name for site in sites("count")), "")


def test_swapped_functions_have_the_code_of_the_changed_source(monkeypatch):
    source = (ROOT / FILE_CHANGED).read_text(encoding="utf-8")
    (site, *_) = sites("count")
    changed = source[: site.start] + site.new + source[site.end :]
    monkeypatch.setattr(english.count, "__code__", english.count.__code__)
    assert renewed([english.count, english.seconds], english.__file__, source, source) == 0
    before = english.count(2, "queue")
    assert renewed([english.count, english.seconds, renewed], english.__file__, source, changed) == 1
    assert english.count(2, "queue") != before


class Chosen:
    """Stands for what is known of tests: these, for every fault."""

    def tests(self, site, limit):
        return {"tests/test_some.py::test_counts": 0.1, "tests/test_some.py::test_dear": 1_000.0}


def test_processes_share_the_faults_without_repetition(tmp_path):
    trees = [tmp_path / name for name in ("a", "b")]
    said = tmp_path / "said"
    for tree in trees:
        (tree / "tests").mkdir(parents=True)
        (tree / "tests" / "__init__.py").touch()
        (tree / "tests" / "faults").symlink_to(ROOT / "tests" / "faults")
        (tree / "tests" / "conftest.py").write_text('collect_ignore = ["faults"]', encoding="utf-8")
        counts = f"def test_counts():\n    open({str(said)!r}, 'a').write('x'); assert count(2, 'queue') == '2 queues'"
        (tree / "tests" / "test_some.py").write_text(
            f"from rebalance_proofs.report.text.english import count\n{counts}\n", encoding="utf-8"
        )
        (tree / "rebalance_proofs").symlink_to(ROOT / "rebalance_proofs")
        (tree / "pyproject.toml").write_text("", encoding="utf-8")
    some = sites("count")
    found = tried_in_forks(some, trees, Chosen())
    assert found == dict.fromkeys((site.name for site in some), "tests/test_some.py::test_counts")
    with_it_and_without = said.read_text(encoding="utf-8")
    assert len(some) < len(with_it_and_without) <= len(some) + len(trees)
    assert tried_in_forks([], trees, Chosen()) == {}
