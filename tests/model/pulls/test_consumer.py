"""One queue's pull requests, as the client's code handles them."""

import pytest

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.pulls.clients import CLIENTS
from rebalance_proofs.model.transition.generations import GENERATIONS

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
V5_1, V5_2_0, V5_3_0, V5_3_3 = CLIENTS


def begun(client, **settings):
    found = client.consumer(**settings)
    found.adds()
    return found


def counts(found):
    entry = found.entry
    return found.service.waiting[entry], found.pulling[entry], found.service.tasks[entry]


def test_every_release_that_was_read_is_one_clients():
    releases = [release for client in CLIENTS for release in client.releases]
    assert releases == [release for one in GENERATIONS for release in one.releases]
    for client in CLIENTS:
        assert {release for one in client.generations for release in one.releases} >= set(client.releases)


@each_client
def test_one_request_goes_round(client):
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
def test_no_entry_is_made_where_nobody_knows_where_to_begin(client):
    found = client.consumer()
    found.adds(silent=True)
    assert found.entry is None
    assert not +found.service.waiting
    with pytest.raises(Impossible):
        found.revokes()


@each_client
def test_an_old_request_dies_although_the_queue_has_a_new_entry(client):
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
def test_a_marked_entry_that_cannot_be_taken_out_has_its_request_die(client):
    found = begun(client)
    found.revokes(stays=True)
    assert found.entry.dropped
    found.takes()
    assert counts(found) == (0, 0, 0)


@each_client
@pytest.mark.parametrize(("span", "stays"), [(50, True), (51, False)])
def test_an_entry_goes_when_its_last_pull_is_longer_ago_than_the_limit(client, span, stays):
    found = begun(client, limit=50)
    found.waits(span=span)
    found.revokes(in_set=True)
    assert (found.entry is not None) is stays


@each_client
def test_a_repair_of_its_own_entry_takes_that_out(client):
    found = begun(client)
    found.takes()
    found.illegal()
    assert found.entry.dropped
    found.repairs()
    assert found.entry is None


@each_client
def test_a_repair_that_comes_late_takes_the_next_entry_out(client):
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
    [("throws", (0, 0, 0, 0)), ("hooks", (1, 1, 0, 0)), ("overtime", (1, 1, 2, 2)), ("errs", (0, 0, 0, 0))],
)
def test_what_is_left_of_a_request_that_is_taken(action, left):
    for client, requests in zip(CLIENTS, left, strict=True):
        found = begun(client)
        getattr(found, action)()
        assert sum(counts(found)) == requests, client.name


@pytest.mark.parametrize(("action", "left"), [("breaks", (0, 1, 1, 1)), ("interrupts", (0, 0, 0, 0))])
def test_what_is_left_of_a_request_that_is_answered(action, left):
    for client, requests in zip(CLIENTS, left, strict=True):
        found = begun(client)
        found.takes()
        getattr(found, action)()
        assert sum(counts(found)) == requests, client.name


@pytest.mark.parametrize(("client", "ended"), [(V5_1, True), (V5_2_0, True), (V5_3_0, True), (V5_3_3, False)])
def test_an_error_ends_the_thread_before_5_3_3(client, ended):
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
def test_a_consumer_that_is_suspended_keeps_its_entry_and_does_not_pull(client):
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
def test_what_was_under_way_comes_to_a_consumer_that_is_suspended(client):
    found = begun(client)
    found.takes()
    found.suspends()
    found.answers()
    found.takes()
    assert counts(found) == (1, 0, 0)


@each_client
def test_while_the_offset_of_a_first_pull_is_asked_for_nothing_else_is_taken(client):
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
def test_an_offset_that_is_not_answered_is_asked_for_again(client):
    found = begun(client)
    found.asks()
    found.sends(later=True)
    assert counts(found) == (1, 0, 0)
    found.asks()
    found.sends()
    assert counts(found) == (0, 1, 0)


@each_client
def test_a_pull_begins_for_an_entry_that_has_gone_while_its_offset_was_asked_for(client):
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
def test_a_consumer_that_is_suspended_adds_no_queue(client):
    found = client.consumer()
    found.suspends()
    found.adds()
    assert found.entry is None


@each_client
def test_what_a_pull_throws_after_its_offset_was_answered_loses_its_request_too(client):
    found = begun(client)
    found.asks()
    found.revokes(stays=True)
    found.throws()
    assert counts(found) == (0, 0, 0)


@each_client
def test_a_first_pull_whose_offset_is_being_asked_for_is_sent_though_the_consumer_is_suspended(client):
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
def test_after_an_error_the_new_request_is_stuck_after_the_expiry_too(client):
    """The run that operators see; the shortest one takes no two minutes."""
    found = begun(client)
    found.errs()
    found.waits(span=120_001)
    found.revokes(in_set=True)
    found.adds()
    assert found.service.ended is not client.rules.thread_survives
    assert found.service.waiting[found.entry] == 1
