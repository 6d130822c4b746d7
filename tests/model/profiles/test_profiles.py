"""The clients: what each ships, how it sorts, what it does with empty arguments."""

from importlib import import_module

import pytest

from model.allocation import STRATEGIES
from model.profiles import PROFILES
from model.profiles.cpp import CPP
from model.profiles.go import GO
from model.profiles.java_v5 import JAVA_V5
from model.profiles.node import NODE
from model.profiles.profile import ClientError
from model.profiles.rust import RUST
from model.queues import MessageQueue, one_broker

SHIPPED = [(profile, strategy) for profile in PROFILES for strategy in profile.strategies]
QUEUES, IDS = one_broker(3), ("c0", "c1")

all_shipped = pytest.mark.parametrize(
    ("profile", "strategy"), SHIPPED, ids=[f"{profile.name}-{strategy.name}" for profile, strategy in SHIPPED]
)


def test_every_client_stands_in_the_registry_once_and_has_a_file_of_its_name():
    assert len({profile.name for profile in PROFILES}) == len({p.recorded_as for p in PROFILES}) == len(PROFILES)
    for profile in PROFILES:
        assert getattr(import_module(f"model.profiles.{profile.name}"), profile.name.upper()) is profile


def test_what_each_client_ships():
    assert {
        profile.recorded_as: [strategy.rocketmq_name for strategy in profile.strategies] for profile in PROFILES
    } == {
        "java": ["AVG", "AVG_BY_CIRCLE"],
        "go": ["AVG", "AVG_BY_CIRCLE"],
        "node": ["AVG"],
        "cpp": ["AVG"],
        "rust": ["AVG", "AVG_BY_CIRCLE"],
    }


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_a_strategy_is_found_by_the_name_that_rocketmq_gives_it(profile):
    found = [profile.strategy(strategy.rocketmq_name) for strategy in STRATEGIES]
    assert [strategy for strategy in found if strategy] == list(profile.strategies)
    assert profile.strategy("NO_SUCH_STRATEGY") is None


@all_shipped
def test_good_arguments_give_what_the_strategy_gives(profile, strategy):
    for cid in IDS:
        assert profile.allocate(strategy, cid, QUEUES, IDS) == strategy.allocate(cid, QUEUES, IDS) != []


@all_shipped
def test_an_id_that_is_not_listed_gets_nothing(profile, strategy):
    assert profile.allocate(strategy, "c9", QUEUES, IDS) == []


@all_shipped
def test_null_elements_are_passed_through(profile, strategy):
    nameless = MessageQueue("T", None, 0)
    assert profile.allocate(strategy, "c0", [nameless, None], ["c0"]) == [nameless, None]


NO_ID, NO_QUEUES, NO_IDS = "currentCID is empty", "mqAll is null or mqAll empty", "cidAll is null or cidAll empty"
THROWN = {
    JAVA_V5.name: ("java.lang.IllegalArgumentException", NO_ID, NO_QUEUES, NO_IDS),
    NODE.name: ("Error", NO_ID, NO_QUEUES, NO_IDS),
    CPP.name: ("MQClientException", NO_ID, "mqAll is empty", "cidAll is empty"),
    RUST.name: ("IllegalArgument", NO_ID, NO_QUEUES, NO_IDS),
}
# The first empty argument in the order of the checks is the one that is told.
EMPTY_ID = [("", QUEUES, IDS), (None, QUEUES, IDS), (None, [], []), ("", None, None)]
EMPTY_QUEUES = [("c0", [], IDS), ("c0", None, IDS), ("c0", [], []), ("c9", [], IDS)]
EMPTY_IDS = [("c0", QUEUES, []), ("c0", QUEUES, None)]


@all_shipped
def test_empty_arguments(profile, strategy):
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


def test_who_compares_strings_by_utf16_units():
    smile, wide_a = "\U0001f600", "\uff21"
    found = {profile.recorded_as: profile.sort_client_ids([wide_a, smile]) for profile in PROFILES}
    for client in ("java", "node"):
        assert found[client] == [smile, wide_a]
    for client in ("go", "cpp", "rust"):
        assert found[client] == [wide_a, smile]


def test_whose_queue_ids_overflow():
    large, negative = MessageQueue("T", "b", 2147483647), MessageQueue("T", "b", -2)
    for given in ([large, negative], [negative, large]):
        found = {profile.recorded_as: profile.sort_queues(given) for profile in PROFILES}
        for client in ("java", "cpp"):
            assert found[client] == [large, negative]
        for client in ("go", "node", "rust"):
            assert found[client] == [negative, large]


def test_sorting_leaves_the_given_list_alone_and_keeps_duplicates():
    given = [MessageQueue("T", "b", 1), MessageQueue("T", "b", 0), MessageQueue("T", "b", 1)]
    for profile in PROFILES:
        assert [queue.queue_id for queue in profile.sort_queues(given)] == [0, 1, 1]
        assert [queue.queue_id for queue in given] == [1, 0, 1]
