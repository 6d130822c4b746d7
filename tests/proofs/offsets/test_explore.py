"""Shortest traces to bad states: by exploration, by the solver's unrolling, and replayed on the code."""

import pytest

from rebalance_proofs.model.offsets.clients import BY_LOOP, CLIENTS, CONCURRENT, ORDERLY
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.proofs.offsets.brokers import (
    ARRIVING,
    ARRIVING_IN_ORDER,
    AWAITED,
    COMMITTED,
    COMMITTED_STEADY,
    HANDED_OVER,
    HEEDED,
    HEEDED_IN_ORDER,
    IN_TURN,
    IN_TURN_STEADY,
    REPLACED,
)
from rebalance_proofs.proofs.offsets.brokers import BY_LOOP as LOOPING
from rebalance_proofs.proofs.offsets.claims import claims
from rebalance_proofs.proofs.offsets.explore import shortest
from rebalance_proofs.proofs.offsets.guarantees import (
    BAD,
    BAD_FINISHING,
    BAD_HANDED,
    BAD_IN_ORDER,
    BAD_LATER,
    BAD_OF_RESETS,
)
from rebalance_proofs.proofs.offsets.search import explored, smallest
from tests.proofs.offsets.unrolled import fewest

CLAIMS = claims()
LENGTHS = {
    "not-skipped": 6,
    "not-skipped.without-copy": 7,
    "only-uncommitted": 12,
    "finished": 9,
    "once": 10,
    "never-back": 12,
    "hand-over": 10,
    "but-overtime": 11,
    "back-at-most": 18,
}
"""Actions, by guarantee."""
LENGTHS_BY_LOOP = {
    "not-skipped.without-answers": 5,
    "not-skipped.without-offset": 5,
    "not-skipped.without-above": 9,
    "not-skipped.without-open": 7,
    "back-at-most.without-above": 3,
    "stops": 5,
    "once": 10,
    "never-back": 12,
    "hand-over": 11,
    "but-overtime": 11,
}
"""The same of Node, by what stands in a claim's id."""
LENGTHS_OF_AN_ARRIVAL = {
    "since-asked": 7,
    "since-added": 8,
    "since-added.without-keeping": 9,
    "since-pulled.without-keeping": 11,
}
"""The same of a message that arrives: with an ordered listener the first pull is one action more."""
LENGTHS_OF_A_RESET = {Way.CONCURRENTLY: (8, 6), Way.ORDERLY: (9, 6)}
"""Of ``reset-sent.without-quiet``, and of ``reset-heard``."""
LENGTHS_IN_ORDER = {"not-skipped": 7, "finished": 10, "once": 15, "never-back": 13, "from-an-offset": 3}
LENGTHS_OF_ONE_BATCH = {"turn": 12, "staying": 13, "steady": 15}
"""With ordered listeners; of one guarantee by the premise that is not given."""


def length(claim):
    if claim.guarantee.name == "one-batch":
        return LENGTHS_OF_ONE_BATCH[claim.world.name]
    if claim.world.resets:
        return LENGTHS_OF_A_RESET[claim.world.way][claim.guarantee.name == "reset-heard"]
    if claim.world.later:
        return LENGTHS_OF_AN_ARRIVAL[claim.id.split(".", 2)[2]]
    if claim.world.way is Way.BY_LOOP:
        return LENGTHS_BY_LOOP[claim.id.removeprefix("offsets.node.")]
    lengths = LENGTHS_IN_ORDER if claim.world.orderly else LENGTHS
    return lengths.get(f"{claim.guarantee.name}.{claim.variant}", lengths[claim.guarantee.name])


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_what_is_refuted_takes_so_many_actions_and_is_run_by_the_code(claim):
    found = smallest(claim)
    if claim.holds:
        assert found is None
        return
    assert found.departures == length(claim)
    assert len(found.group.seen) == found.departures
    assert claim.guarantee.violation(found.group)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_every_mutant_comes_to_what_it_is_to_break(client):
    assert client.mutants
    of = {claim.guarantee.name: claim for claim in CLAIMS if claim.subjects == (client,) and not claim.variant}
    tried = [mutant for mutant in client.mutants if mutant.breaks in of]
    assert len(tried) >= 5
    for mutant in tried:
        assert explored(mutant.encoding, of[mutant.breaks]), mutant.name


def test_no_more_actions_than_allowed_are_tried():
    once = LENGTHS["once"]
    assert "once" not in shortest(CONCURRENT[-1].encoding, COMMITTED, BAD, once - 1)
    assert len(shortest(CONCURRENT[-1].encoding, COMMITTED, BAD, once)["once"]) == once


SOLVED = 12
"""Actions for which the solver is asked: of more it takes very long."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "claim",
    [claim for claim in CLAIMS if not claim.holds and length(claim) <= SOLVED],
    ids=lambda claim: claim.id,
)
def test_the_solver_finds_none_that_is_shorter(claim):
    client, wanted = claim.subjects[0], length(claim)
    bad = {**BAD_IN_ORDER, **BAD_HANDED, **BAD_FINISHING, **BAD_LATER, **BAD_OF_RESETS}[claim.guarantee.name]
    assert fewest(client.encoding, claim.world, bad, wanted) == wanted


@pytest.mark.slow
@pytest.mark.parametrize("client", CONCURRENT, ids=lambda client: client.name)
def test_in_no_state_of_two_consumers_is_what_is_proved_not_so(client):
    for world, proved in ((COMMITTED, {"not-skipped", "only-uncommitted"}), (COMMITTED_STEADY, {"back-at-most"})):
        assert {claim.guarantee.name for claim in CLAIMS if claim.holds and claim.world is world} >= proved
        assert shortest(client.encoding, world, {name: BAD[name] for name in proved}, limit=99) == {}


@pytest.mark.slow
@pytest.mark.parametrize("client", CONCURRENT, ids=lambda client: client.name)
def test_in_no_state_of_a_hand_over_is_what_is_proved_not_so(client):
    assert shortest(client.encoding, HANDED_OVER, {"hand-over": BAD_HANDED["hand-over"]}, limit=99) == {}


@pytest.mark.slow
def test_in_no_state_of_two_that_loop_is_what_is_proved_not_so():
    proved = {claim.guarantee.name for claim in CLAIMS if claim.holds and claim.world is LOOPING}
    assert len(proved) == 3
    assert shortest(BY_LOOP[0].encoding, LOOPING, {name: BAD[name] for name in proved}, limit=99) == {}


@pytest.mark.slow
@pytest.mark.parametrize("client", ORDERLY, ids=lambda client: client.name)
def test_in_no_state_of_two_that_come_after_each_other_is_what_is_proved_not_so(client):
    for world, proved in ((IN_TURN, {"back-at-most"}), (IN_TURN_STEADY, {"one-batch"})):
        assert {claim.guarantee.name for claim in CLAIMS if claim.holds and claim.world is world} == proved
        assert shortest(client.encoding, world, {name: BAD_IN_ORDER[name] for name in proved}, limit=99) == {}


MORE = 17
"""Actions. All states take more memory than a test should."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("client", "world"),
    [(CONCURRENT[-1], HEEDED), (CONCURRENT[-1], AWAITED), *((client, HEEDED_IN_ORDER) for client in ORDERLY)],
    ids=lambda one: one.name,
)
def test_in_some_more_actions_nothing_is_committed_half_done(client, world):
    assert shortest(client.encoding, world, BAD_FINISHING, limit=MORE) == {}


@pytest.mark.slow
def test_in_some_more_actions_no_message_is_skipped_beside_a_replica():
    assert shortest(CONCURRENT[-1].encoding, REPLACED, {"not-skipped": BAD["not-skipped"]}, limit=MORE) == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("client", "world", "name"),
    [
        *((client, ARRIVING, "since-added") for client in CONCURRENT),
        *((client, ARRIVING_IN_ORDER, "since-pulled") for client in ORDERLY),
    ],
    ids=lambda one: getattr(one, "name", one),
)
def test_in_no_state_of_a_queue_that_is_kept_is_a_message_skipped_that_arrived(client, world, name):
    assert shortest(client.encoding, world, {name: BAD_LATER[name]}, limit=99) == {}
