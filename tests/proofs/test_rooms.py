"""Claims are made room by room: asking for one by its id loads no other room, and finds it."""

import pytest

from rebalance_proofs.proofs import ledger
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.kinds import KINDS, ROOMS
from rebalance_proofs.proofs.ledger import LEDGER, Ledger, select
from tests.each import each


def test_each_claim_is_in_the_group_of_its_id():
    for room, kind in ROOMS.items():
        claims = LEDGER.within(room)
        assert claims
        assert {claim.id.partition(".")[0] for claim in claims} == {room}
        assert {claim.kind for claim in claims} == {kind}
    assert set(ROOMS.values()) == set(KINDS)


def test_groups_contain_all_claims_of_their_kind():
    for kind, made in KINDS.items():
        assert [claim.id for claim in made.claims()] == [claim.id for claim in LEDGER.of(kind)]


def test_claim_is_found_by_its_id():
    assert all(LEDGER.find(claim.id) is claim for claim in LEDGER)
    assert [LEDGER.find(name) for name in ("", "avg", "allocation", "allocation.avg.cover", "nowhere.avg.covers")] == [
        None
    ] * 5


@each("pattern", ["movement.avg.*", "movement.*", "code.**", "pulls.java_v5_3_3.one-request"])
def test_pattern_of_one_group_makes_only_that_group(pattern):
    room = pattern.partition(".")[0]
    alone = Ledger()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ledger, "LEDGER", alone)
        found = [claim.id for claim in select([pattern])]
    assert list(alone._rooms) == [room]
    assert found == [claim.id for claim in select([pattern], tuple(LEDGER))]


def test_unknown_name_is_searched_in_all_groups():
    with pytest.raises(UsageError, match=r"did you mean 'pulls\.java_v5_3_3\.one-request'"):
        select(["pulls.java_v5_3_3.one-requst"])
