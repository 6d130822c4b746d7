"""The page for users with a cluster: its commands run, and its numbers are those of the cases."""

import re
import shlex
from pathlib import Path

import pytest

from rebalance_proofs.report.symptoms.narrowed import FIRST
from rebalance_proofs.report.symptoms.unmodelled import UNMODELLED, unmodelled
from tests.cli.conftest import call  # noqa: F401  # a fixture
from tests.report.symptoms.cases import CASES, LATER
from tests.report.symptoms.places import place_of
from tests.report.symptoms.printed import Row, progress, status

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "how-to" / "your-cluster.md").read_text(encoding="utf-8")
TYPED = re.findall(r"^\$ rebalance ((?:why|list|moves|settle|safe) [^|\n]*)", PAGE, re.MULTILINE)


@pytest.mark.parametrize("typed", TYPED)
def test_commands_of_the_cluster_page_run(call, typed, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    for number in (1, 2):
        Path(f"progress-{number}.txt").write_text(progress((Row(0), Row(1, client="N/A"))), encoding="utf-8")
    Path("status.txt").write_text(status([("a@1", "V5_3_3"), ("b@2", "V5_3_3")]), encoding="utf-8")
    called = call(*shlex.split(typed))
    assert called.status == (1 if called.out.startswith("Not exclusive: ") else 0)
    assert called.err == ""


def test_cluster_page_has_enough_commands():
    assert len(TYPED) >= 7


def test_cluster_page_numbers_are_those_of_the_cases():
    words = {2: "two", 3: "three", 6: "six"}
    places, later = ([place_of(case) for case in cases] for cases in (CASES, LATER))
    assert all(place <= FIRST for place in places)
    said = " ".join(PAGE.split())
    assert f"heuristic, tested on {len(CASES) + len(LATER)} cases with known causes." in said
    assert (
        f"written for {len(CASES)} of these cases, where the true cause is always among the first three, "
        f"and first in {places.count(1)}." in said
    )
    first, most = later.count(1), sum(place <= FIRST for place in later)
    assert (
        f"In {words[len(LATER)]} later cases, the true cause is among the first three in {words[most]} cases, "
        f"and first in {words[first]}." in said
    )


@pytest.mark.parametrize("one", UNMODELLED, ids=lambda one: one.anchor)
def test_unmodelled_topic_has_an_anchor_on_the_scope_page(one):
    scope = (DOCS / "explanation" / "scope.md").read_text(encoding="utf-8")
    assert scope.count(f'<a id="{one.anchor}"></a>') == 1
    assert scope.index(f'<a id="{one.anchor}"></a>') > scope.index("## Not modelled")
    assert unmodelled(f"why {one.words.split('|')[0]}") is one
