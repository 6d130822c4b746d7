"""``rebalance conform --java``: the printed results for a client's jar."""

import json
import shutil
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.model.releases import LAST, resolved
from rebalance_proofs.recorded.jar import conform, rebalances
from rebalance_proofs.recorded.jar.shipped import CLASSES, SHIPPED
from rebalance_proofs.report import jar as told
from tests.recorded.jar import clients

pytestmark = pytest.mark.usefixtures("light")


@pytest.fixture
def _few(monkeypatch):
    some = [one for one in SHIPPED if one.strategy == "CONFIG" or one.made == "with nothing inside"]
    monkeypatch.setattr(conform, "SHIPPED", tuple(some))
    monkeypatch.setattr(rebalances, "GROUPS", ())


@pytest.mark.usefixtures("_few")
def test_jar_that_agrees_is_accepted(call, java_client, tmp_path):
    jar = clients.packed(java_client, tmp_path / "client.jar", clients.MANIFEST)
    called = call("conform", "--java", "--classpath", str(jar))
    assert called.status == 0
    assert called.out.splitlines()[:2] == [
        "RocketMQ 4.9.8 (the manifest of client.jar) compared with the model java_v4",
        "ok  MACHINE_ROOM_NEARBY, with nothing inside: 1 call, all agree",
    ]
    assert "Same as the model in all 55 calls; null lists were not tried" in called.out


@pytest.mark.usefixtures("_few")
def test_jar_that_differs_exits_with_status_1(call, java_client, tmp_path):
    part = Path(shutil.copytree(java_client, tmp_path / "part"))
    (part / f"{CLASSES['CONFIG'].replace('.', '/')}.class").unlink()
    called = call("conform", "--java", "--classpath", str(part), "--client", "5.3", "--json")
    assert called.status == 1
    document = json.loads(called.out)
    Draft202012Validator(told.schema()).validate(document)
    assert (document["model"], document["version_from"], document["agrees"]) == ("java_v5", "--client", False)
    assert "DIFFERS FROM THE MODEL: CONFIG, two queues; CONFIG, an empty list; CONFIG, no list" in called.err


def test_jar_without_rebalance_classes_exits_with_status_1(call, java_client, monkeypatch):
    monkeypatch.setattr(conform, "SHIPPED", tuple(one for one in SHIPPED if one.made == "with nothing inside"))
    monkeypatch.setattr(rebalances, "GROUPS", rebalances.GROUPS[1:2])
    called = call("conform", "--java", "--classpath", str(java_client), "--client", "6.0-SNAPSHOT", "--json")
    assert called.status == 2
    called = call("conform", "--java", "--classpath", str(java_client), "--client", "5.99", "--json")
    assert called.status == 1
    document = json.loads(called.out)
    Draft202012Validator(told.schema()).validate(document)
    assert (document["steps_model"], document["strategies"][0]["differ"]) == (LAST, 0)
    assert document["steps"][0]["smallest"]["client"].startswith("has no class org.apache.rocketmq.client.")
    assert resolved("5.99").note in called.err.replace("\n", " ")
    assert "DIFFERS FROM THE MODEL: one rebalance step, pull" in called.err


WRONG = {
    ("--java",): "--java needs --classpath JARS with the client's jar",
    ("--classpath", "a.jar"): "--classpath needs --java, and --client needs --java or --cluster",
    ("--client", "5.3"): "--classpath needs --java, and --client needs --java or --cluster",
    ("--java", "--classpath", "no.jar"): "the classpath entry 'no.jar' does not exist",
    ("--java", "--classpath", ""): "the classpath is empty; name the jars and folders that contain the strategy",
    ("--java", "--classpath", ".", "--client", "3.2"): "version '3.2' is not covered; name a "
    "Java client version 4.x or 5.x",
    ("--java", "--classpath", ".", "--output", "run"): "--java does not go with --vectors, --output or --overwrite",
}


@pytest.mark.parametrize("typed", WRONG)
def test_invalid_jar_call_prints_one_sentence(call, typed):
    called = call("conform", *typed)
    assert called.status == 2
    assert called.complaint.startswith(f"rebalance: {WRONG[typed]}")


@pytest.mark.usefixtures("_few")
def test_classpath_without_strategies_is_reported(call, tmp_path):
    called = call("conform", "--java", "--classpath", str(tmp_path), "--client", "5")
    assert called.status == 2
    assert "the classpath contains none of RocketMQ's strategies, not even " in called.complaint
