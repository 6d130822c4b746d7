"""Obligations that hold trivially are detected, whatever the reason."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.clients import V5_2
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.allocation.amounts import BALANCED
from rebalance_proofs.proofs.allocation.covers import COVERS
from rebalance_proofs.proofs.allocation.lists import LISTING
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.hashing.induction import SAME_OWNER
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.models.known import recorded
from rebalance_proofs.proofs.mutation.ask import LEMMA, PATH, STRUCTURAL, WEAK, teeth
from rebalance_proofs.proofs.mutation.result import Bite, MutationTest
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.solvers.pool import Pool
from rebalance_proofs.proofs.transition.claims import LOOP

AVG = STRATEGIES[0]
(EXACT,) = [claim for claim in LEDGER if claim.id == "transition.java_v5_2.exact"]
QUIET = next(step for step in EXACT.obligations if step.name == "quiet")


def emptied(obligation: Obligation) -> Obligation:
    """The obligation with a conclusion that is always true, which still asks the encoding."""

    def state(encoding, v):
        right = obligation.state(encoding, v)
        return Statement(right.given, smt.Or(right.then, smt.Not(right.then)))

    return replace(obligation, state=state)


def asked(strategy, *obligations: Obligation) -> list[MutationTest]:
    """What they notice."""

    kind = "transition" if hasattr(strategy, "modes") else "allocation"
    wrong = KINDS[kind].wrong(strategy)

    async def ask() -> list[MutationTest]:
        async with Pool(("z3", "cvc5"), jobs=1) as pool:
            tests = (teeth(step, strategy, wrong, pool, recorded().of(kind, strategy)) for step in obligations)
            return list(await asyncio.gather(*tests))

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("strategy", "steps"),
    [
        (AVG, (*COVERS.obligations(AGREED), *LISTING, *BALANCED.obligations(AGREED))),
        (CONSISTENT_HASH, SAME_OWNER),
        (V5_2, (QUIET, LOOP)),
    ],
    ids=["avg", "hash", "java_v5_2"],
)
def test_trivially_true_obligation_fails_the_mutation_test(strategy, steps) -> None:
    """Each of these was once not detected when it was made trivially true."""
    kinds = [(found.bite, found.shown) for found in asked(strategy, *map(emptied, steps))]
    assert kinds == [(Bite.NONE, False)] * len(steps)


def test_meaningful_obligation_passes_the_mutation_test() -> None:
    for found in asked(AVG, *COVERS.obligations(AGREED), *LISTING, *BALANCED.obligations(AGREED)) + asked(V5_2, QUIET):
        assert found.bite is Bite.TEETH
        assert found.noticed
        assert found.broken


def test_obligation_true_for_any_encoding_must_be_pinned() -> None:
    same_base, same_step, exclusive = asked(CONSISTENT_HASH, *SAME_OWNER)
    assert {one.bite for one in (same_base, same_step, exclusive)} == {Bite.STRUCTURAL}
    assert all(one.shown and one.reason for one in (same_base, same_step, exclusive))
    (renamed,) = asked(CONSISTENT_HASH, replace(SAME_OWNER[0], name="new"))
    assert (renamed.bite, renamed.shown) == (Bite.STRUCTURAL, False)
    assert "STRUCTURAL" in renamed.missing


def test_obligation_without_an_encoding_is_a_lemma_and_must_be_pinned() -> None:
    (loop,) = asked(V5_2, LOOP)
    assert (loop.bite, loop.shown) == (Bite.LEMMA, True)
    (renamed,) = asked(V5_2, replace(LOOP, name="new"))
    assert (renamed.bite, renamed.shown) == (Bite.LEMMA, False)


def test_pinned_exceptions_only_become_fewer(proved) -> None:
    """Checked against the pinned lists for proved claims; lemmas are counted by the pinned lists only."""
    kinds: Counter[Bite] = Counter()
    pinned = {Bite.WEAK: set(), Bite.STRUCTURAL: set(), Bite.LEMMA: set()}
    for result in proved.values():
        for step in result.obligations if result.claim.expected is Verdict.PROVED else ():
            assert step.teeth.shown, (result.claim.id, step.name)
            shared = step.name in ("lemma.loop", "lemma.monotone")
            kinds[step.teeth.bite] += not shared and not result.claim.id.startswith("code.")
            if step.teeth.bite is not Bite.TEETH:
                subject = result.claim.subjects[0].name
                pinned[step.teeth.bite] |= {step.name, f"{subject} {step.name}", PATH.sub("path", step.name)}
    assert kinds[Bite.WEAK] == 0
    assert kinds[Bite.STRUCTURAL] <= 60
    assert len(LEMMA) <= 69
    for bite, names in ((Bite.WEAK, WEAK), (Bite.STRUCTURAL, STRUCTURAL), (Bite.LEMMA, LEMMA)):
        assert {*names} <= pinned[bite] or len(proved) < len(LEDGER)
