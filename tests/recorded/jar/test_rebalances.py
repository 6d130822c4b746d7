"""Rebalance steps of released clients, compared with recordings and with the model.

Tests of released clients need their jars in the cache of ``rebalance record --release``; they are skipped without.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.model.client import java_v5_2
from rebalance_proofs.model.own.java.classpath import NoJava, find_java
from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.profiles import JAVA_V5
from rebalance_proofs.model.releases import JAVA, LAST
from rebalance_proofs.recorded.cache import cache
from rebalance_proofs.recorded.files import OWN
from rebalance_proofs.recorded.jar import rebalances, steps
from rebalance_proofs.recorded.jar.conform import Compared
from rebalance_proofs.recorded.jar.describe import Version
from rebalance_proofs.recorded.jar.harness import Broken, Operation, Run, perform
from rebalance_proofs.recorded.jar.rebalances import GROUPS, conform_steps
from rebalance_proofs.recorded.transition import java, scripted
from rebalance_proofs.report import jar as told
from tests.javac import compiled

API = Path(rebalances.__file__).parent / "java" / "api"
FEW = [group for group in GROUPS if group.name in ("one rebalance step, pull", "start offset of a new queue")]


def jars(release: str) -> str:
    """Classpath of a released client; skips if the cache does not have it."""
    try:
        find_java()
    except NoJava as error:
        pytest.skip(f"this test {error}")
    for folder in (cache() / release, cache() / f"{release}-client"):
        if (folder / f"rocketmq-client-{release}.jar").is_file():
            return f"{folder}/*"
    pytest.skip(f"the jars of RocketMQ {release} are not in {cache()}")


def recorded(name: str, version: str) -> list[dict[str, str]]:
    """The rows of one recorded file and version, as cells by column."""
    header, *lines = (OWN / "transition" / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    rows = [dict(zip(header[1:].split("\t"), line.split("\t"), strict=True)) for line in lines]
    return [row for row in rows if row["ver"] == version]


def repeated(release: str, cases: Sequence[str]) -> list[list[Run] | Broken]:
    return perform(jars(release), find_java().path, cases)


@pytest.mark.parametrize("release", java.VERSIONS)
def test_client_repeats_every_recorded_row(release):
    rows = [(file, row) for name, file in steps.FILES.items() for row in recorded(name, release)]
    cases = [file.cases(row) for file, row in rows]
    runs = iter(repeated(release, [case for each in cases for case in each]))
    assert len(rows) > 150
    for (file, row), each in zip(rows, cases, strict=True):
        found = file.outputs(row, [one for _ in each for one in next(runs)])
        assert found == {column: row[column] for column in file.rows.outputs}


@pytest.mark.parametrize("release", java.VERSIONS)
def test_client_repeats_every_recorded_sequence(release):
    lines = (OWN / scripted.FILE).read_text(encoding="utf-8").splitlines()
    cases = [case for case in map(json.loads, lines) if case["ver"] == release]
    asked = [steps.scripted_case(case["in"], [step["op"] for step in case["steps"]]) for case in cases]
    assert len(cases) > 20
    for case, (run,) in zip(cases, repeated(release, asked), strict=True):
        found = [
            steps.scripted_outputs(step["op"], one) for step, one in zip(case["steps"], run.operations, strict=True)
        ]
        for step in case["steps"]:
            step["exc"] = step["exc"] and java.pinned_thrown(step["exc"], "exc")
        assert found == case["steps"]


@pytest.mark.slow
@pytest.mark.parametrize("release", JAVA)
def test_released_client_takes_the_steps_of_its_model(release):
    results = conform_steps(jars(release), release)
    assert [one.name for one in results] == [group.name for group in GROUPS]
    assert [one.smallest for one in results if one.smallest] == []
    assert sum(one.calls for one in results) > 13_000


NEIGHBOURS = {
    ("4.9.1", "4.9.0"): ("one rebalance step, lite pull", "has result 0"),
    ("4.9.5", "4.9.4"): ("one rebalance step, pull", "N:d0l1t0"),
    ("4.9.8", "4.9.7"): ("one rebalance step, broadcasting with an offset file", "offset in memory -"),
    ("5.0.0", "4.9.8"): ("one rebalance step, pull", "rebLater(500)"),
    ("5.5.0", "5.4.0"): ("rebalances and other operations in sequence", "has effects -"),
    ("5.2.0", "5.1.4"): ("one rebalance step, the client's offset store", "tryConsumeLock(500)"),
}
"""Releases of neighbouring generations -> calls that tell them apart, and a part of the newer client's results."""


@pytest.mark.parametrize(("newer", "older"), NEIGHBOURS)
def test_model_of_the_neighbouring_generation_differs(newer, older):
    name, part = NEIGHBOURS[newer, older]
    (found,) = conform_steps(jars(newer), older, groups=[group for group in GROUPS if group.name == name])
    assert found.differ > 0
    assert part in found.smallest.client
    assert part not in found.smallest.model


def test_wrong_model_is_found(monkeypatch):
    monkeypatch.setattr(java_v5_2, "TRY_LOCK_MS", 501)
    store = [group for group in GROUPS if group.name == "one rebalance step, the client's offset store"]
    (found,) = conform_steps(jars("5.3.3"), "5.3.3", groups=store)
    assert found.differ > 0
    assert told.line(found).startswith("BAD one rebalance step, the client's offset store: ")
    assert "process queue (locked), not in the new set, ordered listener, isOrder true" in told.line(found)


def replayed(row: dict[str, str]) -> Run:
    """The run with the recorded outputs of a row of ``single.tsv``."""
    queue = steps.FILES["single"].queue(row)

    def named(cell: str) -> tuple[str, ...]:
        alone = ("schedule", "rebLater", "none")
        return (
            ()
            if cell in ("-", "none")
            else tuple(one if one.startswith(alone) else f"{one}@{queue}" for one in cell.split(" "))
        )

    def known(cell: str) -> dict[str, str]:
        return {} if cell == "-" else {queue: cell}

    returned = {"1": "true", "0": "false"}.get(row["changed"], row["changed"])
    table, old = known(row["post"]), known(row["old"])
    call = Operation(returned, row["exc"], named(row["effects"]), table, old, int(row["later"] != "-"), {})
    fired = Operation("void", "-", named(row["later"]), table, old, 0, {})
    return Run((call, fired), {(queue, name): row[name] for name in ("lock", "off", "persist") if row[name] != "-"})


def differing(row: dict[str, str], run: Run) -> Compared:
    """The result for a client that performs this run, and the model."""
    inputs = {column: cell for column, cell in row.items() if column not in steps.FILES["single"].rows.outputs}
    group = rebalances._of_file("one step", steps.FILES["single"], lambda: iter([inputs]))
    return rebalances._compared(group, java.of_release(row["ver"]), [[run]])


@pytest.mark.parametrize("release", java.VERSIONS)
def test_recorded_step_agrees_and_an_altered_one_differs(release):
    """Each output of a step counts: effects and their order, process queues, the result, an exception."""
    rows = recorded("single", release)
    assert all(differing(row, replayed(row)).smallest is None for row in rows)
    row = next(row for row in rows if row["effects"].count(" ") > 4 and row["post"] != "-" and row["old"] != "-")
    run = replayed(row)
    call, fired = run.operations
    queue = next(iter(call.table))
    altered = {
        "effects": replace(call, effects=call.effects[:-1]),
        "the same effects": replace(call, effects=(*reversed(call.effects[:2]), *call.effects[2:])),
        "process queue": replace(call, table={}),
        "former process queue": replace(call, old={queue: "d0l0t9"}),
        "result": replace(call, returned="false" if call.returned == "true" else "true"),
        "exception": replace(call, thrown="IllegalStateException:other"),
    }
    for what, changed in altered.items():
        found = differing(row, replace(run, operations=(changed, fired)))
        assert found.differ == found.calls == 1, what
        assert found.smallest.client != found.smallest.model
        assert found.smallest.client.startswith(f"has {what.removeprefix('the same ')} ")
        document = told.document(Version(release, "x"), JAVA_V5, [Compared("AVG", 1)], release, [found])
        Draft202012Validator(told.schema()).validate(document)
        assert document["agrees"] is False


def test_request_that_the_client_skips_is_a_difference():
    """The model requests a lock, but the client does not ask for the answer."""
    row = next(row for row in recorded("single", "5.3.3") if row["lock"] == "denied" and row["pre"] == "-")
    run = replayed(row)
    call, fired = run.operations
    silent = replace(run, answers={}, operations=(replace(call, effects=()), fired))
    assert differing(row, silent).differ == 1


@pytest.mark.usefixtures("light")
def test_client_without_the_classes_differs(java_client):
    """The folder has strategies only."""
    results = conform_steps(str(java_client), LAST, groups=FEW)
    assert [one.calls for one in results] == [0, 0]
    assert all(one.differ == 1 and one.left_out for one in results)
    assert results[0].smallest.client.startswith("has no class org.apache.rocketmq.client.")


@pytest.mark.usefixtures("light")
def test_unknown_signature_prints_a_sentence(tmp_path):
    """The client has all classes, but none of their fields."""
    (found, _) = conform_steps(str(compiled(API, tmp_path)), LAST, groups=FEW)
    assert (found.calls, found.differ) == (0, 1)
    assert found.smallest.client == (
        "cannot take the step: no field org.apache.rocketmq.client.impl.factory.MQClientInstance.mQClientAPIImpl"
    )
    assert told.line(found).startswith("BAD one rebalance step, pull: 0 calls, ")


def beginning(tmp_path: Path, statement: str) -> Path:
    """Folder with a class of the client that executes the statement when an instance begins."""
    source = tmp_path / "sources" / "ClientConfig.java"
    source.parent.mkdir()
    source.write_text(
        f"package org.apache.rocketmq.client; public class ClientConfig {{ {{ {statement} }} }}", encoding="utf-8"
    )
    return compiled(source.parent, tmp_path / "beginning")


@pytest.mark.usefixtures("light")
def test_missing_dependency_prints_one_sentence(tmp_path):
    missing = 'if (true) throw new NoClassDefFoundError("io/netty/Channel");'
    classpath = f"{beginning(tmp_path, missing)}:{compiled(API, tmp_path / 'client')}"
    with pytest.raises(StrategyError, match=r"needs io\.netty\.Channel, which is not on the classpath; add its jar"):
        conform_steps(classpath, LAST, groups=FEW)


@pytest.mark.usefixtures("light")
def test_jvm_that_ends_is_reported(tmp_path):
    classpath = f"{beginning(tmp_path, 'Runtime.getRuntime().halt(3);')}:{compiled(API, tmp_path / 'client')}"
    with pytest.raises(StrategyError, match=r"the JVM ended before the client's rebalance returned: status 3"):
        conform_steps(classpath, LAST, groups=FEW)
