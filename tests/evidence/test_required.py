"""Missing work is reported, whatever caused it."""

import asyncio
import gzip
import shutil
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.evidence.required import lacked_by, required
from rebalance_proofs.evidence.required.reckoned import (
    MONOTONE,
    NAMED,
    UNNOTICED,
    actions,
    declared,
    obligations_of,
    pinned_mutants,
    rows,
    steps,
)
from rebalance_proofs.evidence.required.sweeps import joins as joins_of
from rebalance_proofs.evidence.self_tests.trial import tried
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.proofs.mutation.result import Bite
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.proofs.smt.linear import NO_INSTANCES, Instances
from rebalance_proofs.proofs.solvers import Outcome
from rebalance_proofs.proofs.texts import proof
from rebalance_proofs.recorded import tally
from rebalance_proofs.recorded.conform import conform
from rebalance_proofs.recorded.files import OWN, Conformance
from rebalance_proofs.report.failures import Required, SelfTest, failures
from rebalance_proofs.spark_enum.allocation.group_check import checks
from rebalance_proofs.spark_enum.allocation.space import AT_PLACE, GROUPS, JOINS, NUMBER_SUM, POSITIONS, QUEUES, RESULTS
from rebalance_proofs.spark_enum.bounds import QUICK as QUICK_BOUNDS
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.explorer.recorded import read
from rebalance_proofs.spark_enum.explorer.standard import LARGER, QUICK
from rebalance_proofs.spark_enum.explorer.store import EXPLORED
from rebalance_proofs.spark_enum.jobs import here
from rebalance_proofs.spark_enum.kinds import KINDS
from rebalance_proofs.spark_enum.results import Enumerated, Finding
from rebalance_proofs.spark_enum.transition.bounds import LetterBounds, TransitionBounds
from rebalance_proofs.spark_enum.transition.space import GONE

NAMES = ["allocation.circle.covers", "allocation.avg.disjoint.without-same-cid-all", "transition.node.exact"]
BOTH = ("z3", "cvc5")


@pytest.fixture(scope="module")
def results():
    """Results of a claim that is proved with lemmas and two mutants, of a refuted one, and of one about transitions."""
    return tuple(asyncio.run(prove(select(NAMES), Options())))


def said(results, solvers=BOTH, names=NAMES):
    """What is not as required."""
    return [told for work in required(Asked(select(names), solvers), results) for told in failures(work)]


def by(results, name, change):
    """The results, of which the one with that name is changed."""
    return tuple(replace(one, **change(one)) if one.claim.id == name else one for one in results)


def without(question, solver):
    """The question, to which that solver has not answered."""
    return replace(question, answers=tuple(answer for answer in question.answers if answer.solver != solver))


def instead(question, outcome):
    """The question with other answers."""
    return replace(question, answers=tuple(replace(answer, outcome=outcome) for answer in question.answers))


def test_complete_run_has_all_required_work(results):
    assert said(results) == []
    expected = {work.name: work.expected for work in required(Asked(select(NAMES), BOTH), results)}
    assert expected["judged claims"] == 3
    assert expected["killed mutants of proved claims"] == 4
    assert expected["z3: counterexamples (sat)"] == 1
    assert expected["cvc5: proved obligations of proved claims (unsat)"] >= 4
    assert "obligations with a passed vacuity check" not in expected  # only where that is asked


PROVED, REFUTED, MOVES = NAMES


@pytest.mark.parametrize("name", [PROVED, MOVES])
@pytest.mark.parametrize("solver", BOTH)
def test_dropped_answer_is_reported(results, name, solver):
    def change(result):
        first, *others = result.obligations
        return {"obligations": (replace(first, proof=without(first.proof, solver)), *others)}

    (told,) = said(by(results, name, change))
    assert told.startswith(f"{solver}: proved obligations of proved claims (unsat): ")


@pytest.mark.parametrize(("wrong", "names"), [((PROVED,), 2), ((PROVED, MOVES), 0)])
def test_gaps_of_single_claims_are_reported_separately(results, wrong, names):
    """Without an answer for one of them; a further claim without an answer is not excused."""

    def change(result):
        first, *others = result.obligations
        return {"obligations": (replace(first, proof=replace(first.proof, answers=())), *others)}

    asked = Asked(select(NAMES), BOTH)
    for name in wrong:
        results = by(results, name, change)
    lacking = lacked_by(asked, results, [PROVED])
    assert len(lacking) == names
    assert {*lacking} <= {work.name for work in required(asked, results) if not work.ok}
    assert lacked_by(asked, results, []) == ()
    assert len(lacked_by(asked, results, wrong)) == 2


@pytest.mark.parametrize("solver", BOTH)
def test_unused_solver_is_reported(results, solver):
    (other,) = set(BOTH) - {solver}
    alone = tuple(asyncio.run(prove(select(NAMES[:2]), Options((other,), jobs=1))))
    told = said(alone, names=NAMES[:2])
    assert told
    assert all(sentence.startswith(f"{solver}: ") for sentence in told)
    assert said(alone, (other,), NAMES[:2]) == []


def test_missing_obligation_is_reported(results):
    shorter = by(results, PROVED, lambda result: {"obligations": result.obligations[1:]})
    assert len(said(shorter)) == len(BOTH) + 1  # nor is it known to notice something


def test_obligation_that_is_not_unsat_is_reported(results):
    def change(result):
        first, *others = result.obligations
        return {"obligations": (replace(first, proof=instead(first.proof, Outcome.UNKNOWN)), *others)}

    assert len(said(by(results, PROVED, change))) == 2


@pytest.mark.parametrize("name", [PROVED, MOVES])
def test_skipped_mutant_is_reported(results, name):
    told = said(by(results, name, lambda result: {"mutants": result.mutants[1:]}))
    assert "killed mutants of proved claims: 4 required, 3 found" in told
    assert len(told) == 5


def test_forgotten_mutants_are_reported(monkeypatch):
    monkeypatch.setattr(Claim, "mutants", ())
    forgot = tuple(asyncio.run(prove(select([PROVED]), Options(jobs=1))))
    assert "killed mutants of proved claims: 2 required, 0 found" in said(forgot, names=[PROVED])


def test_surviving_mutant_is_reported(results):
    def change(result):
        first, *others = result.mutants
        attempts = tuple(instead(attempt, Outcome.UNSAT) for attempt in first.attempts)
        return {"mutants": (replace(first, attempts=attempts), *others)}

    assert said(by(results, MOVES, change)) == ["killed mutants of proved claims: 4 required, 3 found"]


@pytest.mark.parametrize("solver", BOTH)
def test_counterexample_of_one_solver_only_is_reported(results, solver):
    def change(result):
        questions = tuple(without(question, solver) for question in result.search.questions)
        return {"search": replace(result.search, questions=questions)}

    assert said(by(results, REFUTED, change)) == [f"{solver}: counterexamples (sat): 1 required, 0 found"]


def test_unjudged_claim_is_reported(results):
    assert "judged claims: 3 required, 2 found" in said(results[:2])


TOOTHLESS = "obligations with a passed mutation test: 5 required, 4 found"
NARROW = "obligations with a passed vacuity check: 4 required, 3 found"


@pytest.mark.parametrize(
    ("part", "change", "told"),
    [
        ("teeth", None, TOOTHLESS),
        ("teeth", {"bite": Bite.NONE}, TOOTHLESS),
        ("width", None, NARROW),
        ("width", {"open": ("a goal",)}, NARROW),
    ],
)
def test_evidence_for_an_obligation_is_required(part, change, told, results):
    def without_it(result):
        first, *others = result.obligations
        changed = change and replace(getattr(first, part), **change)
        return {"obligations": (replace(first, **{part: changed}), *others)}

    left_out = by(results, NAMES[0], without_it)
    work = required(Asked(select(NAMES), BOTH, width=True), left_out)
    assert told in [sentence for one in work for sentence in failures(one)]
    assert not [one for one in required(Asked(select(NAMES), BOTH, width=True), results) if not one.ok]


def test_untried_instances_are_reported(results):
    def untried(result):
        return {"obligations": tuple(replace(step, instances=NO_INSTANCES) for step in result.obligations)}

    assert any("evaluated with numbers" in sentence for sentence in said(by(results, NAMES[0], untried)))


@pytest.mark.parametrize("line", NAMED)
@pytest.mark.parametrize("instances", [NO_INSTANCES, Instances(2, "1 = 2 is false")])
def test_text_with_instances_must_be_tried(line, instances, results):
    (result,) = by(results[:1], PROVED, lambda result: {"obligations": result.obligations[:1]})
    (step,) = result.obligations
    step = replace(step, proof=replace(step.proof, text=f"; A title\n{line}\n"), instances=instances)
    (*_, work) = steps(Asked(select([PROVED]), BOTH), (replace(result, obligations=(step,)),))
    assert (work.expected, work.found) == (1, 0)


def test_texts_name_their_instances():
    """In the same words by which the required texts are counted."""
    (claim,) = select(["movement.avg.moved"])
    texts = [proof(claim.id, step, claim.subjects[0].encoding) for step in (*claim.obligations, *claim.lemmas)]
    assert [line for line in NAMED if not any(line in text for text in texts)] == []


PARTS = (
    "self-tests of broken comparison code that report no success",
    "judged claims",
    "obligations with a passed mutation test",
    "actions of machines covered by invariant proofs",
    "enumerated spaces of groups",
    "sizes checked by the solver",
    "strategies with counted joins",
    "comparisons of transitions",
    "checked claims about transitions",
    "explored groups",
    "digest of a space at the quick bounds",
    "files of recorded results",
)


def test_each_part_of_the_required_work_is_computed():
    claims = select(["settling.java_v5_2_to_v5_3.settles"])
    asked = Asked(tuple(claims), BOTH, width=True, bounds=QUICK_BOUNDS, vectors=OWN)
    judged = [ClaimResult(claim, Verdict.PROVED, "", ()) for claim in claims]
    found = Enumerated("", "", (Finding(GROUPS, "a space", 1, 1, digest="00ff"),))
    names = [work.name for work in required(asked, judged, found)]
    assert [part for part in PARTS if part not in names] == []


def test_run_without_enumeration_is_reported():
    asked = Asked(LEDGER, bounds=Bounds())
    told = [told for work in required(asked, enumerated=Enumerated("", "")) for told in failures(work)]
    assert f"enumerated spaces of groups: {len(checks(LEDGER))} required, 0 found" in told
    assert any(sentence.startswith("sizes checked by the solver: ") for sentence in told)
    assert any(sentence.startswith("comparisons of transitions: ") for sentence in told)
    letters = [sentence for sentence in told if ": cases of the equivalence classes: " in sentence]
    assert letters
    assert all(sentence.endswith(" required, 0 found") for sentence in letters)
    assert any(sentence.startswith("strategies with counted joins: 2 ") for sentence in told)
    assert any(sentence.startswith("checked claims about transitions: ") for sentence in told)
    assert f"explored groups: {len(QUICK) + len(LARGER)} required, 0 found" in told


def test_claims_about_groups_require_groups():
    (claim,) = select(["ordered.java_v5_2.exclusive"])
    asked = Asked((claim,), bounds=QUICK_BOUNDS)
    group = next(one for one in QUICK if one.watches_for(claim.id))
    states = read("quick")[group.name].states
    found = Enumerated("", "", (Finding(EXPLORED, group.name, states - 1, states),))
    told = [told for work in required(asked, enumerated=found) for told in failures(work)]
    assert "explored groups: 2 required, 1 found" in told
    assert f"{group.name}: states: {states:,} required, {states - 1:,} found" in told
    others = Asked(tuple(select(["ordered.java_v5_2.local"])), bounds=QUICK_BOUNDS)
    assert [work.expected for work in required(others) if work.name == "explored groups"] == [0]


ENUMERATED = ["allocation.avg.covers", "allocation.avg.covers.without-*", "movement.avg.moved", "transition.node.*"]
FEW = LetterBounds(pairs=5, triples=3, table_pairs=8, table_triples=4)
FEWER = LetterBounds(pairs=4, triples=2, table_pairs=7, table_triples=3)
NEAR = TransitionBounds(every_case=False, throwing=FEW, calm=FEWER, models=4, depths=(1, 0), deepest=2)
BOUNDS = Bounds(3, 3, at_size=(2, 2), at_size_without=(1, 2), groups=200, transitions=NEAR)


@pytest.fixture(scope="module")
def enumerated():
    """Some claims of each kind, enumerated in this process."""
    claims = select(ENUMERATED)
    found = []
    for name, kind in KINDS.items():
        for job in kind.found(here, [claim for claim in claims if claim.kind == name], BOUNDS, "z3"):
            found += job
    return Enumerated("", "", tuple(found))


def enumerated_wrong(found):
    """What is not as required."""
    work = required(Asked(tuple(select(ENUMERATED)), bounds=BOUNDS), enumerated=found)
    return [told for one in work for told in failures(one)]


def test_all_enumerated_work_is_required(enumerated):
    work = required(Asked(tuple(select(ENUMERATED)), bounds=BOUNDS), enumerated=enumerated)
    assert enumerated_wrong(enumerated) == []
    assert len(work) > len(enumerated.findings)


def test_dropped_finding_is_reported(enumerated):
    for found in enumerated.findings:
        fewer = tuple(one for one in enumerated.findings if one is not found)
        assert enumerated_wrong(replace(enumerated, findings=fewer)), found.name


def test_missing_case_is_reported(enumerated):
    for found in enumerated.findings:
        gone = {name: number - name.startswith(GONE) for name, number in found.numbers.items()}
        less = replace(found, counted=found.counted - 1, numbers=gone)
        findings = tuple(less if one is found else one for one in enumerated.findings)
        assert enumerated_wrong(replace(enumerated, findings=findings)), found.name


@pytest.mark.parametrize("number", [RESULTS, POSITIONS, NUMBER_SUM, AT_PLACE])
def test_each_counter_of_an_enumeration_is_required(number, enumerated):
    first, *others = enumerated.findings
    assert first.kind == GROUPS
    less = replace(first, numbers=dict(first.numbers) | {number: first.numbers[number] - 1})
    assert len(enumerated_wrong(replace(enumerated, findings=(less, *others)))) == 1


@pytest.mark.parametrize("bound", [(2, 5), (64, 64), (65, 70)])
def test_joins_are_required_up_to_the_bounds(bound):
    """For each number of consumers and queues, and each position of the joiner; and every queue in each."""
    bounds = Bounds(*bound)
    consumers, most = bounds.counted
    joins = [(c, q) for c in range(1, consumers + 1) for q in range(1, most + 1)]
    places, queues = sum(c + 1 for c, _ in joins), sum((c + 1) * q for c, q in joins)
    found = Finding(JOINS, "joins of avg", places, places, subject="avg", numbers={QUEUES: queues})
    asked = Asked(tuple(select(["movement.avg.moved"])), bounds=bounds)
    assert [one.ok for one in joins_of(asked, bounds, Enumerated("", "", (found,)))] == [True, True, True]


@pytest.mark.parametrize("name", ["movement.avg.moved", "movement.circle.kept"])
def test_each_claim_about_moved_queues_requires_counted_joins(name):
    asked = Asked(tuple(select([name])), bounds=Bounds())
    assert [one.expected for one in joins_of(asked, Bounds(), Enumerated("", ""))] == [1]


def test_failing_comparers_do_not_count():
    assert [tried(trial) for trial in UNNOTICED] == [
        SelfTest("it reports nothing", False, "it reported nothing"),
        SelfTest("it always reports something", False, "it reported a fault in right input: no."),
        SelfTest("it raises", False, "it raised ValueError: no comparer"),
    ]


def rows_wrong(directory):
    """What is said about the rows of recorded results."""
    work = required(Asked(vectors=directory), conformance=conform(directory))
    return [told for one in work for told in failures(one)]


def test_all_rows_are_compared():
    assert rows_wrong(OWN) == []


def test_rows_of_each_compared_file_are_required():
    found = conform(OWN)
    assert {one.name for one in rows(OWN, found)} == {
        "files of recorded results",
        *(f"rows of {report.file}" for report in found.files),
    }


@pytest.mark.parametrize("ending", [".tsv", ".jsonl", ".tsv.gz", ".jsonl.gz"])
def test_file_of_each_format_is_required(ending, tmp_path):
    (tmp_path / f"new{ending}").write_bytes(b"")
    (tmp_path / "notes.txt").write_bytes(b"")
    assert [*rows(tmp_path, Conformance(()))] == [Required("files of recorded results", 1, 0)]


def test_reader_that_skips_the_last_row_is_detected(monkeypatch):
    right = tally.read
    monkeypatch.setattr(tally, "read", lambda path: [*right(path)][:-1])
    assert "avg_layouts.tsv: holds 29 rows, and 30 are pinned" in conform(OWN).failures


def test_reader_that_skips_the_last_row_is_detected_without_pins(monkeypatch, tmp_path):
    for name in ("avg.tsv", "avg_layouts.tsv", "avg_cids.tsv"):
        shutil.copy(OWN / name, tmp_path)
    (tmp_path / "ring_hash.tsv.gz").write_bytes(gzip.compress((OWN / "ring_hash.tsv").read_bytes()))
    assert rows_wrong(tmp_path) == []
    right = tally.read
    monkeypatch.setattr(tally, "read", lambda path: [*right(path)][:-1])
    assert "rows of avg_layouts.tsv: 30 required, 29 found" in rows_wrong(tmp_path)
    assert "rows of ring_hash.tsv.gz: 152 required, 151 found" in rows_wrong(tmp_path)


def test_fewer_rows_than_pinned_are_reported_without_a_comparison(monkeypatch, tmp_path):
    own = shutil.copytree(OWN, tmp_path / "own")
    lines = (own / "ring_hash.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    (own / "ring_hash.tsv").write_text("".join(lines[:-1]), encoding="utf-8")
    (own / "errors.jsonl").unlink()
    assert rows_wrong(own) == []  # the table says it already
    monkeypatch.setattr(sys.modules["rebalance_proofs.recorded.conform"], "held_to", lambda pinned, reports: reports)
    assert rows_wrong(own) == [
        "files of recorded results: 22 required, 21 found",
        "rows of ring_hash.tsv: 152 required, 151 found",
    ]


def test_ignored_file_is_reported(monkeypatch):
    whole = conform(OWN)
    fewer = replace(whole, files=whole.files[1:])
    told = [told for one in required(Asked(vectors=OWN), conformance=fewer) for told in failures(one)]
    assert told == [f"files of recorded results: {len(whole.files)} required, {len(whole.files) - 1} found"]


@pytest.mark.parametrize(
    ("name", "number"), [("settling.java_v5_2_to_v5_3.settles", 14), ("registry.java_v4_9_to_v5_3.listed", 21)]
)
def test_each_action_of_a_machine_must_be_covered(name, number):
    (claim,) = select([name])
    (nothing,) = actions(Asked((claim,), BOTH), [ClaimResult(claim, Verdict.PROVED, "", ())])
    assert (nothing.expected, nothing.found) == (number, 0)


@pytest.mark.parametrize(
    ("proved", "name", "sentence", "found"),
    [
        (True, "wakes", "It wakes up.", 1),
        (False, "wakes", "It wakes up.", 0),
        (True, "happens", "Whatever happens: `wakes`, `stirs`.", 2),
        (True, "time-passes", "Time passes: `wakes`.", 0),
    ],
)
def test_action_is_covered_by_a_proved_obligation(proved, name, sentence, found):
    (claim,) = select(["settling.java_v5_2_to_v5_3.settles"])
    assert {"wakes", "stirs"} <= {*declared(claim)}
    step = SimpleNamespace(name=name, sentence=sentence, proved=proved)
    (work,) = actions(Asked((claim,), BOTH), [ClaimResult(claim, Verdict.PROVED, "", (step,))])
    assert work.found == found


def test_claim_without_a_machine_requires_no_action():
    (claim,) = select(["allocation.avg.disjoint"])
    assert not [*actions(Asked((claim,), BOTH), [ClaimResult(claim, Verdict.PROVED, "", ())])]


def test_mutants_of_every_claim_are_required():
    """Those that name its guarantee, those that name its variant, and those that the claim itself names."""
    holding = [claim for claim in LEDGER if claim.holds]
    for claim in holding:
        assert pinned_mutants(claim) == [*claim.mutants], claim.id
    named = {(claim.guarantee.name, f"{claim.guarantee.name}.{claim.variant}"): claim.mutants for claim in holding}
    assert any(mutant.breaks == names[1] for names, mutants in named.items() for mutant in mutants)
    assert any(mutant.name in claim.notices for claim in holding for mutant in claim.mutants)


@pytest.mark.parametrize("line", NAMED)
def test_lemma_is_required_if_a_text_has_its_instances(line):
    (claim,) = select([PROVED])
    texts = [SimpleNamespace(proof=SimpleNamespace(text=text)) for text in ("; A title", f"; A title\n{line}")]
    required_of = obligations_of(claim, SimpleNamespace(obligations=texts))
    assert (MONOTONE in required_of) is (MONOTONE in line)
