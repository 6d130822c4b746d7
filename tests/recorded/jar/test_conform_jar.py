"""Strategies under RocketMQ's names, written for these tests, compared with the model: correct and wrong ones."""

import shutil
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.model.own.call import Call, Gave
from rebalance_proofs.model.own.java.classpath import find_java
from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.profiles import JAVA_V4, JAVA_V4_9_2, JAVA_V5
from rebalance_proofs.model.queues import one_broker
from rebalance_proofs.model.releases import resolved
from rebalance_proofs.recorded.jar.conform import Compared, agrees, conform_jar
from rebalance_proofs.recorded.jar.describe import POM, Version, profile_of, version
from rebalance_proofs.recorded.jar.shipped import CLASSES, SHIPPED
from rebalance_proofs.report import jar as told
from tests.recorded.jar import clients

pytestmark = pytest.mark.usefixtures("light")
SMALL = 5


def conformed(classpath: object, *strategies: str) -> list[Compared]:
    shipped = [one for one in SHIPPED if one.strategy in strategies or not strategies]
    return conform_jar(str(classpath), JAVA_V5, bound=SMALL, shipped=shipped)


def wrong(results: list[Compared]) -> dict[str, Compared]:
    return {one.name: one for one in results if one.smallest}


ONE_EACH = {one.strategy: one for one in reversed(SHIPPED)}


def test_each_strategy_of_the_jar_equals_the_model(java_client):
    results = conform_jar(str(java_client), JAVA_V5, bound=SMALL, shipped=tuple(ONE_EACH.values()))
    assert wrong(results) == {}
    assert set(ONE_EACH) == {strategy.rocketmq_name for strategy in JAVA_V5.strategies}
    assert all(one.calls >= 18 for one in results)
    Draft202012Validator(told.schema()).validate(told.document(Version("5.3.3", "x"), JAVA_V5, results, "5.3.3", []))
    assert told.verdict(results).startswith("Same as the model in all ")


@pytest.mark.slow
@pytest.mark.parametrize("profile", [JAVA_V4, JAVA_V5], ids=lambda profile: profile.name)
def test_every_construction_of_a_strategy_equals_the_model(java_client, profile):
    told_of = []
    results = conform_jar(str(java_client), profile, found=told_of.append)
    assert [one.name for one in results] == [one.name for one in SHIPPED]
    assert told_of == results
    assert wrong(results) == {}


@pytest.fixture(scope="module")
def differing(faulty):
    """Results for a client with faults in many strategies, and in their common refusals."""
    made = ("", "0 virtual nodes", "consumeridcs {}", "an empty list", "no list")
    some = [one for one in SHIPPED if one.made in made and one.name != "CONSISTENT_HASH"]
    return wrong(conform_jar(faulty, JAVA_V5, bound=SMALL, shipped=some))


def test_small_difference_is_found(differing):
    """The last of five consumers lacks its last queue."""
    found = differing["AVG"].smallest
    assert len(found.call.cid_all) == len(found.call.mq_all) == 5
    assert found.call.current_cid == found.call.cid_all[4]
    assert (found.client, found.model) == ("gives []", "gives [4]")
    document = told.document(Version("5.3.3", "x"), JAVA_V5, list(differing.values()), "5.3.3", [])
    Draft202012Validator(told.schema()).validate(document)
    assert document["strategies"][0]["smallest"]["call"]["current_cid"] == found.call.current_cid
    assert told.line(differing["AVG"]).startswith("BAD AVG: ")
    assert told.verdict([differing["AVG"]]) == "DIFFERS FROM THE MODEL: AVG"


def test_difference_for_a_repeated_id_is_found(differing):
    found = differing["AVG_BY_CIRCLE"].smallest
    assert found.call._replace(consumer_group="") == Call("", "c0", one_broker(1), ("c0", "c0"))
    assert (found.client, found.model) == ("gives []", "gives [0]")


def test_stricter_constructor_is_found(differing):
    found = differing["CONSISTENT_HASH, 0 virtual nodes"].smallest
    assert found.call is None
    assert found.client.startswith("throws java.lang.IllegalArgumentException: illegal virtualNodeCnt :0 (")
    assert found.model == "constructs it"


def test_other_exception_message_is_found(differing):
    found = differing["MACHINE_ROOM, consumeridcs {}"]
    assert found.differ == 6
    assert found.smallest.model == "throws java.lang.IllegalArgumentException: currentCID is empty"
    assert "throws java.lang.IllegalArgumentException: currentCID is blank (" in found.smallest.client


def test_order_and_repetition_of_queues_count():
    first, second = one_broker(2)
    assert agrees(Gave((first, second)), [first, second])
    assert not agrees(Gave((second, first)), [first, second])
    assert not agrees(Gave((first, first, second)), [first, second])
    assert not agrees(Gave((first, second)), [first, first, second])


def test_null_is_not_an_empty_list(differing):
    found = differing["CONFIG, an empty list"].smallest
    assert (found.client, found.model) == ("returns null", "gives []")
    assert "CONFIG, no list" not in differing


def without(client: Path, tmp_path: Path, name: str) -> Path:
    part = Path(shutil.copytree(client, tmp_path / "part"))
    (part / f"{name.replace('.', '/')}.class").unlink()
    return part


def test_missing_class_is_a_difference(java_client, tmp_path):
    some = [one for one in SHIPPED if one.strategy in ("AVG", "CONFIG") or one.made == "with AVG inside"]
    part = without(java_client, tmp_path, CLASSES["AVG"])
    results = wrong(conform_jar(str(part), JAVA_V5, bound=SMALL, shipped=some))
    assert list(results) == ["AVG", "MACHINE_ROOM_NEARBY, with AVG inside"]
    assert results["AVG"].smallest.client == f"has no class {CLASSES['AVG']}"


def test_missing_required_class_prints_one_sentence(java_client, tmp_path):
    resolver = f"{CLASSES['MACHINE_ROOM_NEARBY']}$MachineRoomResolver"
    with pytest.raises(StrategyError, match=r"needs org\.apache\.\S+Resolver, which is not on the classpath"):
        conformed(without(java_client, tmp_path, resolver), "MACHINE_ROOM_NEARBY")


def test_version_is_read_from_the_jar(java_client, tmp_path):
    java = find_java()
    jar = clients.packed(java_client, tmp_path / "rocketmq-client.jar", clients.MANIFEST)
    assert version((str(jar),), java) == Version("4.9.8", "the manifest of rocketmq-client.jar")
    clients.packed(java_client, jar, clients.MANIFEST | {POM: "artifactId=rocketmq-client\nversion=5.3.3\n"})
    other = clients.packed(tmp_path / "nothing", tmp_path / "a.jar", clients.MANIFEST)
    for classpath in ((str(other), str(jar)), (f"{tmp_path}/*",)):
        assert version(classpath, java) == Version("5.3.3", "the pom.properties of rocketmq-client.jar")


def test_version_is_read_from_the_clients_class(java_client, tmp_path):
    assert version((str(java_client),), find_java()) == Version("5.3.1", "MQVersion.CURRENT_VERSION")
    with pytest.raises(StrategyError, match=r"^the classpath does not contain RocketMQ's version; give it, such as "):
        version((str(tmp_path),), find_java())
    (tmp_path / "a.jar").touch()
    with pytest.raises(StrategyError, match=r"is a folder with jars; name them as '.*/\*'$"):
        version((str(tmp_path),), find_java())


def test_version_has_a_model_or_not():
    assert profile_of("4.9.8") == profile_of("java_v4") == (JAVA_V4, "")
    assert profile_of("4.9.2") == profile_of("4.9.0") == (JAVA_V4_9_2, "")
    assert profile_of("4.9.3") == (JAVA_V4, "")
    assert profile_of("5") == (JAVA_V5, "")
    assert profile_of("5.3.3-SNAPSHOT") == (JAVA_V5, resolved("5.3.3-SNAPSHOT").note)
    for client in ("3.2.6", "6.0", "55.1", "5x", "go", ""):
        with pytest.raises(StrategyError, match=r"is not covered; name a|unknown client|is not a Java client; name a"):
            profile_of(client)
