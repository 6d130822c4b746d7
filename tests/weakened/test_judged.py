"""The slow job tells which check notices a variant, and resumes where it was interrupted."""

import json

import pytest

from tests.weakened import judged as job
from tests.weakened.__main__ import main
from tests.weakened.decided import pin
from tests.weakened.formulas import BY_NAME, formulas
from tests.weakened.judged import PROOF, RUN, Judge
from tests.weakened.page import JUDGED


def test_variant_is_noticed_by_a_proof_or_by_the_shortest_run():
    """A bad state that is every state is not excluded by the invariant; one that is no state has no run."""
    formula = next(one for one in formulas("pulls") if one.name.endswith(" bad lets-go"))
    by = Judge(BY_NAME["pulls"]).told(formula, ())
    assert by == {"0:stale false": RUN, "0:stale true": PROOF}
    assert Judge(BY_NAME["pulls"]).told(formula, ["0:stale true"]) == {"0:stale false": RUN}


def test_job_takes_what_it_has_found_before(monkeypatch, tmp_path):
    told = []

    class Noting:
        def __init__(self, machine):
            self.machine = machine

        def told(self, formula, same):
            told.append(formula.name)
            return dict.fromkeys(("a", "b"), PROOF)

    monkeypatch.setattr(job, "CACHE", tmp_path)
    monkeypatch.setattr(job, "Judge", Noting)
    same = dict.fromkeys((one.name for one in formulas("pulls")), ())
    every = job.judged("pulls", same)
    assert [next(every)[1], next(every)[1]] == [{PROOF: 2}] * 2
    assert len((tmp_path / "pulls-judged.jsonl").read_text(encoding="utf-8").splitlines()) == 2
    assert [name for name, _ in job.judged("pulls", same)] == [one.name for one in formulas("pulls")]
    assert told == [one.name for one in formulas("pulls")]
    assert json.loads((tmp_path / "pulls-judged.jsonl").read_text(encoding="utf-8").splitlines()[0])["by"] == {PROOF: 2}


@pytest.mark.parametrize("name", BY_NAME)
def test_table_has_each_change_that_differs_from_its_formula(name):
    """``python -m tests.weakened --write`` renews it."""
    told = json.loads(JUDGED.read_text(encoding="utf-8"))[name]
    pinned = {one: of for one, of in pin()[name]["formulas"].items() if one in told}
    assert {*told} == {one.name for one in formulas(name) if not one.composed}
    assert {one: sum(by.values()) for one, by in told.items()} == {
        one: of["dropped"] - len(of["same"]) for one, of in pinned.items()
    }


def test_unknown_machine_is_refused(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["nothing"])
    assert ended.value.code == 2
    assert "no machine is called 'nothing'" in capsys.readouterr().err
