"""Jars and drivers for groups with gRPC members: refusals in one sentence, and the cache."""

import shutil

import pytest

from rebalance_proofs.recorded.cache import CACHE
from rebalance_proofs.recorded.grpc import artifacts
from rebalance_proofs.recorded.grpc.scenarios import JAVA, PYTHON, Member
from rebalance_proofs.recorded.live.error import LiveError
from tests.each import each


@pytest.fixture
def no_tools(tmp_path, monkeypatch):
    """An empty cache, and no Maven and no compiler."""
    monkeypatch.setenv(CACHE, str(tmp_path / "cache"))
    monkeypatch.setattr(shutil, "which", lambda name: None)
    return tmp_path / "cache"


@each("release,why", [("new", "is not a release"), ("4.9.8", "has a proxy from 5.0.0 on"), ("5.5.0", "needs Maven")])
def test_proxy_that_cannot_be_had_is_refused(release, why, no_tools):
    with pytest.raises(LiveError, match=why):
        artifacts.proxy(release, "--release")
    assert not [path for path in no_tools.rglob("*") if path.is_file()]


def test_proxy_in_the_cache_is_used_with_the_digests_of_its_release(no_tools):
    folder = no_tools / "5.5.0-proxy"
    folder.mkdir(parents=True)
    for name in ("rocketmq-proxy-5.5.0.jar", "rocketmq-logging-1.0.jar", "netty-5.5.0.jar"):
        (folder / name).write_bytes(b"")
    assert artifacts.proxy("5.5.0", "--release") == folder
    (jar,) = artifacts.jars(folder, "5.5.0")
    assert jar.name == "rocketmq-proxy-5.5.0.jar"
    assert jar.sha256.startswith("e3b0c442")


def test_driver_needs_a_compiler_and_known_internals(no_tools, monkeypatch, tmp_path):
    with pytest.raises(LiveError, match="needs the Java compiler"):
        artifacts.driver(JAVA, "5.2.0", tmp_path)
    fake = tmp_path / "javac"
    fake.write_text("#!/bin/sh\necho 'Recorded.java:3: error: cannot find symbol'\nexit 1\n", encoding="utf-8")
    fake.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda name: str(fake))
    with pytest.raises(LiveError, match=r"has other internals: Recorded\.java:3: error: cannot find symbol"):
        artifacts.driver(JAVA, "5.2.0", tmp_path)


def test_client_without_a_model_is_not_installed(no_tools):
    with pytest.raises(LiveError, match=r"^'rocketmq-python-client==9.9.9' is not|is not modelled"):
        artifacts.client(Member(PYTHON, "9.9.9", ()))
