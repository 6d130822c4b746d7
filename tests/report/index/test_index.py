"""The index represents the ledger: it has all claims, and agrees with it."""

import random

import pytest

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.machines.ordered.actions import CLIENTS
from rebalance_proofs.model.topics.kafka_range import KAFKA_RANGE
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.proofs.named import selected
from rebalance_proofs.proofs.ordered.passing import Way
from rebalance_proofs.proofs.ordered.pauses import longest
from rebalance_proofs.report.allocation.kind import ALLOCATION
from rebalance_proofs.report.claims.seen import seen_of
from rebalance_proofs.report.family import arranged
from rebalance_proofs.report.index.entries import FILE, entries, entry, families, listed, mark_of_strategy
from rebalance_proofs.report.index.made import made, written
from rebalance_proofs.report.kinds import by_family, family, shown
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.ordered.two_events import ordered_clients
from rebalance_proofs.report.subjects import covers
from rebalance_proofs.report.symptoms.asked import RELEASES, Asked
from rebalance_proofs.report.text.grouped import grouped
from tests.faults.tree import ROOT

PATTERNS = ("allocation.*.disjoint", "ordered.**", "covers", "5.2", "settling.*", "CONSISTENT_HASH")


def test_index_file_equals_what_make_docs_writes():
    assert (ROOT / "report" / "index" / FILE).read_text(encoding="utf-8") == written(made())


def test_changed_claim_changes_the_index():
    """What the test above would detect."""
    (claim,) = select(["allocation.avg.disjoint"])
    (row,) = made([claim])["claims"]
    assert (row["id"], row["expected"], row["mark"]) == (claim.id, "PROVED", "seen")
    assert entry(claim.id).sentence == row["sentence"]


def test_index_has_each_claim_in_ledger_order():
    assert [(one.id, one.holds) for one in entries().values()] == [(claim.id, claim.holds) for claim in LEDGER]
    with pytest.raises(LookupError, match=r"no claim is called 'allocation\.avg'"):
        entry("allocation.avg")


@pytest.mark.parametrize("pattern", PATTERNS)
def test_index_selects_the_same_claims_as_the_ledger(pattern):
    chosen = selected([pattern], tuple(entries().values()))
    assert [one.id for one in chosen] == [claim.id for claim in select([pattern])]


def test_index_answers_for_each_release_and_mode_as_the_claim():
    drawn = random.Random(7)
    for claim in drawn.sample(LEDGER, 60):
        question = Asked(drawn.choice(["", *RELEASES]), drawn.choice(["", *MODES]))
        assert entry(claim.id).covers(question.release, question.mode) == covers(claim, question), (claim.id, question)


def test_claims_are_listed_as_in_the_reports():
    """All that share a row's first name are listed together."""
    drawn = random.Random(3)
    for group in grouped(LEDGER, lambda claim: (family(claim), shown(claim).row(claim)[0])).values():
        some = sorted(drawn.sample(group, drawn.randint(1, len(group))), key=LEDGER.index)
        assert listed([entry(claim.id) for claim in some]) == shown(some[0]).listed(some), some[0].id


def test_families_are_in_report_order():
    there = arranged(list(entries().values()), lambda one: one.family, lambda one: one.row, families().values())
    by_claims = by_family(LEDGER, lambda claim: claim)
    assert {one.name: [claim.id for claim in own] for one, own in there.items()} == {
        one.name: [claim.id for claim in own] for one, own in by_claims.items()
    }
    assert list(there) == list(by_claims)


def test_strategies_have_the_marks_of_their_code():
    for strategy in (*ALL, KAFKA_RANGE):
        assert mark_of_strategy(strategy.name) is seen_of(ALLOCATION, (strategy,)).mark, strategy.name


def test_pauses_equal_the_explored_ones():
    client = CLIENTS[-1]
    assert ordered_clients()[client.name].pauses[Way.CRASHED.name] == longest(client, Way.CRASHED).ticks
