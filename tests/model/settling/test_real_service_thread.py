"""The released ``ServiceThread`` loses wake-ups up to 5.5.0 and not in 5.5.1, and handles interrupts as modelled.

The jars of ``rocketmq-common`` are resolved by Maven. A fixed interleaving shows the lost wake-up of 5.5.0; random ones
search for others in 5.5.1.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

from rebalance_proofs.model.client.service_thread import CHECKS, CLEARS, RESETS, WAITS
from rebalance_proofs.model.machines.settling.actions import CLIENTS, Limits
from rebalance_proofs.model.own.java import classpath
from rebalance_proofs.model.possible import Impossible
from tests.javac import compiled

pytestmark = pytest.mark.slow
SOURCES = Path(__file__).parent / "java"
WAIT, SOON = 400, 400
"""Length of a wait in the harness, and a time before which a wait that a wake-up ends is over, in ms."""
ROUNDS = 200_000
ARTIFACTS = (
    "org.apache.rocketmq:rocketmq-common:5.5.0",
    "org.apache.rocketmq:rocketmq-common:5.5.1",
    "io.github.aliyunmq:rocketmq-slf4j-api:1.0.1",
)
PROJECT = """<project>
  <modelVersion>4.0.0</modelVersion><groupId>tests</groupId><artifactId>tests</artifactId><version>1</version>
  <packaging>pom</packaging>
  <build><plugins><plugin>
    <artifactId>maven-dependency-plugin</artifactId>
    <configuration><outputDirectory>{jars}</outputDirectory><artifactItems>{items}</artifactItems></configuration>
  </plugin></plugins></build>
</project>
"""
V5_2, V5_5_1 = CLIENTS[1:]


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Measurements by release."""
    maven = shutil.which("mvn")
    if maven is None:
        pytest.skip("there is no Maven (the command mvn) to download rocketmq-common")
    folder = tmp_path_factory.mktemp("released")
    jars = folder / "jars"
    (folder / "pom.xml").write_text(PROJECT.format(items="".join(map(_item, ARTIFACTS)), jars=jars), encoding="utf-8")
    call = [maven, "--batch-mode", "-q", "dependency:copy"]
    if subprocess.run(call, cwd=folder, capture_output=True, timeout=600).returncode:
        pytest.skip(f"Maven cannot download {' and '.join(ARTIFACTS)}")
    return {release: _measured(release, jars, folder) for release in ("5.5.0", "5.5.1")}


def _item(artifact: str) -> str:
    group, name, version = artifact.split(":")
    named = f"<groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version>"
    return f"<artifactItem>{named}</artifactItem>"


def _measured(release: str, jars: Path, folder: Path) -> dict[str, int]:
    path = f"{jars / f'rocketmq-common-{release}.jar'}:{next(jars.glob('rocketmq-slf4j-api-*.jar'))}"
    classes = compiled(SOURCES, folder / release, "-cp", path)
    # Without a compiler, each step takes longer, so that more random wake-ups hit each gap.
    call = [classpath.find_java().path, "-Xint", "-cp", f"{classes}:{path}", "Waits", str(ROUNDS)]
    done = subprocess.run(call, capture_output=True, encoding="utf-8", timeout=900)
    assert done.returncode == 0, done.stderr
    return {name: int(number) for name, number in map(str.split, done.stdout.splitlines())}


def waiting(client):
    """A thread of the model that waits from 0 ms on."""
    thread = client.made(Limits(wait=WAIT, least=0, loop=0))
    thread.looks(0)
    thread.checks(0, WAIT) if thread.at == CHECKS else thread.resets(0)
    return thread


def test_latch_loses_a_wake_up_and_all_others_of_that_wait(measured):
    assert measured["5.5.0"]["woken-between"] >= WAIT
    thread = V5_2.made(Limits(wait=WAIT, least=0, loop=0))
    thread.looks(0)
    assert thread.at == RESETS
    thread.wakeup()
    thread.counts()
    thread.resets(0)
    thread.wakeup()
    assert thread.wakers == 0
    with pytest.raises(Impossible):
        thread.wakes(WAIT - 1, WAIT)


def test_thread_that_parks_loses_no_random_wake_up(measured):
    said = measured["5.5.1"]
    assert "woken-between" not in said
    assert (said["random-rounds"], said["random-lost"], said["random-early"]) == (ROUNDS, 0, 0)


@pytest.mark.parametrize("release", ["5.5.0", "5.5.1"])
def test_wake_up_before_or_during_a_wait_ends_it(measured, release):
    assert measured[release]["woken-before"] < SOON
    assert measured[release]["woken-during"] < SOON


@pytest.mark.parametrize("release", ["5.5.0", "5.5.1"])
def test_permit_alone_does_not_end_a_wait(measured, release):
    assert measured[release]["permit-only"] >= WAIT


def test_interrupt_ends_one_wait_for_a_latch(measured):
    said = measured["5.5.0"]
    assert said["interrupted-first"] < SOON
    assert said["interrupted-second"] >= WAIT
    assert said["still-interrupted"] == 0
    thread = waiting(V5_2)
    thread.interrupt()
    thread.gives_up()
    assert (thread.at, thread.interrupted) == (CLEARS, False)


def test_interrupt_ends_every_park_and_stays_pending(measured):
    said = measured["5.5.1"]
    assert said["interrupted-first"] < SOON
    assert said["interrupted-second"] < SOON
    assert said["still-interrupted"] == 1
    thread = waiting(V5_5_1)
    assert thread.at == WAITS
    thread.interrupt()
    thread.wakes(0, WAIT)
    assert (thread.at, thread.interrupted) == (CLEARS, True)
