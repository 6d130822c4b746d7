"""Calls and results are transmitted unchanged, for all lists and names."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rebalance_proofs.model.own.call import NULL, PRINTED_LINES, PRINTED_WIDTH, Call, Gave, Refused
from rebalance_proofs.model.own.java import protocol
from rebalance_proofs.model.own.java.worker import JavaWorker
from rebalance_proofs.model.own.surroundings import Surroundings
from rebalance_proofs.model.queues import MessageQueue, one_broker

pytestmark = pytest.mark.usefixtures("light")
NAMES = st.text(st.characters(codec=None, categories=None), max_size=4)
QUEUES = st.builds(MessageQueue, NAMES, NAMES, st.integers(-(2**31), 2**31 - 1))
MQ_ALLS = st.lists(QUEUES, max_size=6).map(tuple)
CALLS = st.builds(Call, NAMES, NAMES, MQ_ALLS, st.lists(NAMES, max_size=4).map(tuple))


@pytest.fixture(scope="module")
def tells(java_classes):
    with JavaWorker("acme.Tells", java_classes) as worker:
        yield worker


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.lists(CALLS, max_size=6), st.booleans())
def test_strategy_gets_the_arguments_of_the_call(tells, calls, shared):
    if shared and calls:
        calls = [call._replace(mq_all=calls[0].mq_all, cid_all=calls[-1].cid_all) for call in calls]
    told = [Gave(tuple(_told(call))) for call in calls]
    assert tells.answers(calls) == told


def test_strategy_gets_the_users_name_of_the_group(java_classes):
    call = Call("G", "a", one_broker(1), ("a",))
    with JavaWorker("acme.Tells", java_classes, surroundings=Surroundings(consumer_group="orders")) as worker:
        assert worker.answers([call]) == [Gave(tuple(_told(call._replace(consumer_group="orders"))))]


def _told(call: Call):
    """As ``Tells`` answers: mqAll from its end, then everything else as queues that are not in mqAll."""
    yield from reversed(call.mq_all)
    yield None
    yield MessageQueue("group " + call.consumer_group, "current " + call.current_cid, len(call.cid_all))
    for place, client_id in enumerate(call.cid_all):
        yield MessageQueue("id", client_id + "!", place)


def test_shared_list_is_sent_once():
    queues, ids = one_broker(50), tuple("abcdefgh")
    one = len(protocol.batch([Call("g", "a", queues, ids)]))
    assert len(protocol.batch([Call("g", "a", queues, ids)] * 10)) == one + 9 * 16
    equal = [Call("g", "a", (*queues[:1], *queues[1:]), ids) for _ in range(10)]
    assert len(protocol.batch(equal)) > 9 * 50 * 12


def test_number_beyond_a_java_int_is_refused():
    with pytest.raises(protocol.struct.error):
        protocol.batch([Call("g", "a", (MessageQueue("T", "b", 2**31),), ("a",))])


def piece(*numbers):
    return protocol.struct.pack(f"<{len(numbers)}i", *numbers)


CALL = Call("g", "a", one_broker(2), ("a",))


def test_null_result_is_not_an_empty_list():
    said = piece(protocol.REFUSED, protocol.KINDS.index(NULL), 0, 0)
    assert list(protocol.outcomes(said, iter([CALL]))) == [Refused(NULL, "")]


def test_null_queue_is_not_in_mq_all():
    said = piece(protocol.SPELLED_OUT, 2, 1, -1, 0)
    assert list(protocol.outcomes(said, iter([CALL]))) == [Gave((one_broker(2)[1], None))]


@pytest.mark.parametrize(
    "said",
    [b"abc", piece(1), piece(1, 2), piece(0, 0), piece(protocol.REFUSED, 99, 0, 0), piece(-2, 1, -2, -5), piece(-2, 1)],
)
def test_foreign_bytes_cannot_be_read(said):
    with pytest.raises(protocol.UnreadableError):
        list(protocol.outcomes(said, iter([CALL])))


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(said):
    try:
        assert len(list(protocol.outcomes(said, iter([CALL] * 3)))) <= 3
        protocol.made(said)
    except protocol.UnreadableError:
        pass


def test_output_is_truncated():
    assert protocol.printed("a\n\n" + "b" * 1000 + "\nc\n") == ("a", "", "b" * PRINTED_WIDTH)
    assert len(protocol.printed("\n" * 100)) == PRINTED_LINES
    assert protocol.printed("") == ()
