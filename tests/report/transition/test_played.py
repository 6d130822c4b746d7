"""Transitions effect by effect: the effects on the table add up to the recorded table."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.client import effects as does
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.transition.effects import sides
from rebalance_proofs.report.transition.played import played
from tests.report import long

REFUTED = [claim for claim in LEDGER if claim.kind == "transition" and claim.expected is Verdict.REFUTED]


@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.id)
def test_effects_add_up_to_the_recorded_table(claim):
    with long.not_sought():
        example = shown(claim).smallest(claim)
    found = played(claim, example)
    assert found is not None
    told = sides(claim, example)
    effects = sum(len(done.effects) + 1 + bool(done.thrown) for side in told for done in side.rounds)
    assert len(found.steps) == effects
    assert [party.name for party in found.parties] == [side.client.rocketmq_name for side in told]
    for before, step in zip(found.everything, found.steps, strict=False):
        for was, value in zip(before.values, step.values, strict=True):
            assert value.changed == (value.words != was.words)


def test_played_run_shows_only_recorded_effects():
    (claim,) = [one for one in REFUTED if one.id == "transition.java_v5_2.kept.push"]
    example = shown(claim).smallest(claim)
    first, *more = example.group.rounds
    lost = tuple(effect for effect in first.effects if effect[0] != does.OUT and effect[0] != does.IN)
    assert lost != first.effects
    wrong = replace(example.group, rounds=(replace(first, effects=lost), *more))
    assert played(claim, replace(example, group=wrong)) is None
