"""Profiles of the clients: strategies, sort orders, and results for empty arguments, nulls and errors."""

import pytest

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO
from rebalance_proofs.model.profiles import CPP, GO, JAVA_V4, JAVA_V5, NODE, PROFILES, RECORDED, RUST, ClientError, Held
from rebalance_proofs.model.queues import MessageQueue, one_broker

SHIPPED = [(profile, strategy) for profile in PROFILES for strategy in profile.strategies]
DIVIDING = [(profile, strategy) for profile, strategy in SHIPPED if strategy.rocketmq_name != "CONFIG"]
QUEUES, IDS = one_broker(3), ("c0", "c1")


def parametrized(pairs):
    return pytest.mark.parametrize(
        ("profile", "strategy"), pairs, ids=[f"{profile.name}-{strategy.name}" for profile, strategy in pairs]
    )


def test_every_client_is_registered_once():
    assert len({profile.name for profile in PROFILES}) == len({p.recorded_as for p in PROFILES}) == len(PROFILES)


def test_recorded_clients_are_listed():
    assert [profile.recorded_as for profile in RECORDED] == ["java", "go", "node", "cpp", "rust"]
    assert JAVA_V4 not in RECORDED


def test_each_client_has_its_strategies():
    java = ["avg", "circle", "hash", "room", "nearby", "config"]
    assert {profile.name: [strategy.name for strategy in profile.strategies] for profile in PROFILES} == {
        "java_v4": java,
        "java_v5": java,
        "go": ["avg", "circle", "hash-go", "room-go", "nearby-go", "config"],
        "node": ["avg"],
        "cpp": ["avg"],
        "rust": ["avg", "circle", "hash", "room-rust", "nearby", "config"],
    }


def test_strategies_of_clients_are_registered():
    assert {strategy.name for _, strategy in SHIPPED} <= {strategy.name for strategy in ALL}


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_strategy_is_found_by_its_rocketmq_name(profile):
    for strategy in profile.strategies:
        assert profile.strategy(strategy.rocketmq_name) is strategy
    assert profile.strategy("NO_SUCH_STRATEGY") is None


@parametrized(SHIPPED)
def test_valid_arguments_give_the_strategys_result(profile, strategy):
    for cid in IDS:
        given = strategy.allocate(cid, QUEUES, IDS)
        assert profile.allocate(strategy, cid, QUEUES, IDS) == ([] if given is None and profile is GO else given)


@parametrized(DIVIDING)
def test_unlisted_id_gets_nothing(profile, strategy):
    assert profile.allocate(strategy, "c9", QUEUES, IDS) == []


@parametrized([pair for pair in SHIPPED if pair[1] in (AVERAGELY, AVERAGELY_BY_CIRCLE)])
def test_null_elements_are_passed_through(profile, strategy):
    nameless = MessageQueue("T", None, 0)
    assert profile.allocate(strategy, "c0", [nameless, None], ["c0"]) == [nameless, None]


@pytest.mark.parametrize(
    ("profile", "strategy", "exception"),
    [(JAVA_V5, MACHINE_ROOM, "java.lang.NullPointerException"), (GO, MACHINE_ROOM_GO, "panic")],
)
def test_unchecked_null_is_a_fault(profile, strategy, exception):
    with pytest.raises(ClientError) as caught:
        profile.allocate(strategy, "c0", [None], ["c0"])
    assert caught.value.exception == exception


def test_config_without_a_list_depends_on_the_client():
    found = {profile.name: profile.strategy("CONFIG") for profile in PROFILES}
    assert JAVA_V5.allocate(found["java_v5"], "c0", QUEUES, IDS) is None
    assert GO.allocate(found["go"], "c0", QUEUES, IDS) == []  # nil, which is also an empty list


def test_constructor_errors_are_client_errors():
    for profile in (JAVA_V5, RUST):
        strategy = profile.strategy("CONSISTENT_HASH")
        assert profile.configured(strategy, virtual_nodes=0).allocate("c0", QUEUES, IDS) == []
        with pytest.raises(ClientError) as caught:
            profile.configured(strategy, virtual_nodes=-1)
        exception = THROWN[profile.name][0]
        assert (caught.value.exception, caught.value.message) == (exception, "illegal virtualNodeCnt :-1")
    assert GO.configured(GO.strategy("CONSISTENT_HASH"), virtual_nodes=-1).allocate("c0", QUEUES, IDS) == []


def test_effect_on_held_queues_is_listed():
    for profile in PROFILES:
        assert (profile.on_error, profile.on_empty) == (Held.KEPT, Held.RELEASED)
        assert profile.on_empty_arguments is (Held.RELEASED if profile is GO else Held.KEPT)


NO_ID, NO_QUEUES, NO_IDS = "currentCID is empty", "mqAll is null or mqAll empty", "cidAll is null or cidAll empty"
THROWN = {
    JAVA_V4.name: ("java.lang.IllegalArgumentException", NO_ID, NO_QUEUES, NO_IDS),
    JAVA_V5.name: ("java.lang.IllegalArgumentException", NO_ID, NO_QUEUES, NO_IDS),
    NODE.name: ("Error", NO_ID, NO_QUEUES, NO_IDS),
    CPP.name: ("MQClientException", NO_ID, "mqAll is empty", "cidAll is empty"),
    RUST.name: ("IllegalArgument", NO_ID, NO_QUEUES, NO_IDS),
}
# The first empty argument in the order of the checks is the one that is told.
EMPTY_ID = [("", QUEUES, IDS), (None, QUEUES, IDS), (None, [], []), ("", None, None)]
EMPTY_QUEUES = [("c0", [], IDS), ("c0", None, IDS), ("c0", [], []), ("c9", [], IDS)]
EMPTY_IDS = [("c0", QUEUES, []), ("c0", QUEUES, None)]


@parametrized(DIVIDING)
def test_empty_arguments_give_the_clients_error(profile, strategy):
    for message_place, calls in enumerate((EMPTY_ID, EMPTY_QUEUES, EMPTY_IDS), start=1):
        for call in calls:
            if profile is GO:
                assert profile.allocate(strategy, *call) == []
                continue
            with pytest.raises(ClientError) as caught:
                profile.allocate(strategy, *call)
            exception, message = THROWN[profile.name][0], THROWN[profile.name][message_place]
            assert (caught.value.exception, caught.value.message) == (exception, message)
            assert str(caught.value) == f"{exception}: {message}"


def test_utf16_clients_are_listed():
    smile, wide_a = "\U0001f600", "\uff21"
    found = {profile.name: profile.sort_client_ids([wide_a, smile]) for profile in PROFILES}
    for client in ("java_v4", "java_v5", "node"):
        assert found[client] == [smile, wide_a]
    for client in ("go", "cpp", "rust"):
        assert found[client] == [wide_a, smile]


def test_clients_with_overflowing_queue_ids_are_listed():
    large, negative = MessageQueue("T", "b", 2147483647), MessageQueue("T", "b", -2)
    for given in ([large, negative], [negative, large]):
        found = {profile.name: profile.sort_queues(given) for profile in PROFILES}
        for client in ("java_v4", "java_v5", "cpp"):
            assert found[client] == [large, negative]
        for client in ("go", "node", "rust"):
            assert found[client] == [negative, large]


def test_sorting_keeps_the_given_list_and_duplicates():
    given = [MessageQueue("T", "b", 1), MessageQueue("T", "b", 0), MessageQueue("T", "b", 1)]
    for profile in PROFILES:
        assert [queue.queue_id for queue in profile.sort_queues(given)] == [0, 1, 1]
        assert [queue.queue_id for queue in given] == [1, 0, 1]
