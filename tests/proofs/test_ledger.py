"""The ledger: its content, and the selection of claims."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.allocation.claims import GUARANTEES, claims
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.guarantee import LONGEST
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.proofs.limit import within
from tests.each import each

IDS = [claim.id for claim in LEDGER]
NAMES = [strategy.name for strategy in STRATEGIES]


def ids(*patterns: str) -> list[str]:
    return [claim.id for claim in select(patterns)]


def test_claims_have_unique_ids_and_sentences() -> None:
    assert len(set(IDS)) == len(IDS)
    assert len({claim.sentence for claim in LEDGER}) == len(LEDGER)


@each("claim", LEDGER, ids=IDS)
def test_claim_has_everything_for_its_verdict(claim: Claim) -> None:
    assert claim.expected in (Verdict.PROVED, Verdict.REFUTED)
    if claim.expected is Verdict.PROVED:
        assert claim.obligations
    names = [obligation.name for obligation in claim.obligations]
    assert len(set(names)) == len(names)
    assert claim.sentence.endswith(".")
    assert claim.source.startswith("https://")
    assert claim.scope
    assert len(claim.encodings) == len(claim.subjects) == claim.world.subjects


@each("claim", LEDGER, ids=IDS)
def test_sentence_is_short_and_its_assumptions_are_separate(claim: Claim) -> None:
    assert len(claim.sentence.split()) <= LONGEST
    phrases = (*claim.assumes, *claim.where, *claim.covers)
    assert len(set(phrases)) == len(phrases)
    for phrase in phrases:
        assert phrase == phrase.strip(" .")
        assert ";" not in phrase


@each("claim", [claim for claim in LEDGER if claim.world.dropped], ids=lambda claim: claim.id)
def test_dropped_assumption_is_not_assumed(claim: Claim) -> None:
    assert claim.world.drops
    assert claim.world.drops not in claim.assumes
    assert claim.world.assumes


@each("claim", LEDGER, ids=IDS)
def test_claim_id_names_its_dropped_assumption(claim: Claim) -> None:
    """Having no virtual nodes is not a premise in which consumers could differ."""
    without = claim.id.partition(".without-")[2]
    assert without == (claim.world.name if claim.world.dropped else without and "virtual-nodes")


@each("claim", LEDGER, ids=IDS)
def test_other_worlds_of_a_claim_have_the_same_form(claim: Claim) -> None:
    for world in claim.also:
        assert world is not claim.world
        assert (world.sized, world.dropped) == (claim.world.sized, claim.world.dropped)
        assert world.subjects == claim.world.subjects


@each("strategy", STRATEGIES, ids=NAMES)
def test_every_guarantee_is_claimed_or_refuted_for_every_strategy(strategy) -> None:
    assert strategy.holds | strategy.fails == {guarantee.name for guarantee in GUARANTEES}
    assert not strategy.holds & strategy.fails


@each("world", [AGREED, *PREMISES], ids=lambda world: world.name)
def test_every_assumption_has_claims(world) -> None:
    assert any(claim.world is world for claim in LEDGER)


def test_empty_pattern_selects_all() -> None:
    assert select(()) == (*LEDGER,)
    assert select(("**",)) == (*LEDGER,)


def test_star_matches_one_part() -> None:
    found = ids("allocation.*.disjoint")
    assert found[: len(NAMES)] == [f"allocation.{name}.disjoint" for name in NAMES]
    assert {claim_id.split(".")[1] for claim_id in found} >= {*NAMES, "hash", "nearby", "room-go", "config"}
    assert all(claim_id.split(".")[::2] == ["allocation", "disjoint"] for claim_id in found)
    assert len(found) == sum(claim_id.endswith(".disjoint") for claim_id in IDS)


@pytest.mark.parametrize(
    ("pattern", "chosen"),
    [
        ("allocation.**", lambda parts: parts[0] == "allocation"),
        ("allocation.avg.**", lambda parts: parts[:2] == ["allocation", "avg"]),
        ("**.disjoint", lambda parts: parts[-1] == "disjoint"),
        ("**.disjoint.**", lambda parts: "disjoint" in parts),
        ("allocation.avg.covers.**", lambda parts: parts[:3] == ["allocation", "avg", "covers"]),
        ("*.*.*.without-*", lambda parts: len(parts) == 4 and parts[3].startswith("without-")),
        ("**.without-same-?q-all", lambda parts: parts[-1] == "without-same-mq-all"),
        ("allocation.*+*.**", lambda parts: parts[0] == "allocation" and "+" in parts[1]),
        ("*.*+*.same", lambda parts: parts[2:] == ["same"]),
        (".".join(["**"] * 40), lambda parts: True),
        (".".join(["**"] * 40 + ["disjoint"]), lambda parts: parts[-1] == "disjoint"),
    ],
)
def test_patterns_select_the_expected_claims(pattern: str, chosen) -> None:
    expected = [claim_id for claim_id in IDS if chosen(claim_id.split("."))]
    assert expected
    assert ids(pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "meant"), [("settling.*", "settling.**"), ("*", "**"), ("set*", "settling.**"), ("**" * 40, "**")]
)
def test_final_star_matches_all_below(pattern: str, meant: str) -> None:
    """A star after a complete id is one part, as before."""
    assert ids(pattern) == ids(meant)
    assert len(ids("allocation.avg.*")) < len(ids("allocation.avg.**"))


@pytest.mark.parametrize(
    "pattern",
    [".".join(["**"] * 40 + ["nothing"]), ".".join(["**", "*"] * 40), "*a" * 40, "**." * 1000, "x" * 10_000],
    ids=lambda pattern: f"{pattern[:8]}, {len(pattern)} long",
)
def test_pattern_with_many_stars_ends_quickly(pattern: str) -> None:
    with pytest.raises(UsageError, match=r"^unknown claim "), within("going through the stars"):
        select((pattern,))


def test_strategy_without_an_encoding_is_refused() -> None:
    without = claims((replace(STRATEGIES[1], name="own", encoding=None),))
    with pytest.raises(UsageError) as raised:
        select(("allocation.own.covers",), without)
    assert (
        str(raised.value)
        == "allocation.own.covers cannot be judged: the strategy 'own' has no encoding for the solvers"
    )


def test_config_claims_need_no_encoding() -> None:
    assert {strategy.encoding for claim in select(("allocation.config.**",)) for strategy in claim.subjects} == {None}


@given(st.lists(st.sampled_from(IDS), min_size=1))
def test_selected_claims_are_unique_and_in_ledger_order(chosen: list[str]) -> None:
    assert ids(*chosen) == [claim_id for claim_id in IDS if claim_id in chosen]


@pytest.mark.parametrize(
    ("pattern", "nearest"),
    [
        ("allocation.avg.disjiont", "allocation.avg.disjoint"),
        ("allocation.circle.contigous", "allocation.circle.contiguous"),
        ("allocation.avg.covers.without-distinct-id", "allocation.avg.covers.without-distinct-ids"),
        ("Allocation.avg.disjoint", "allocation.avg.disjoint"),
        ("CONSISTENT_HSAH", "CONSISTENT_HASH"),
        ("listner", "listener"),
        ("zzz", ""),
        ("", ""),
    ],
)
def test_unknown_claim_names_the_nearest(pattern: str, nearest: str) -> None:
    with pytest.raises(UsageError, match=r"^unknown claim .*`rebalance list") as raised:
        select(("allocation.avg.disjoint", pattern))
    assert repr(pattern) in str(raised.value)
    assert f"did you mean {nearest!r}? " in str(raised.value) if nearest else "did you mean" not in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("CONSISTENT_HASH", "allocation.hash.**"),
        ("consistent hash", "allocation.hash.**"),
        ("hash-go", "allocation.hash-go.**"),
        ("5.2", "transition.java_v5_2.**"),
        ("Java 5.2", "transition.java_v5_2.**"),
        ("java_v5_2", "transition.java_v5_2.**"),
        ("Java 5.2 to 5.4.0", "transition.java_v5_2.**"),
        ("4.9.0", "transition.java_v4_9_0.**"),
        ("listener", "transition.*.listener.**"),
        ("disjoint", "allocation.*.disjoint"),
        ("without-same-order", "allocation.*.*.without-same-order"),
    ],
)
def test_strategies_clients_and_guarantees_are_selected_by_name(name: str, pattern: str) -> None:
    assert set(ids(name)) >= set(ids(pattern)) != set()
    assert len(ids(name)) < len(IDS) / 2
