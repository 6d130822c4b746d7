"""Requirements of Spark: anything missing is reported in one sentence before the start."""

import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rebalance_proofs.model.own.java import classpath
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.preflight import require_java, require_master
from rebalance_proofs.spark_enum.session import spark_session

Java = Callable[[str], Path]


def refusal(call: Callable, *arguments) -> str:
    """The one sentence of the error."""
    with pytest.raises(UsageError) as raised:
        call(*arguments)
    said = str(raised.value)
    assert said
    assert "\n" not in said
    assert "Traceback" not in said
    return said


@pytest.fixture
def java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Java:
    """Puts an executable under JAVA_HOME that prints what a test wants."""

    def install(said: str) -> Path:
        executable = tmp_path / "bin" / "java"
        executable.parent.mkdir()
        executable.write_text(f"#!/bin/sh\ncat >&2 <<'END'\n{said}\nEND\n", encoding="utf-8")
        executable.chmod(0o755)
        monkeypatch.setenv("JAVA_HOME", str(tmp_path))
        return executable

    return install


@pytest.fixture
def closed() -> Iterator[str]:
    """An address on loopback without a listener; its port is bound, and stays so."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{bound.getsockname()[1]}"


def test_missing_java_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    said = refusal(require_java)
    assert said.startswith("Spark needs Java, which was not found on the PATH; install Java 17 or newer")
    assert "`rebalance prove`, which needs no Java" in said


def test_java_home_has_priority_over_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert f"which was not found under JAVA_HOME={tmp_path}; " in refusal(require_java)


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ('java version "1.8.0_402"', "8"),
        ('openjdk version "11.0.22" 2024-01-16', "11"),
        ('openjdk version "16" 2021-03-16', "16"),
    ],
)
def test_old_java_is_refused(java: Java, line: str, version: str) -> None:
    executable = java(f"{line}\nOpenJDK Runtime Environment")
    assert refusal(require_java).startswith(f"Spark needs Java 17 or newer, but {executable} is version {version}; ")


def test_other_program_called_java_is_refused(java: Java) -> None:
    executable = java("Java is coffee.")
    assert f"{executable} did not print its version" in refusal(require_java)


def test_java_that_is_not_executable_is_refused(java: Java) -> None:
    java("").write_bytes(b"\x00 no executable of this machine")
    assert refusal(require_java).startswith("Spark needs Java")


def test_java_that_never_answers_is_refused(java: Java, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classpath, "PATIENCE", 0.3)
    executable = java("")
    executable.write_text("#!/bin/sh\nexec sleep 600\n", encoding="utf-8")
    assert refusal(require_java).startswith(f"Spark needs Java, but {executable} did not answer within 0.3 s; install ")


def test_java_with_undecodable_output_is_refused(java: Java) -> None:
    executable = java("")
    executable.write_text("#!/bin/sh\nprintf '\\377\\376\\200' >&2\n", encoding="utf-8")
    assert f"{executable} did not print its version" in refusal(require_java)


@pytest.mark.parametrize(
    ("lines", "version"),
    [
        ('openjdk version "17.0.10" 2024-01-16', "17.0.10"),
        ('openjdk version "21" 2023-09-19\nOpenJDK "Client" VM', "21"),
        ('java version "25-ea" 2025-09-16', "25-ea"),
        ('Picked up JAVA_TOOL_OPTIONS: -Dname="value"\nopenjdk version "17.0.10"', "17.0.10"),
    ],
)
def test_supported_java_is_accepted(java: Java, lines: str, version: str) -> None:
    java(lines)
    assert require_java() == version


@pytest.mark.parametrize(
    "master",
    [
        "",
        "foo",
        "local[0]",
        "local[two]",
        "local[2",
        "LOCAL",
        "spark://",
        "spark:/host:1",
        "http://host:7077",
        "k8s://",
    ],
)
def test_invalid_master_url_is_refused(master: str) -> None:
    assert refusal(require_master, master).startswith(f"{master!r} is not a Spark master URL; write it like local[2], ")


@pytest.mark.parametrize(
    "master",
    ["local", "local[*]", "local[1]", "local[16]", "local[2, 3]", "local-cluster[2,1,1024]", "yarn", "k8s://h"],
)
def test_masters_without_an_address_are_not_contacted(master: str) -> None:
    require_master(master)


def test_master_that_does_not_answer_is_refused(closed: str) -> None:
    said = refusal(require_master, f"spark://{closed}")
    assert said.startswith(f"no Spark master answers at spark://{closed} ({closed}: ")


def test_several_masters_that_do_not_answer_are_refused(closed: str) -> None:
    said = refusal(require_master, f"spark://{closed},nowhere.invalid:7077")
    assert said.count(f"{closed}: ") == 1
    assert "; nowhere.invalid:7077: " in said


@pytest.mark.parametrize("address", ["localhost", "localhost:", "localhost:port", "localhost:-1"])
def test_address_without_a_port_is_refused(address: str) -> None:
    assert f"'spark://{address}' is not a Spark master URL" in refusal(require_master, f"spark://{address}")


def test_one_answering_master_is_enough(closed: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        require_master(f"spark://{closed},127.0.0.1:{listening.getsockname()[1]}")


@pytest.mark.spark
def test_no_session_is_started_when_a_requirement_is_missing(closed: str, spark) -> None:
    """Also while another session of the same process is running."""
    with pytest.raises(UsageError, match=re.escape(closed)), spark_session(f"spark://{closed}"):
        pytest.fail("there is no such master")
