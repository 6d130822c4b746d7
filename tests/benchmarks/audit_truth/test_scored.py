"""Scoring an audit against the recorded truth: correct, false and missed findings."""

from dataclasses import replace

import pytest

from benchmarks.audit_truth.cases import cases
from benchmarks.audit_truth.happened import Called, Denied, Happened, Refused, Saw, SetBack
from benchmarks.audit_truth.scored import UNSCORED, Scored, Told, explained, scored, told
from benchmarks.audit_truth.troubled import troubled
from rebalance_proofs.recorded.audit.finding import Level, What
from tests.recorded.audit.audited import audited

T = tuple(f"T:b:{number}" for number in range(4))
RAN = {"a": (0, 100_000), "b": (0, 100_000)}


def saw(who, at, ids, places, strategy="AVG"):
    return Saw(who, f"{who}@1", "T", at, strategy, T, ids, tuple(T[place] for place in places))


def of(**happened):
    """The cases that have to be told, of two members."""
    really = Happened(groups=dict.fromkeys("ab", "G"), clients={"a": "a@1", "b": "b@1"}, ran=RAN, **happened)
    return [(one.what, one.queue, one.at, one.until) for one in cases(really) if one.must]


BOTH = ("a@1", "b@1")
ALONE = saw("a", 0, ("a@1",), range(4))


@pytest.mark.parametrize(
    ("happened", "expected"),
    [
        ({"saw": [ALONE, saw("b", 10_000, BOTH, [2, 3])]}, [(What.VIEWS, "T::", 10_000, 100_000)]),
        ({"saw": [ALONE, saw("b", 10_000, BOTH, [2, 3]), saw("a", 10_900, BOTH, [0, 1])]}, []),
        (
            {"saw": [ALONE, saw("b", 10_000, BOTH, [2, 3])], "still": {"a": [(20_000, 100_000)]}},
            [(What.VIEWS, "T::", 10_000, 20_000)],
        ),
        (
            {"saw": [saw("a", 0, BOTH, [0, 1]), saw("b", 0, BOTH, [1, 3], "AVG_BY_CIRCLE")]},
            [(What.VIEWS, "T::", 0, 100_000)],
        ),
        ({"saw": [saw("a", 5, BOTH, [0, 2])]}, [(What.UNLIKE, "T::", 5, 5)]),
        ({"saw": [saw("a", 5, BOTH, [0, 1]), saw("b", 5, BOTH, [2, 3])]}, []),
        (
            {"saw": [saw("a", 5, ("0", "a@1"), [2, 3]), saw("b", 5, BOTH, [2, 3])]},
            [(What.UNLIKE, "T::", 5, 100_000)],
        ),
        ({"set_back": [SetBack(at, "G", "T", 1) for at in (5, 50_000, 200_000)]}, [
            (What.BACK, "T::1", 5, 50_000), (What.BACK, "T::1", 200_000, 200_000)]),
        (
            {
                "called": [Called("a", T[0], 5_000, 9_000)],
                "entries": [("a", T[0], 0, 6_000), ("b", T[0], 7_000, 90_000)],
            },
            [(What.LISTENERS, T[0], 7_000, 9_000)],
        ),
        ({"denied": [Denied(at, "a", T[0]) for at in (5, 25_000, 60_000)]}, [
            (What.LOCKS, T[0], 5, 25_000), (What.LOCKS, T[0], 60_000, 60_000)]),
        ({"refused": [Refused(5, "a", "G", "subscription not exist")]}, [(What.REFUSED, "", 5, 5)]),
        ({"notified": [(1_000 * n, "a") for n in range(10)]}, [(What.STORM, "", 0, 9_000)]),
        ({"notified": [(7_000 * n, "a") for n in range(10)]}, []),
        (
            {"entries": [("a", T[0], 0, 90_000)], "still": {"a": [(10_000, 30_000), (40_000, 50_000)]}},
            [(What.UNREAD, T[0], 10_000, 30_000)],
        ),
    ],
)  # fmt: skip
def test_findings_are_scored_against_the_truth(happened, expected):
    assert of(**happened) == expected


def test_one_client_id_in_two_processes_is_a_case():
    really = Happened(groups=dict.fromkeys("ab", "G"), clients=dict.fromkeys("ab", "a@1"), ran=RAN)
    assert [(one.what, one.at, one.until) for one in cases(really)] == [(What.IDS, 0, 100_000)]


STORM = {"notified": [(1_000 * n, "a") for n in range(10)]}


def storms(**changes):
    """Numbers of a storm that is told with something changed."""
    really = cases(Happened(groups={"a": "G"}, clients={"a": "a@1"}, ran=RAN, **STORM))
    one = Told(What.STORM, Level.SEEN, "G", "", frozenset("a"), 0, 9_000, "")
    found = [one._replace(**changes)]
    return scored(found, really)[What.STORM], explained(found, really)


def test_storm_score_counts_cases_and_findings():
    assert storms() == (Scored(1, 1, 0, 1, 0, 0), [])
    numbers, lines = storms(at=20_000, until=30_000)
    assert numbers == Scored(1, 0, 0, 1, 1, 0)
    assert [line.split(":")[0] for line in lines] == ["not SEEN", "none"]
    assert storms(who=frozenset("b"))[0].false == 1
    assert storms(level=Level.POSSIBLE)[0] == Scored(1, 0, 1, 0, 0, 1)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Some groups with troubles: (what happened, its cases, what is found)."""
    found = []
    for seed in range(24):
        really, logs = troubled(seed)
        made = audited(tmp_path_factory.mktemp("played"), {f"{who}.log": text for who, text in logs.items()})
        found.append((really, cases(really), told(made, {"G"})))
    return found


def test_played_groups_contain_every_kind_of_case(played):
    """Offset rollbacks are excepted: enough recordings have them. No recording has every kind."""
    have = [{case.what for case in every if case.must} for _, every, _ in played]
    kinds = set(What) - {What.BACK, *UNSCORED}
    assert set.union(*have) == kinds
    assert all(any(what not in one for one in have) for what in kinds)


def test_audit_reports_no_false_finding(played):
    assert [line for _, every, found in played for line in explained(found, every) if line.startswith("none")] == []


@pytest.mark.parametrize("what", [What.LOCKS, What.REFUSED, What.STORM, What.IDS, What.UNREAD])
def test_audit_finds_every_case_that_logs_show(played, what):
    """A silence near an end of a log is POSSIBLE only."""
    for _, every, found in played:
        numbers = scored(found, every)[what]
        assert numbers.seen + numbers.possible * (what is What.UNREAD) == numbers.cases


def test_audit_finds_most_stalled_queues(played):
    numbers = Scored()
    for _, every, found in played:
        numbers.add(scored(found, every)[What.STALLED])
    assert numbers.cases >= 5
    assert numbers.seen >= numbers.cases // 3
    assert numbers.seen + numbers.possible >= 0.8 * numbers.cases
    assert numbers.false == 0


def test_findings_without_a_true_case_count_as_false(played):
    """With the same logs and a truth without any of these cases, every finding is false."""
    nothing = [scored(found, cases(replace(really, notified=[], refused=[], denied=[]))) for really, _, found in played]
    for what in (What.STORM, What.REFUSED, What.LOCKS):
        told_of = [one[what] for one in nothing]
        assert sum(one.false for one in told_of) == sum(one.told for one in told_of) > 0
