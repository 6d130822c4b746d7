"""Released jars: what Maven copies is cached, and each failure is one sentence with a remedy."""

import hashlib
import os
import re
import sys
from pathlib import Path

import pytest

from rebalance_proofs.recorded.cache import CACHE
from rebalance_proofs.recorded.live import artifacts
from rebalance_proofs.recorded.live.artifacts import PARTS, PROJECT, NotServed, jars, released
from rebalance_proofs.recorded.live.error import LiveError

MAVEN = """#!{python}
import pathlib, sys
pathlib.Path({log!r}).open("a").write(" ".join(sys.argv[1:]) + chr(10))
folder = pathlib.Path(next(word for word in sys.argv if word.startswith("-DoutputDirectory=")).partition("=")[2])
release = next(word for word in sys.argv if word.startswith("-Drelease=")).partition("=")[2]
for part in {parts!r}:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"rocketmq-{{part}}-{{release}}.jar").write_bytes(b"jar")
print({printed!r})
sys.exit({status})
"""


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE, str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    return tmp_path / "cache"


def maven(cache: Path, *, parts=PARTS, printed="", status=0) -> Path:
    """Put a command ``mvn`` on the path; returns the file in which it logs its arguments."""
    log = cache.parent / "calls"
    command = cache.parent / "bin" / "mvn"
    command.write_text(
        MAVEN.format(python=sys.executable, log=str(log), parts=parts, printed=printed, status=status), encoding="utf-8"
    )
    command.chmod(0o755)
    return log


def test_jars_are_downloaded_once(cache):
    log = maven(cache)
    first = released("5.5.0", "--release")
    assert first == cache / "5.5.0"
    assert sorted(path.name for path in first.iterdir()) == sorted(f"rocketmq-{part}-5.5.0.jar" for part in PARTS)
    assert released("5.5.0", "--release") == first
    assert len(log.read_text(encoding="utf-8").splitlines()) == 1
    assert [path.name for path in cache.iterdir()] == ["5.5.0"]


def test_cached_jars_need_no_maven(cache):
    (cache / "5.5.0").mkdir(parents=True)
    for part in PARTS:
        (cache / "5.5.0" / f"rocketmq-{part}-5.5.0.jar").write_bytes(b"jar")
    assert released("5.5.0", "--release") == cache / "5.5.0"
    assert released("5.5.0", "--member-release", servers=False) == cache / "5.5.0"


def test_client_alone_is_enough_for_a_member(cache):
    log = maven(cache, parts=PARTS[:1])
    assert released("4.9.8", "--member-release", servers=False) == cache / "4.9.8-client"
    assert "servers" not in log.read_text(encoding="utf-8")
    with pytest.raises(LiveError, match="no jars were copied"):
        released("4.9.8", "--release")
    assert "-P servers" in log.read_text(encoding="utf-8")


def test_without_maven_the_message_has_the_command_and_the_place(cache):
    with pytest.raises(LiveError) as error:
        released("5.5.0", "--broker-release")
    assert str(error.value).startswith("--broker-release needs Maven (the command mvn) to download RocketMQ 5.5.0: ")
    assert f"mvn -f {PROJECT} -P servers -Drelease=5.5.0 dependency:copy-dependencies" in str(error.value)
    assert str(cache / "5.5.0") in str(error.value)


@pytest.mark.parametrize("parts", [(), PARTS[:2]])
def test_incomplete_release_is_refused_and_not_cached(cache, parts):
    names = ("client", "auth")
    missing = "[ERROR] Missing: " + ", ".join(f"org.apache.rocketmq:rocketmq-{name}:jar:5.5.1" for name in names)
    maven(cache, parts=parts, printed=missing, status=1)
    with pytest.raises(
        LiveError, match=r"does not have all of RocketMQ 5\.5\.1: rocketmq-auth, rocketmq-client missing"
    ):
        released("5.5.1", "--release")
    assert not any(cache.iterdir())


def test_jars_of_a_release_have_names_and_digests(cache):
    maven(cache)
    folder = released("5.5.0", "--release")
    found = jars(folder, "5.5.0", PARTS[:1])
    assert [(one.name, one.sha256) for one in found] == [
        ("rocketmq-client-5.5.0.jar", hashlib.sha256(b"jar").hexdigest())
    ]


@pytest.mark.parametrize(
    ("option", "missing", "advice"),
    [
        ("--release", "client", "name another release, or pass the jars of a binary release with --classpath"),
        ("--release", "namesrv", "use another release for the servers, such as --broker-release 5.5.0"),
        ("--broker-release", "broker", "pass the jars of a binary release with --broker-classpath"),
        ("--member-release", "client", "name another release"),
    ],
)
def test_release_that_is_not_served_is_one_sentence_with_advice(cache, option, missing, advice):
    """Metadata of other repositories, which Maven may not reach, does not matter."""
    metadata = "[WARNING] Could not transfer metadata io.grpc:grpc-core/maven-metadata.xml from/to apache.snapshots"
    absent = f"[ERROR] Could not find artifact org.apache.rocketmq:rocketmq-{missing}:jar:5.3.0 in central"
    maven(cache, parts=(), printed=f"{metadata}\n{absent}", status=1)
    with pytest.raises(
        NotServed, match=f"^{option}: Maven's repository does not have all of RocketMQ 5.3.0: "
    ) as error:
        released("5.3.0", option)
    assert error.value.missing == (f"rocketmq-{missing}",)
    assert str(error.value).endswith(advice)


def test_jars_without_a_part_are_not_cached(cache):
    maven(cache, parts=PARTS[:2])
    with pytest.raises(LiveError, match="no jars were copied"):
        released("5.5.0", "--release")
    assert not any(cache.iterdir())


def test_failed_transfer_is_not_taken_for_a_missing_release(cache):
    artifact = "Could not transfer artifact org.apache.rocketmq:rocketmq-client:jar:5.5.0: Unknown host"
    printed = f"[ERROR] Failed to execute goal on project release: {artifact} -> [Help 1]"
    maven(cache, parts=(), printed=printed, status=1)
    with pytest.raises(
        LiveError,
        match=r"could not download RocketMQ 5\.5\.0 \(Could not transfer .* Unknown host\): on a machine with",
    ):
        released("5.5.0", "--release")


@pytest.mark.parametrize("typed", ["", "5", "5.5", "latest", "../5.5.0", "5.5.0/..", "5.5.0 "])
def test_other_words_are_no_release(cache, typed):
    with pytest.raises(LiveError, match=re.escape(f"--release {typed!r} is not a release")):
        released(typed, "--release")


def test_slow_download_is_given_up(cache, monkeypatch):
    monkeypatch.setattr(artifacts, "LIMIT", 0.2)
    command = cache.parent / "bin" / "mvn"
    command.write_text(f"#!{sys.executable}\nimport time\ntime.sleep(60)\n", encoding="utf-8")
    command.chmod(0o755)
    with pytest.raises(LiveError, match=r"did not download RocketMQ 5\.5\.0 in 0\.2 s"):
        released("5.5.0", "--release")


@pytest.mark.skipif(os.geteuid() == 0, reason="root can write everywhere")
def test_cache_that_cannot_be_written_is_named(cache):
    maven(cache)
    cache.mkdir()
    cache.chmod(0o500)
    with pytest.raises(LiveError, match=f"set {CACHE} to a folder"):
        released("5.5.0", "--release")
