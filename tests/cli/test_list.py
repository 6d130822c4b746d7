"""``rebalance list --client --mode --strategy``: the claims that concern a user, refuted ones first."""

import json
import re

import pytest

from rebalance_proofs.model.profiles import PROFILES
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.report.chosen import chosen_strategy, concerns
from rebalance_proofs.report.index.entries import entries
from rebalance_proofs.report.mine import SHARES_ALONE
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.symptoms.asked import RELEASES, Asked, releases_of_profile

EXPECTED = {claim.id: claim.expected for claim in LEDGER}


def ids(text):
    return [line.split()[1] for line in text.splitlines() if line.startswith(("PROVED", "REFUTED"))]


def test_what_does_not_hold_of_my_client_comes_first(call):
    called = call("list", "--client", "5.2", "--mode", "push orderly", "--strategy", "avg")
    assert called.status == 0
    head, read_on, *_ = called.out.splitlines()
    assert head.startswith("Java 5.2.0, push orderly, AVG: of ")
    assert "`rebalance show CLAIM`" in read_on
    found = ids(called.out)
    verdicts = [EXPECTED[one] for one in found]
    assert verdicts == sorted(verdicts, key=lambda verdict: verdict is Verdict.PROVED)
    assert len(found) == len(set(found))
    plain, without, holds = (called.out.index(f"\n{head}") for head in ("DOES NOT HOLD:", "DOES NOT HOLD w", "HOLDS:"))
    assert plain < called.out.index("topics.avg-per-topic.level") < without
    assert without < called.out.index("allocation.avg.disjoint.without-same-cid-all") < holds
    assert holds < called.out.index("allocation.avg.disjoint  ")


def test_it_begins_with_what_to_do(call):
    lines = call("list", "--client", "5.2", "--mode", "push orderly", "--strategy", "avg").out.splitlines()
    first = lines[2 : lines.index("DOES NOT HOLD:")]
    assert first[1].startswith("TO DO, worst symptom first")
    things = [line for line in first if line[:2] in ("1.", "2.", "3.", "4.", "5.", "6.")]
    assert [line[0] for line in things] == ["1", "2", "3", "4", "5"]
    assert things[0] == "1. Set CONSUME_FROM_FIRST_OFFSET."
    assert any("unlockDelayTimeMills" in line for line in things)
    against = [line.partition("Fixes ")[2] for line in first if line.startswith("   Fixes ")]
    assert len(against) == len(things)
    worst = [next(one for one in ("lost", "twice", "stuck", "back") if f"({one})" in line) for line in against]
    assert worst == sorted(worst, key=["lost", "twice", "stuck", "back"].index)


def test_a_version_that_was_not_read_is_marked(call):
    assert "6.1 is newer than 5.3.3, the newest modelled release" in call("list", "--client", "6.1").out


def test_the_numbers_are_those_of_the_lines(call):
    called = call("list", "--client", "go", "--strategy", "hash")
    found = ids(called.out)
    broken = [one for one in found if EXPECTED[one] is Verdict.REFUTED]
    assert called.out.startswith(f"Go, CONSISTENT_HASH: of {len(found)} claims {len(broken)} do not hold, ")
    assert f"; {len(found) - len(broken)} hold." in called.out


def test_claims_can_be_named_besides(call):
    all_of_them = ids(call("list", "allocation.**", "--strategy", "hash-go").out)
    assert all_of_them
    assert {one.split(".")[1] for one in all_of_them} == {"hash-go"}


def test_the_json_has_the_same_claims_in_the_same_order(call):
    asked = ("--client", "4.9.8", "--mode", "push")
    rows = json.loads(call("list", *asked, "--json").out)
    assert sorted(row["id"] for row in rows) == sorted(ids(call("list", *asked).out))
    verdicts = [row["expected"] for row in rows]
    assert verdicts == sorted(verdicts, key=lambda verdict: verdict == "PROVED")


def test_sentences_of_a_family_begin_in_one_column(call):
    for family in ("settling.**", "registry.**"):
        lines = [line for line in call("list", family).out.splitlines() if line.startswith(("PROVED", "REFUTED"))]
        assert len({re.match(r"\S+ +\S+  +(?=\S)", line).end() for line in lines}) == 1


@pytest.mark.parametrize(
    ("arguments", "alone"),
    [
        (("--client", "rust"), True),
        (("--client", "node", "--mode", "push orderly"), True),
        (("--client", "node", "--mode", "push"), False),
        (("--client", "5.2", "--mode", "push orderly", "--strategy", "avg"), False),
        (("--strategy", "avg"), False),
    ],
)
def test_where_only_shares_are_claimed_it_is_said(call, arguments, alone):
    assert (SHARES_ALONE in call("list", *arguments).out.splitlines()) is alone


def test_nothing_is_told_of_what_no_client_runs(call):
    assert not [one for one in ids(call("list", "topics.**", "--client", "5.2").out) if "kafka" in one or "list" in one]
    assert "topics.kafka-range.level" in ids(call("list", "topics.**").out)


def test_none_is_an_answer(call):
    called = call("list", "ordered.**", "--mode", "pull")
    assert called.status == 0
    assert called.out == f"pull: none of {len(select(['ordered.**']))} claims is about that.\n"
    assert json.loads(call("list", "ordered.**", "--mode", "pull", "--json").out) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--client", "5"), "version '5' is not covered; the nearest Java client version is 5.0.0"),
        (("--client", "pop"), "'pop' is not modelled: everything after a pop request"),
        (("--client", "go", "--client", "node"), "--client is given 2 times; give it once"),
        (("--client", "5.1.5"), "the nearest Java client version is 5.1.4"),
        (("--mode", "pul"), "did you mean 'pull'? the modes are 'push', "),
        (("--strategy", "hsh"), "unknown strategy 'hsh'; did you mean 'hash'? the strategies are avg, "),
        (("--strategy", "CONSISTENT_HSAH"), "did you mean 'CONSISTENT_HASH'?"),
        (("--client", ""), "'' is not a name; leave out the option if you do not need it"),
        (("--mode", " "), "' ' is not a name; leave out the option if you do not need it"),
        (("--strategy", ""), "'' is not a name; leave out the option if you do not need it"),
        (("--client", "cpp", "--strategy", "hash"), "C++ has no strategy CONSISTENT_HASH; its strategies are "),
    ],
)
def test_a_name_that_means_nothing_is_told_with_the_nearest(call, arguments, said):
    called = call("list", *arguments)
    assert (called.status, called.out) == (2, "")
    assert said in called.complaint


@pytest.mark.parametrize("release", ["5.2.0", "4.9.8", "go", "node"])
def test_whoever_does_not_run_the_strategy_is_not_concerned(release):
    """Whatever is left out is about another client, another mode, or a strategy that was not asked for."""
    chosen = [claim for claim in entries().values() if concerns(claim, Asked(release, "push"), chosen_strategy("avg"))]
    for claim in chosen:
        assert claim.covers(release, "push") or not claim.released
    assert {claim.id for claim in LEDGER if claim.id.startswith("allocation.avg.")} <= {claim.id for claim in chosen}
    assert not [claim.id for claim in chosen if claim.id.startswith(("allocation.circle.", "movement.circle."))]


def test_every_release_is_of_one_profile_and_every_mode_has_claims():
    for release in RELEASES:
        assert sum(release in releases_of_profile(profile.name) for profile in PROFILES) == 1
    assert all(any(concerns(claim, Asked(mode=mode)) for claim in entries().values()) for mode in MODES)
