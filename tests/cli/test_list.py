"""``rebalance list --client --mode --strategy``: the claims that concern a user, refuted ones first."""

import json
import re
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.cli.list_ import lines
from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.profiles import PROFILES
from rebalance_proofs.model.releases import LAST
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.report.claims.mine import SHARES_ALONE, Mine, chosen_strategy, concerns
from rebalance_proofs.report.index.entries import entries
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.released.table import table
from rebalance_proofs.report.symptoms.asked import RELEASES, Asked, asked, releases_of_profile
from rebalance_proofs.report.text.wrapping import wrapped

EXPECTED = {claim.id: claim.expected for claim in LEDGER}
MOST_ROWS = 23
"""Rows of a terminal of 24 rows that remain above the shell's prompt."""


def ids(text):
    return [line.split()[1] for line in text.splitlines() if line.startswith(("PROVED", "REFUTED"))]


AVG = ("--client", "5.2", "--mode", "push orderly", "--strategy", "avg")
ALL_CLAIMS = tuple(entries().values())


def brief(release, mode, strategy=""):
    """Rows of the short answer, at 100 columns."""
    mine = Mine(ALL_CLAIMS, Asked(release, mode), chosen_strategy(strategy) if strategy else ())
    return [row for line in mine.brief("rebalance list --all") for row in wrapped(line, 100)]


def test_refuted_claims_of_my_client_come_first(call):
    called = call("list", *AVG, "--all")
    assert called.status == 0
    head = called.out.splitlines()[0]
    assert head.startswith("Java 5.2.0, push orderly, AVG: ")
    found = ids(called.out)
    verdicts = [EXPECTED[one] for one in found]
    assert verdicts == sorted(verdicts, key=lambda verdict: verdict is Verdict.PROVED)
    assert len(found) == len(set(found))
    plain, without, holds = (called.out.index(f"\n{head}") for head in ("DOES NOT HOLD:", "DOES NOT HOLD w", "HOLDS:"))
    assert plain < called.out.index("topics.avg-per-topic.level") < without
    assert without < called.out.index("allocation.avg.disjoint.without-same-cid-all") < holds
    assert holds < called.out.index("allocation.avg.disjoint  ")


def test_short_answer_lists_five_fixes_with_the_worst_symptom_first(call):
    lines = call("list", *AVG).out.splitlines()
    assert lines[1:3] == ["", "What to do, worst symptom first:"]
    fixes = lines[3:13]
    assert [line[:2] for line in fixes[::2]] == ["1.", "2.", "3.", "4.", "5."]
    assert fixes[0] == "1. Set consumeFromWhere to CONSUME_FROM_FIRST_OFFSET."
    assert any("unlockDelayTimeMills" in line for line in fixes[::2])
    worst = [line.removeprefix("   Against ").split()[0] for line in fixes[1::2]]
    assert worst == sorted(worst, key=["lost", "redelivered", "stalled", "offset", "skewed"].index)


def test_short_answer_ends_with_commands_that_work(call):
    lines = call("list", *AVG).out.splitlines()
    commands = [line.partition(": ")[2].strip() for line in lines[-4:]]
    assert [shlex.split(one)[:2] for one in commands] == [
        ["rebalance", one] for one in ("why", "show", "replay", "list")
    ]
    assert commands[-1] == "rebalance list --client 5.2 --mode 'push orderly' --strategy avg --all"
    for one in (commands[0], *commands[2:]):
        assert call(*shlex.split(one)[1:]).status == 0


@pytest.mark.parametrize("release", ["", *RELEASES])
def test_every_short_answer_fits_a_screen_and_begins_with_its_counts(release):
    for mode in ("", *MODES):
        if not (release or mode):
            continue
        rows = brief(release, mode)
        label, _, answer = rows[0].partition(": ")
        assert label == Asked(release, mode).label
        assert re.match(r"\d+ claims? holds?, \d+ do(es)? not hold, and \d+ do|none of \d+ claims covers this", answer)
        assert len(rows) <= MOST_ROWS, mode


@given(st.sampled_from(["", *RELEASES]), st.sampled_from(MODES), st.sampled_from([one.name for one in ALL]))
def test_short_answers_about_a_strategy_fit_a_screen(release, mode, strategy):
    assert len(brief(release, mode, strategy)) <= MOST_ROWS


@given(st.sampled_from(["", *RELEASES]), st.sampled_from(MODES))
def test_all_prints_every_claim_that_concerns_the_client(release, mode):
    mine = Mine(ALL_CLAIMS, Asked(release, mode), ())
    printed = ids("\n".join(mine.full(lines)))
    assert sorted(printed) == sorted(claim.id for claim in ALL_CLAIMS if concerns(claim, Asked(release, mode)))


def test_plain_list_is_complete_without_all(call):
    called = call("list")
    assert sorted(ids(called.out)) == sorted(EXPECTED)
    holding = sum(verdict is Verdict.PROVED for verdict in EXPECTED.values())
    assert called.out.startswith(f"# {len(EXPECTED)} claims: {holding} hold, {len(EXPECTED) - holding} do not hold\n")


def test_fixes_are_limited_to_causes_that_the_named_claims_show(call):
    out = call("list", "pulls.**", "--client", "5.2").out
    assert "What to do" not in out
    assert "List all claims:  rebalance list 'pulls.**' --client 5.2 --all" in out


def test_unmodelled_version_is_marked(call):
    assert f"5.99 is newer than {LAST}, the newest client that was read" in call("list", "--client", "5.99").out
    rows = json.loads(call("list", "--client", "5.99", "--json").out)
    assert {row["remark"] for row in rows} == {asked("5.99").remark}
    assert {row["remark"] for row in json.loads(call("list", "--json").out)} == {None}


@pytest.mark.parametrize(
    ("client", "subjects"),
    [
        ("grpc-java", {"java"}),
        ("rocketmq-python-client==5.1.1", {"python_v5_1_1"}),
        ("grpc-python", {"python_v5_0", "python_v5_1_1", "python_v5_1_2"}),
        ("grpc", {claim.subjects[0].name for claim in LEDGER if claim.kind == "receiving"}),
    ],
)
def test_claims_of_a_grpc_client_are_those_about_its_receive_loops(call, client, subjects):
    said = call("list", "--client", client, "--all")
    assert said.status == 0
    about = {claim.id for claim in LEDGER if claim.kind == "receiving" and claim.subjects[0].name in subjects}
    assert {*ids(said.out)} == about
    named = json.loads(call("list", "receiving.*.one-loop", "--client", client, "--json").out)
    assert {one["id"] for one in named} == {f"receiving.{name}.one-loop" for name in subjects}


def test_chances_in_packages_are_told_from_those_in_recordings(call):
    said = call("list", "receiving.*.apart", "--all").out
    tested, seen = (
        next(line for line in said.splitlines() if f"receiving.{one}.apart " in line) for one in ("node", "java")
    )
    assert tested.endswith(" chances in packages)")
    assert seen.endswith(" chances)")


def test_version_of_a_grpc_client_that_was_not_read_is_marked(call):
    assert (
        "gRPC Python 5.1.9 was not read: this answer uses gRPC Python 5.1.2.\n"
        in call("list", "--client", "grpc-python-5.1.9").out
    )


def test_strategy_of_a_grpc_client_is_refused(call):
    said = call("list", "--client", "grpc-go", "--strategy", "avg")
    assert (said.status, said.out) == (2, "")
    assert "gRPC clients have no allocation strategy; leave --strategy out" in said.err


@pytest.mark.parametrize("mode", ["lite pull", "pull", "push broadcasting"])
@pytest.mark.parametrize("more", [(), ("--all",), ("--json",)])
def test_claims_of_grpc_clients_are_about_push_consumers_only(call, mode, more):
    said = call("list", "--client", "grpc-go", "--mode", mode, *more)
    assert (said.status, said.out) == (2, "")
    assert "claims about gRPC clients concern push consumers; use --mode push, or leave it out" in said.err
    assert call("list", "--client", "grpc-go", "--mode", "orderly").status == 0


def test_counts_match_the_printed_claims(call):
    asked = ("--client", "go", "--strategy", "hash")
    found = ids(call("list", *asked, "--all").out)
    broken = [one for one in found if EXPECTED[one] is Verdict.REFUTED]
    dropped = sum(entries()[one].dropped for one in broken)
    assert call("list", *asked).out.startswith(
        f"Go, CONSISTENT_HASH: {len(found) - len(broken)} claims hold, {len(broken) - dropped} do not hold, and "
        f"{dropped} do not hold when an assumption is dropped.\n"
    )


def test_patterns_and_options_combine(call):
    all_of_them = ids(call("list", "allocation.**", "--strategy", "hash-go", "--all").out)
    assert all_of_them
    assert {one.split(".")[1] for one in all_of_them} == {"hash-go"}


def test_list_json_has_the_same_claims_in_the_same_order(call):
    asked = ("--client", "4.9.8", "--mode", "push")
    rows = json.loads(call("list", *asked, "--json").out)
    assert sorted(row["id"] for row in rows) == sorted(ids(call("list", *asked, "--all").out))
    verdicts = [row["expected"] for row in rows]
    assert verdicts == sorted(verdicts, key=lambda verdict: verdict == "PROVED")


def test_family_sentences_start_in_one_column(call):
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
def test_answer_states_that_only_shares_are_claimed(call, arguments, alone):
    assert (SHARES_ALONE in call("list", *arguments).out.splitlines()) is alone


def test_client_excludes_strategies_that_no_client_runs(call):
    assert not [
        one for one in ids(call("list", "topics.**", "--client", "5.2", "--all").out) if "kafka" in one or "list" in one
    ]
    assert "topics.kafka-range.level" in ids(call("list", "topics.**").out)


def test_strategy_excludes_claims_about_clients_without_it(call):
    """Node has no CONSISTENT_HASH; claims about groups of Node and Java clients concern Java."""
    node = ("offsets.node.", "transition.node.")
    found = ids(call("list", "--strategy", "hash", "--all").out)
    assert not [one for one in found if one.startswith(node)]
    assert {"transition.java_v5_2.kept.push", "offsets.node+java_v5.mixed"} <= {*found}
    assert [one for one in ids(call("list", "--strategy", "avg", "--all").out) if one.startswith(node)]


def test_no_matching_claim_is_an_answer(call):
    called = call("list", "ordered.**", "--mode", "pull")
    assert called.status == 0
    assert called.out == f"pull: none of {len(select(['ordered.**']))} claims covers this.\n"
    assert json.loads(call("list", "ordered.**", "--mode", "pull", "--json").out) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--client", "6"), "version '6' is not covered; name a Java client version 4.x or 5.x"),
        (("--client", "pop"), "'pop' is not modelled: everything after a pop request"),
        (("--client", "go", "--client", "node"), "--client is given 2 times; give it once"),
        (("--client", "3.x"), "version '3.x' is not covered"),
        (("--mode", "pul"), "did you mean 'pull'? the modes are 'push', "),
        (("--strategy", "hsh"), "unknown strategy 'hsh'; did you mean 'hash'? the strategies are avg, "),
        (("--strategy", "CONSISTENT_HSAH"), "did you mean 'CONSISTENT_HASH'?"),
        (("--client", ""), "'' is not a name; leave out the option if you do not need it"),
        (("--mode", " "), "' ' is not a name; leave out the option if you do not need it"),
        (("--strategy", ""), "'' is not a name; leave out the option if you do not need it"),
        (("--client", "cpp", "--strategy", "hash"), "C++ has no strategy CONSISTENT_HASH; its strategies are "),
    ],
)
def test_unknown_name_is_reported_with_the_nearest(call, arguments, said):
    called = call("list", *arguments)
    assert (called.status, called.out) == (2, "")
    assert said in called.complaint


@pytest.mark.parametrize("release", ["5.2.0", "4.9.8", "go", "node"])
def test_claims_about_other_clients_and_strategies_are_excluded(release):
    chosen = [claim for claim in entries().values() if concerns(claim, Asked(release, "push"), chosen_strategy("avg"))]
    for claim in chosen:
        assert claim.covers(release, "push") or not claim.released
    assert {claim.id for claim in LEDGER if claim.id.startswith("allocation.avg.")} <= {claim.id for claim in chosen}
    assert not [claim.id for claim in chosen if claim.id.startswith(("allocation.circle.", "movement.circle."))]


def test_every_release_has_one_profile_and_every_mode_has_claims():
    for release in RELEASES:
        assert sum(release in releases_of_profile(profile.name) for profile in PROFILES) == 1
    assert all(any(concerns(claim, Asked(mode=mode)) for claim in entries().values()) for mode in MODES)


def test_releases_have_a_line_each(call):
    out = call("list", "--releases").out
    assert all(f"\n{one.name} " in out for one in table())
    assert call("list", "--releases", "--all").out.startswith(out.partition("\n")[0])
    assert len(json.loads(call("list", "--releases", "--json").out)["releases"]) == len(table())


@pytest.mark.parametrize("other", [("--client", "5.2"), ("5.2",), ("--mode", "push"), ("--strategy", "avg")])
def test_releases_refuse_a_selection_of_claims(call, other):
    called = call("list", "--releases", *other)
    assert called.status == 2
    assert called.complaint.endswith("leave out CLAIMS, --client, --mode and --strategy")


def test_json_of_releases_has_all_details(call):
    called = call("list", "--releases", "--all", "--json")
    assert called.status == 2
    assert called.complaint.endswith("leave out --json")
