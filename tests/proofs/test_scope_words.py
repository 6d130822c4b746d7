"""A claim whose words are about another world than its own is refused when it is made."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.proofs.claim import ending
from rebalance_proofs.proofs.errors import ClaimError
from rebalance_proofs.proofs.ledger import LEDGER, select


def of(name: str):
    (claim,) = select([name])
    return claim


PROMISED = of("offsets.java_v5.hand-over")
WITHOUT = of("offsets.java_v5.hand-over.without-turn")


@pytest.mark.parametrize(
    ("claim", "changes", "why"),
    [
        (WITHOUT, {"world": PROMISED.world}, "its id contains 'without-turn', and its world drops nothing"),
        (WITHOUT, {"variant": ""}, "its world drops the assumption 'turn', which its id does not name"),
        (WITHOUT, {"variant": "without-answers"}, "its world drops the assumption 'turn', which its id does not name"),
        (WITHOUT, {"sentence": PROMISED.sentence}, "its sentence does not mention that"),
        (WITHOUT, {"sentence": f"{WITHOUT.sentence} And even if not."}, "with an event that its world excludes"),
        (
            PROMISED,
            {"sentence": WITHOUT.sentence},
            "its sentence mentions 'even if' with an event that its world excludes",
        ),
        (PROMISED, {"variant": "without-turn"}, "its id contains 'without-turn', and its world drops nothing"),
        (
            of("allocation.avg.unread.without-same-subscription"),
            {"guarantee": WITHOUT.guarantee},
            "does not mention that",
        ),
        (of("transition.node.others.with-foreign-queues"), {"world": of("transition.node.exact").world}, "'even if'"),
    ],
)
def test_words_about_another_world_are_refused(claim, changes, why):
    with pytest.raises(ClaimError, match=why):
        replace(claim, **changes)


def test_each_claim_can_be_rebuilt():
    assert [replace(claim) for claim in LEDGER] == [*LEDGER]


def test_each_machine_claim_ends_with_its_assumptions():
    """Also a claim that fails: it fails even though these assumptions hold."""
    about = [claim for claim in LEDGER if isinstance(claim.world, MachineWorld)]
    assert len(about) > 300
    assert len([claim for claim in about if ending(claim.world)]) > 100
    for claim in about:
        assert claim.sentence.endswith(f"{ending(claim.world)}."), claim.id
        assert any(said and said in claim.sentence for said in (claim.guarantee.sentence, claim.guarantee.brief)), (
            claim.id
        )
