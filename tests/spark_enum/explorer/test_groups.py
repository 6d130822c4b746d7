"""Standard groups: each gives its recorded result, and differences are reported."""

from dataclasses import replace

import numpy as np
import pytest

from rebalance_proofs.model.machines.offsets.actions import CONCURRENT
from rebalance_proofs.model.machines.ordered.actions import V5_2
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.bounds import QUICK as QUICK_BOUNDS
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.explorer.groups import Explores, against_groups, checks_of, gone_through
from rebalance_proofs.spark_enum.explorer.models import concurrent, ordered
from rebalance_proofs.spark_enum.explorer.recorded import read
from rebalance_proofs.spark_enum.explorer.standard import LARGER, QUICK, chosen
from rebalance_proofs.spark_enum.explorer.store import EXPLORED, LEVELS, SETTLED, TRANSITIONS
from rebalance_proofs.spark_enum.jobs import findings, here
from rebalance_proofs.spark_enum.results import Enumerated, Totals
from rebalance_proofs.spark_enum.witness import compare
from tests.each import each

RECORDED = {**read("quick"), **read("larger")}
TWO_BY_TWO, LATE, OLD, SHIPPED, SAFE, GO, LITE = QUICK


def found_of(group, recorded=None):
    check = Explores(group, recorded or RECORDED[group.name]).check()
    (found,) = findings([check], here([check]))
    return found


def instead(client, name, monkeypatch):
    """The client of the models is one with the terms of that mutant."""
    wrong = replace(client)
    encoding = next(mutant.encoding for mutant in client.mutants if mutant.name == name)
    object.__setattr__(wrong, "encoding", encoding)
    clients = tuple(wrong if one is client else one for one in CONCURRENT)
    monkeypatch.setattr(concurrent, "CONCURRENT", clients)
    monkeypatch.setattr(ordered, "of_version", lambda words: wrong)


@each("group", [LITE, GO, SHIPPED], ids=lambda group: group.name)
def test_small_groups_have_their_recorded_results(group):
    found = found_of(group)
    assert found.equal
    assert failures(found) == ()
    assert found.counted > 1000


@pytest.mark.slow
@pytest.mark.parametrize("group", [*QUICK, *LARGER], ids=lambda group: group.name)
def test_each_group_has_its_recorded_result(group):
    assert failures(found_of(group)) == ()


def test_finding_has_the_counts_and_steps():
    found = found_of(TWO_BY_TWO)
    assert (found.kind, found.name) == (EXPLORED, "explore concurrent --consumers 2 --queues 2 --client 5.2")
    assert (found.subject, found.setting) == ("java_v5", "concurrent")
    assert dict(found.broken) == {"two": 1, "twice": 1, "skipped": 0, "deadlock": 0}
    assert {name: case.digits for name, case in found.smallest.items()} == {"two": (4,), "twice": (10,)}
    assert found.numbers == {TRANSITIONS: 244_768, LEVELS: 38, SETTLED: 1}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"states": 1700}, "1,699 states explored, 1,700 are pinned"),
        ({"transitions": 12_107}, "differs from the pinned result, transitions: 12,107 recorded, 12,106 now"),
        ({"levels": 15}, "differs from the pinned result, levels: 15 recorded, 16 now"),
        ({"digest": "0" * 16}, "differs from the pinned result, the digest of its states: 0000000000000000 recorded, "),
        (
            {"settled": "within 1 rounds"},
            "differs from the pinned result, settled: within 1 rounds recorded, not asked now",
        ),
        ({"steps": {"two": None}}, "differs from the pinned result, two is found: never recorded, not watched now"),
        (
            {"watched": {}, "claims": ()},
            "differs from the pinned result, claims: none recorded, ordered.java_v5_2.exclusive now",
        ),
    ],
)
def test_difference_from_the_record_is_reported(change, said):
    (sentence,) = failures(found_of(LITE, replace(RECORDED[LITE.name], **change)))
    assert sentence.startswith(f"{LITE.name}: {said}")


def test_group_without_a_record_is_reported():
    check = Explores(LITE, None).check()
    (found,) = findings([check], here([check]))
    assert failures(found) == (
        f"{LITE.name}: 1,699 states explored, 0 are pinned",
        f"{LITE.name}: differs from the pinned result, no result is pinned",
    )


@pytest.mark.parametrize("name", ["grants-to-all", "returns-too-early", "under-the-listener"])
def test_terms_that_allow_two_listeners_contradict_the_claim(name, monkeypatch):
    (claim,) = select(["ordered.java_v5_2.exclusive"])
    instead(V5_2, name, monkeypatch)
    found = found_of(SAFE)
    steps = found.smallest["two-listeners"].digits[0]
    assert (
        f"{SAFE.name}: differs from the pinned result, two-listeners is found: never recorded, after {steps} steps now"
        in failures(found)
    )
    (said,) = compare([claim], Enumerated("", "", (found,))).unexpected
    assert said.startswith(f"{claim.id}: a violation occurs after {steps} steps of an explored group ({SAFE.name}): ")


@each("group", [SAFE, TWO_BY_TWO], ids=lambda group: group.name)
def test_correct_terms_contradict_no_claim(group):
    claims = [claim for claim in LEDGER if claim.id in group.claims]
    enumerated = Enumerated("", "", (found_of(group),))
    assert claims
    assert [against_groups(claim, enumerated) for claim in claims] == [[]] * len(claims)


def test_terms_that_skip_a_message_contradict_the_claim(monkeypatch):
    (java,) = (client for client in CONCURRENT if client.name == "java_v5")
    (claim,) = select(["offsets.java_v5.not-skipped"])
    instead(java, "commits-more", monkeypatch)
    found = found_of(TWO_BY_TWO)
    assert found.broken["skipped"]
    assert found.differing
    (said,) = against_groups(claim, Enumerated("", "", (found,)))
    assert "a violation occurs after 3 steps" in said
    assert against_groups(replace(claim, holds=False), Enumerated("", "", (found,))) == []


def test_recorded_violation_must_be_found(monkeypatch):
    """With terms of a consumer that never has a queue nothing wrong can happen, which is a mismatch."""
    instead(V5_2, "adds-unasked", monkeypatch)
    found = found_of(SHIPPED)
    assert not found.broken["two-listeners"]
    (_, differs) = failures(found)
    assert "differs from the pinned result, two-listeners is found: after 15 steps recorded, never now" in differs


def test_wrong_guess_of_the_settling_time_changes_nothing():
    right = RECORDED[LATE.name]
    for settled in ("", "within 0 rounds", "within 7 rounds"):
        assert gone_through(LATE, replace(right, settled=settled)) == (right, 1)


def test_groups_are_selected_by_their_claims():
    ids = [claim.id for claim in LEDGER]
    assert chosen(ids, larger=False) == QUICK
    assert chosen(ids, larger=True) == (*QUICK, *LARGER)
    assert chosen(["ordered.java_v5_2.exclusive"], larger=False) == (SAFE, LITE)
    assert chosen(["offsets.java_v4_9.once"], larger=False) == (LATE,)
    assert chosen(["ordered.java_v5_2.local", "allocation.avg.disjoint"], larger=True) == ()
    (check,) = checks_of(select(["ordered.go.exclusive.without-shutdown"]), QUICK_BOUNDS)
    assert (check.kind, check.name, check.pieces, check.expected) == (EXPLORED, GO.name, 1, RECORDED[GO.name].states)
    assert len(checks_of(select(["ordered.go.exclusive.without-shutdown"]), Bounds())) > 1


def test_group_names_are_unique_and_their_claims_exist():
    groups = (*QUICK, *LARGER)
    assert len({group.name for group in groups}) == len(groups)
    ids = {claim.id for claim in LEDGER}
    for group in groups:
        assert group.claims
        assert ids >= {*group.claims}
        assert {claim.partition(".")[0] for claim in group.claims} in ({"ordered"}, {"offsets"})


def test_states_are_written_as_rows():
    kept: list[dict] = []
    totals: Totals = Explores(LITE, RECORDED[LITE.name])(0, lambda **columns: kept.append(columns))
    assert sum(len(columns["digits"]) for columns in kept) == totals.counted
    added = sum(int(np.add.reduce(columns["digest"])) for columns in kept)
    assert added % 2**64 == totals.digest
    rows = np.concatenate([columns["digits"] for columns in kept])
    assert rows.shape[1] == 1 + 2
    assert len(np.unique(rows, axis=0)) == len(rows)
    assert [set(columns["numbers"]["level"].tolist()) for columns in kept] == [{level} for level in range(16)]
