"""The slow job resumes where it was interrupted, and repeats the requested faults."""

import json

import pytest

from tests.faults.generated import __main__ as job
from tests.faults.generated.sample import drawn
from tests.faults.tree import ROOT


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """Function that runs the job on the first four faults, nothing of which is really tried; what it tried, and how."""
    tried, forked = [], {}

    def found(site, tree, reaches, *, judged, by):
        tried.append((site.name, judged, by))
        return "a test" if judged else ""

    monkeypatch.setattr(job, "_copied", lambda place: place)
    monkeypatch.setattr(job, "Reaches", lambda folder, limit: None)
    monkeypatch.setattr(job, "tried", found)
    monkeypatch.setattr(job, "tried_in_forks", lambda sites, trees, reaches: {site.name: "" for site in sites} | forked)

    def run(*more):
        tried.clear()
        words = ["--seed", "7", "--count", "4", "--jobs", "1", "--reached", str(tmp_path), "--output", str(tmp_path)]
        return job.main([*words, *more]), [*tried]

    run.forked = forked
    return run


def test_unnoticed_fault_is_tried_again_with_quick_claims(asked, tmp_path, capsys):
    names = [site.name for site in drawn(ROOT, 7, 4)]
    (tmp_path / "seed-7.jsonl").write_text(
        json.dumps({"fault": names[0], "noticed by": "a test"}) + "\n", encoding="utf-8"
    )
    assert asked("--tests-only") == (1, [(name, False, "") for name in names[1:]])
    assert capsys.readouterr().out.endswith("\n1 of 4 noticed, 0 more change nothing\n")
    assert asked("--tests-only") == (1, [])
    assert asked("--again") == (0, [(name, True, "") for name in names[1:]])
    assert capsys.readouterr().out.endswith("\n4 of 4 noticed, 0 more change nothing\n")
    assert asked("--again") == (0, [])


def test_test_that_noticed_a_fault_in_a_fork_runs_first(asked):
    first, *others = (site.name for site in drawn(ROOT, 7, 4))
    asked.forked[first] = "a test in a fork"
    assert asked() == (0, [(first, True, "a test in a fork"), *((name, True, "") for name in others)])
