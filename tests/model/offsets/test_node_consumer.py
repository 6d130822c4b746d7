"""Node's offsets, as in the client's code."""

import pytest

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.machines.offsets.actions import BY_LOOP
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.possible import Impossible


def begun(committed=1, end=4, where=ConsumeFromWhere.LAST_OFFSET, **asks):
    found = BY_LOOP[0].consumer(Broker(committed, end), where)
    found.asks(**asks)
    found.adds()
    return found


def pulled(**settings):
    found = begun(**settings)
    found.pulls(offset=4, found=(1, 2, 3))
    return found


@pytest.mark.parametrize("trouble", ["silent", "error"])
def test_every_failed_query_means_no_offset(trouble):
    assert begun(**{trouble: True}).began == 4


@pytest.mark.parametrize(("committed", "sent"), [(0, -1), (1, 1)])
def test_offset_zero_is_sent_as_none(committed, sent):
    found = begun(committed=committed)
    found.sends()
    found.commits()
    assert found.broker.committed == sent
    assert found.broker.stored == (sent if sent > 0 else None)


def test_consumed_messages_are_recorded_in_order():
    found = pulled()
    found.starts(message=1)
    found.ends(message=1)
    found.notes()
    assert found.memory == 2


def test_removed_entry_is_still_consumed():
    found = pulled()
    found.starts(message=1)
    found.revokes()
    assert (found.held, found.memory) == (None, None)
    found.ends_late(message=1)
    found.notes_late()
    found.starts_late(message=2)
    assert found.memory == 2
    assert [call.begun_late for call in found.calls] == [True]


def test_removed_entry_without_a_batch_is_not_consumed():
    found = pulled()
    found.revokes()
    with pytest.raises(Impossible):
        found.starts_late(message=1)


def test_unsent_offset_stays_in_memory():
    found = begun()
    found.revokes(silent=True)
    assert (found.held, found.memory, found.commits_under_way) == (None, 1, [])


def test_closed_consumer_skips_waiting_messages():
    found = pulled()
    with pytest.raises(Impossible):
        found.skips(message=1)
    found.shuts()
    found.skips(message=3)
    found.sends()
    assert found.memory == 4
    assert not found.broker.consumed
    found.clears()
    assert found.held is None
