"""The enumerator as a witness: where it contradicts the solvers, the verdict is DISAGREE."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.subject import subject
from rebalance_proofs.model.worlds.groups import AGREED, Groups
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.proofs.results import ClaimResult, Counterexample, Search
from rebalance_proofs.spark_enum.allocation.group_check import GroupCheck, checks
from rebalance_proofs.spark_enum.allocation.space import ENUMERATOR, GROUPS, SIZES, SMALLEST, SOLVER, Space
from rebalance_proofs.spark_enum.allocation.sweep import name_of, setting_of, sweep
from rebalance_proofs.spark_enum.allocation.witness import in_jobs
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.results import Enumerated, Finding, Wrong
from rebalance_proofs.spark_enum.witness import compare, judge

AVG = STRATEGIES[0]
SAME_MQ_ALL = next(world for world in PREMISES if world.name == "same-mq-all")
(HOLDS,) = select(["allocation.avg.covers"])
(FAILS,) = select(["allocation.avg.covers.without-distinct-ids"])


def sweep_of(claim: Claim, smallest: tuple[int, int] | None = None, world: Groups | None = None, **changes) -> Finding:
    """A sweep of up to 4 consumers and 4 queues; ``smallest`` is the size of its smallest violation."""
    guarantee, world = claim.guarantee.name, world or claim.world
    found = {guarantee: Wrong(smallest, (), "queue 1 has no consumer.")} if smallest else {}
    strategies = subject(claim.subjects)
    plain = Finding(
        kind=GROUPS,
        name=name_of(strategies, world),
        subject=strategies,
        setting=setting_of(world),
        bounds={"queues": 4, "consumers": 4},
        counted=16,
        expected=16,
        digest="0" * 16,
        broken={guarantee: len(found)},
        smallest=found,
    )
    return replace(plain, **changes)


def asked(claim: Claim, disagreements: int = 0, first: str = "") -> Finding:
    bounds = {"queues": 4, "consumers": 4}
    return Finding(SIZES, claim.id, 16, 16, bounds=bounds, differing=disagreements, first=first)


def enumerated(*findings: Finding) -> Enumerated:
    return Enumerated("4.0.0", "local[2]", findings)


def result(
    claim: Claim, verdict: Verdict, smallest: tuple[int, int] | None = None, searched: bool = True, minimal: bool = True
) -> ClaimResult:
    """What the solvers found; ``smallest`` is the size of their counterexample."""
    group = AGREED.group(claim.subjects, 2, 2, ())
    example = Counterexample(*smallest, (), group, "queue 1 has no consumer.") if smallest else None
    search = Search((), example, minimal, True, 4) if searched else None
    return ClaimResult(claim, verdict, "", search=search)


PROVED = result(HOLDS, Verdict.PROVED, searched=False)
REFUTED = result(FAILS, Verdict.REFUTED, (2, 2))

CONTRADICTIONS = {
    "a violation of what is proved": (
        PROVED,
        sweep_of(HOLDS, (3, 2)),
        "violated with 3 consumers and 2 queues. queue 1 has no consumer.",
    ),
    "a smaller counterexample": (
        REFUTED,
        sweep_of(FAILS, (2, 1)),
        "smallest counterexample: solver (2, 2), enumerator (2, 1)",
    ),
    "a larger counterexample": (
        REFUTED,
        sweep_of(FAILS, (3, 1)),
        "smallest counterexample: solver (2, 2), enumerator (3, 1)",
    ),
    "no counterexample where the solver has one": (
        REFUTED,
        sweep_of(FAILS),
        "smallest counterexample: solver (2, 2), enumerator None",
    ),
    "a counterexample where the solver has none": (
        result(FAILS, Verdict.PROVED),
        sweep_of(FAILS, (2, 2)),
        "smallest counterexample: solver None, enumerator (2, 2)",
    ),
    "a counterexample below the solver's outside the bound": (
        result(FAILS, Verdict.REFUTED, (2, 9)),
        sweep_of(FAILS, (2, 2)),
        "smallest counterexample: solver (2, 9), enumerator (2, 2)",
    ),
    "a mismatch": (
        PROVED,
        sweep_of(HOLDS, differing=3, first="avg at q = 1, c = 2, index 1: concrete result []"),
        "concrete result and compiled term differ: avg at q = 1, c = 2, index 1: concrete result []",
    ),
}

AGREEMENTS = {
    "proved": (PROVED, sweep_of(HOLDS)),
    "refuted": (REFUTED, sweep_of(FAILS, (2, 2))),
    "outside the bound, in queues": (result(FAILS, Verdict.REFUTED, (2, 5)), sweep_of(FAILS)),
    "outside the bound, in consumers": (result(FAILS, Verdict.REFUTED, (5, 2)), sweep_of(FAILS)),
    "another guarantee fails in the same sweep": (
        PROVED,
        replace(sweep_of(HOLDS), smallest={"contiguous": Wrong((2, 3), (), "no")}, broken={"contiguous": 1}),
    ),
    "a sweep of another premise": (PROVED, sweep_of(FAILS, (2, 2))),
    "no sweep at all": (PROVED, sweep_of(HOLDS, (2, 2), name="circle")),
    "a time-out is no contradiction": (
        result(FAILS, Verdict.TIMEOUT, None, minimal=False),
        sweep_of(FAILS, (2, 2)),
    ),
    "a counterexample not shown to be the smallest": (
        result(FAILS, Verdict.UNKNOWN, (2, 3), minimal=False),
        sweep_of(FAILS, (2, 2)),
    ),
    "neither finds a counterexample that was expected": (result(FAILS, Verdict.UNKNOWN), sweep_of(FAILS)),
    "both find a counterexample that was not expected": (
        result(HOLDS, Verdict.REFUTED, (2, 2)),
        sweep_of(HOLDS, (2, 2)),
    ),
}


@pytest.mark.parametrize(("before", "swept", "said"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_contradiction_is_a_disagreement(before: ClaimResult, swept: Finding, said: str) -> None:
    (after,) = judge([before], enumerated(swept))
    assert (after.verdict, after.reason, after.contradictions) == (Verdict.DISAGREE, said, (said,))
    assert not after.green
    assert compare([before.claim], enumerated(swept), [before]).unexpected == (f"{before.claim.id}: {said}",)


@pytest.mark.parametrize(("before", "swept"), AGREEMENTS.values(), ids=AGREEMENTS)
def test_agreement_changes_no_verdict(before: ClaimResult, swept: Finding) -> None:
    assert judge([before], enumerated(swept)) == (before,)


@pytest.mark.parametrize("before", [PROVED, REFUTED], ids=lambda before: before.claim.id)
def test_disagreement_at_a_size_is_a_contradiction(before: ClaimResult) -> None:
    said = "2 consumers, 1 queues: z3 says unknown, concrete: no violation"
    swept = sweep_of(before.claim, (2, 2) if before is REFUTED else None)
    found = enumerated(swept, asked(HOLDS, 1, said), asked(FAILS, 1, said))
    (after,) = judge([before], found)
    assert (after.verdict, after.contradictions) == (Verdict.DISAGREE, (said,))
    assert f"{before.claim.id}: {said}" in compare([before.claim], found, [before]).unexpected


def test_agreement_at_every_size_changes_no_verdict() -> None:
    found = enumerated(sweep_of(HOLDS), asked(HOLDS), asked(FAILS, 1, "not about this one"))
    assert judge([PROVED], found) == (PROVED,)


def test_all_contradictions_are_kept() -> None:
    swept = sweep_of(HOLDS, (3, 2), differing=1, first="here")
    (after,) = judge([PROVED], enumerated(swept, asked(HOLDS, 2, "there")))
    assert [said.split()[0] for said in after.contradictions] == ["violated", "concrete", "there"]
    assert after.reason == after.contradictions[0]


def test_only_the_contradicted_claim_changes() -> None:
    other = replace(PROVED, claim=replace(HOLDS, room="another", subjects=STRATEGIES[1:2]))
    after = judge([PROVED, other, REFUTED], enumerated(sweep_of(HOLDS, (1, 1)), sweep_of(FAILS, (2, 2))))
    assert [found.verdict for found in after] == [Verdict.DISAGREE, Verdict.PROVED, Verdict.REFUTED]


def test_smallest_sizes_are_compared() -> None:
    found = compare([HOLDS, FAILS], enumerated(sweep_of(HOLDS), sweep_of(FAILS, (2, 2))), [PROVED, REFUTED])
    (compared,) = found.of(SMALLEST)
    assert (compared.name, compared.counted, compared.equal) == (FAILS.id, 1, True)
    assert {who: case.size for who, case in compared.smallest.items()} == {SOLVER: (2, 2), ENUMERATOR: (2, 2)}
    assert found.unexpected == ()


def test_violation_of_a_claim_that_holds_is_unexpected_without_solvers() -> None:
    found = compare([HOLDS, FAILS], enumerated(sweep_of(HOLDS, (2, 2)), sweep_of(FAILS, (2, 1))))
    assert [said.split(":")[0] for said in found.unexpected] == [HOLDS.id]


def test_guarantees_of_a_space_share_one_check() -> None:
    claims = [claim for claim in LEDGER if claim.kind == Groups.kind]
    made = checks(LEDGER)
    keys = [(check.world, check.subjects) for check in made]
    assert len(set(keys)) == len(keys)
    assert sum(len(check.guarantees) for check in made) == sum(1 + len(claim.also) for claim in claims)
    for claim in claims:
        for world in (claim.world, *claim.also):
            same = [check for check in made if (check.world, check.subjects) == (world, claim.subjects)]
            assert [claim.guarantee in check.guarantees for check in same] == [True]


def test_sweep_names_are_unique() -> None:
    """A claim finds its sweep by its name."""
    names = [name_of(subject(check.subjects), check.world) for check in checks(LEDGER)]
    assert len(set(names)) == len(names)
    guarantees = [[guarantee.name for guarantee in check.guarantees] for check in checks(LEDGER)]
    assert all(len(set(found)) == len(found) for found in guarantees)


def spaces(*sizes: int) -> list[Check]:
    """Of that many groups each: one queue, so many consumers; or none, where nobody disagrees with himself."""
    check, different = GroupCheck(AGREED, (AVG,), ()), GroupCheck(SAME_MQ_ALL, (AVG,), ())
    return [
        sweep(Space(AGREED, size, 1), check) if size else sweep(Space(SAME_MQ_ALL, 1, 1), different) for size in sizes
    ]


@pytest.mark.parametrize(
    ("sizes", "jobs"),
    [
        pytest.param((), [], id="nothing"),
        pytest.param((3,), [[3]], id="one"),
        pytest.param((9,), [[9]], id="one that is too large"),
        pytest.param((2, 3), [[2, 3]], id="exactly as many as a job has"),
        pytest.param((2, 3, 1), [[2, 3], [1]], id="one more"),
        pytest.param((1, 9, 1), [[1], [9], [1]], id="a large one stands alone"),
        pytest.param((0,), [[0]], id="no group at all"),
        pytest.param((0, 5, 0), [[0, 5, 0]], id="no group costs nothing"),
    ],
)
def test_spaces_are_grouped_into_jobs_in_order(sizes, jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rebalance_proofs.spark_enum.allocation.witness.JOB", 5)
    assert [[one.expected for one in job] for job in in_jobs(spaces(*sizes))] == jobs


(SUCCESSOR,) = select(["allocation.hash.successor"])


def other_sweep(**changes) -> Finding:
    """Of the other case in which that claim is enumerated."""
    (also,) = SUCCESSOR.also
    return replace(sweep_of(SUCCESSOR, world=also), **changes)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        pytest.param({}, (), id="agrees"),
        pytest.param(
            {"differing": 1, "first": "here"},
            ("concrete result and compiled term differ: here",),
            id="a mismatch",
        ),
        pytest.param(
            {"smallest": {"successor": Wrong((1, 2), (), "Wrong.")}, "broken": {"successor": 1}},
            ("violated with 1 consumers and 2 queues. Wrong.",),
            id="a violation",
        ),
        pytest.param(
            {"smallest": {"idle": Wrong((1, 2), (), "Wrong.")}, "broken": {"idle": 1}}, (), id="of another claim"
        ),
    ],
)
def test_other_worlds_of_a_claim_count(changes, said) -> None:
    before = result(SUCCESSOR, Verdict.PROVED, searched=False)
    (after,) = judge([before], enumerated(sweep_of(SUCCESSOR), other_sweep(**changes)))
    assert after.contradictions == said
    assert after.verdict is (Verdict.DISAGREE if said else Verdict.PROVED)


def test_reduced_space_need_not_contain_the_expected_violation() -> None:
    (idle,) = select(["allocation.hash.idle"])
    consumers, queues = idle.world.bound
    whole = sweep_of(idle, bounds={"queues": queues, "consumers": consumers})
    cut = replace(whole, bounds={"queues": queues - 1, "consumers": consumers})
    assert [bool(compare([idle], enumerated(swept)).unexpected) for swept in (whole, cut)] == [True, False]


def test_expected_violation_must_be_found_without_solvers() -> None:
    assert compare([FAILS], enumerated(sweep_of(FAILS))).unexpected == (
        f"{FAILS.id}: expected to fail, but no violation with up to 4 consumers and 4 queues",
    )
