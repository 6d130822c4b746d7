"""Claims are made room by room: who asks for one by its id waits for no others, and finds it all the same."""

import pytest

from rebalance_proofs.proofs import ledger
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.kinds import KINDS, ROOMS
from rebalance_proofs.proofs.ledger import LEDGER, Ledger, select
from tests.each import each


def test_each_claim_is_in_the_room_that_its_id_begins_with():
    for room, kind in ROOMS.items():
        claims = LEDGER.within(room)
        assert claims
        assert {claim.id.partition(".")[0] for claim in claims} == {room}
        assert {claim.kind for claim in claims} == {kind}
    assert set(ROOMS.values()) == set(KINDS)


def test_rooms_leave_no_claim_of_their_kind_out():
    for kind, made in KINDS.items():
        assert [claim.id for claim in made.claims()] == [claim.id for claim in LEDGER.of(kind)]


def test_a_claim_is_found_by_its_id():
    assert all(LEDGER.find(claim.id) is claim for claim in LEDGER)
    assert [LEDGER.find(name) for name in ("", "avg", "allocation", "allocation.avg.cover", "nowhere.avg.covers")] == [
        None
    ] * 5


@each("pattern", ["movement.avg.*", "movement.*", "code.**", "pulls.java_v5_3_3.one-request"])
def test_patterns_of_one_room_make_only_that_one(pattern):
    room = pattern.partition(".")[0]
    alone = Ledger()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ledger, "LEDGER", alone)
        found = [claim.id for claim in select([pattern])]
    assert list(alone._rooms) == [room]
    assert found == [claim.id for claim in select([pattern], tuple(LEDGER))]


def test_what_no_room_has_is_looked_for_everywhere():
    with pytest.raises(UsageError, match=r"did you mean 'pulls\.java_v5_3_3\.one-request'"):
        select(["pulls.java_v5_3_3.one-requst"])
