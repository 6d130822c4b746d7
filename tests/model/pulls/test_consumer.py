"""One queue's pull requests, as the client's code handles them."""

import pytest

from rebalance_proofs.model.machines.pulls.actions import CLIENTS
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.transition.generations import GENERATIONS

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
V5_1, V5_2_0, V5_3_0, V5_3_3, V5_4_0 = CLIENTS


def begun(client, **settings):
    found = client.consumer(**settings)
    found.adds()
    return found


def counts(found):
    entry = found.entry
    return found.service.waiting[entry], found.pulling[entry], found.service.tasks[entry]


def test_every_modelled_release_belongs_to_one_client():
    releases = [release for client in CLIENTS for release in client.releases]
    assert releases == [release for one in GENERATIONS for release in one.releases]
    for client in CLIENTS:
        assert {release for one in client.generations for release in one.releases} >= set(client.releases)


@each_client
def test_one_request_circulates(client):
    found = begun(client)
    assert counts(found) == (1, 0, 0)
    found.takes()
    assert counts(found) == (0, 1, 0)
    with pytest.raises(Impossible):
        found.takes()
    found.answers()
    found.takes(later=True)
    assert counts(found) == (1, 0, 0)


@each_client
def test_unknown_start_offset_adds_no_entry(client):
    found = client.consumer()
    found.adds(silent=True)
    assert found.entry is None
    assert not +found.service.waiting
    with pytest.raises(Impossible):
        found.revokes()


@each_client
def test_old_request_dies_although_the_queue_has_a_new_entry(client):
    found = begun(client)
    old = found.entry
    found.takes()
    found.revokes()
    found.adds()
    found.answers(old=True)
    found.takes(old=True)
    assert (found.service.waiting[old], found.pulling[old]) == (0, 0)
    assert counts(found) == (1, 0, 0)


@each_client
def test_request_of_a_dropped_entry_that_stays_dies(client):
    found = begun(client)
    found.revokes(stays=True)
    assert found.entry.dropped
    found.takes()
    assert counts(found) == (0, 0, 0)


@each_client
@pytest.mark.parametrize(("span", "stays"), [(50, True), (51, False)])
def test_entry_is_removed_after_its_pull_expired(client, span, stays):
    found = begun(client, limit=50)
    found.waits(span=span)
    found.revokes(in_set=True)
    assert (found.entry is not None) is stays


@each_client
def test_repair_of_the_own_entry_removes_it(client):
    found = begun(client)
    found.takes()
    found.illegal()
    assert found.entry.dropped
    found.repairs()
    assert found.entry is None


@each_client
def test_late_repair_removes_the_next_entry(client):
    found = begun(client)
    found.takes()
    found.revokes()
    found.adds()
    found.illegal(old=True)
    assert not found.entry.dropped
    found.repairs(old=True)
    assert found.entry is None


@pytest.mark.parametrize(
    ("action", "left"),
    [("throws", (0, 0, 0, 0, 0)), ("hooks", (1, 1, 0, 0, 0)), ("overtime", (1, 1, 2, 2, 1)), ("errs", (0, 0, 0, 0, 0))],
)
def test_taken_request_is_kept_or_lost(action, left):
    for client, requests in zip(CLIENTS, left, strict=True):
        found = begun(client)
        getattr(found, action)()
        assert sum(counts(found)) == requests, client.name


@pytest.mark.parametrize(("action", "left"), [("breaks", (0, 1, 1, 1, 1)), ("interrupts", (0, 0, 0, 0, 0))])
def test_answered_request_is_kept_or_lost(action, left):
    for client, requests in zip(CLIENTS, left, strict=True):
        found = begun(client)
        found.takes()
        getattr(found, action)()
        assert sum(counts(found)) == requests, client.name


@pytest.mark.parametrize(
    ("client", "ended"), [(V5_1, True), (V5_2_0, True), (V5_3_0, True), (V5_3_3, False), (V5_4_0, False)]
)
def test_error_ends_the_pull_thread_before_5_3_3(client, ended):
    found = begun(client)
    found.errs()
    assert found.service.ended is ended
    found.revokes()
    found.adds()
    if ended:
        with pytest.raises(Impossible):
            found.takes()
    else:
        found.takes()


@each_client
def test_suspended_consumer_keeps_its_entry_and_does_not_pull(client):
    found = begun(client, limit=50)
    found.suspends()
    for _ in range(3):
        found.waits(span=40)
        found.takes()
        found.revokes()
        found.revokes(in_set=True)
    assert counts(found) == (1, 0, 0)
    assert found.entry is not None
    assert not found.entry.dropped
    with pytest.raises(Impossible):
        found.suspends()
    found.resumes()
    found.takes()
    assert counts(found) == (0, 1, 0)
    found.revokes()
    assert found.entry is None


@each_client
def test_answers_reach_a_suspended_consumer(client):
    found = begun(client)
    found.takes()
    found.suspends()
    found.answers()
    found.takes()
    assert counts(found) == (1, 0, 0)


@each_client
def test_no_other_request_is_taken_during_an_offset_query(client):
    found = begun(client)
    found.asks()
    assert counts(found) == (0, 0, 0)
    for action in (found.asks, found.takes):
        with pytest.raises(Impossible):
            action()
    found.sends()
    assert counts(found) == (0, 1, 0)
    found.answers()
    with pytest.raises(Impossible):
        found.asks()


@each_client
def test_unanswered_offset_is_queried_again(client):
    found = begun(client)
    found.asks()
    found.sends(later=True)
    assert counts(found) == (1, 0, 0)
    found.asks()
    found.sends()
    assert counts(found) == (0, 1, 0)


@each_client
def test_pull_is_sent_for_an_entry_removed_during_the_query(client):
    found = begun(client)
    old = found.entry
    found.asks()
    found.revokes()
    found.adds()
    with pytest.raises(Impossible):
        found.takes()
    found.sends(old=True)
    assert found.pulling[old] == 1
    assert counts(found) == (1, 0, 0)


@each_client
def test_suspended_consumer_adds_no_queue(client):
    found = client.consumer()
    found.suspends()
    found.adds()
    assert found.entry is None


@each_client
def test_exception_after_the_offset_query_loses_the_request(client):
    found = begun(client)
    found.asks()
    found.revokes(stays=True)
    found.throws()
    assert counts(found) == (0, 0, 0)


@each_client
def test_first_pull_is_sent_although_the_consumer_was_suspended(client):
    found = begun(client)
    found.asks()
    found.suspends()
    found.sends()
    assert counts(found) == (0, 1, 0)
    found = begun(client)
    found.suspends()
    with pytest.raises(Impossible):
        found.asks()


@each_client
def test_new_request_after_an_error_is_stuck_after_the_expiry_too(client):
    """The run that operators observe; the shortest one takes less than two minutes."""
    found = begun(client)
    found.errs()
    found.waits(span=120_001)
    found.revokes(in_set=True)
    found.adds()
    assert found.service.ended is not client.rules.thread_survives
    assert found.service.waiting[found.entry] == 1
