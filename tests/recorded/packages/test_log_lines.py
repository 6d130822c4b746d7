"""Known log lines of gRPC clients: each wording is in the released packages of the versions that it names."""

import re
import zipfile
from pathlib import Path

import pytest

from rebalance_proofs.recorded.logs.lines import HOLE, NAMED
from rebalance_proofs.recorded.logs.sights import Sight, languages, writer
from rebalance_proofs.recorded.packages.__main__ import SDKS
from rebalance_proofs.recorded.packages.install import package, present
from tests.each import each

VALUES = {"Java": r"\{\}", "Go": r"(?:%[a-z]|\{\})", "Node": r"%[a-z](?:@%[a-z])*", "Python": r"\{[^{}]*\}"}
"""Language -> pattern of a value in the texts of its package."""
SOURCES = {"C++", "C#", "Rust"}
"""Languages whose texts were read in the source, because no package is compared."""
ANSWERS = {"CODE: MESSAGE_NOT_FOUND, MESSAGE: no new message": "CODE: {}, MESSAGE: {}"}
"""A text with the values of an answer -> the text of the package."""
MARK = re.compile(r"\(gRPC ([\w+#]+)(?: (up to )?([\d.]+))?\)")
WORDINGS = [
    (found[1], found[2], found[3], one.text)
    for line in NAMED.values()
    for one in line.wordings
    for found in MARK.finditer(one.where)
]


def texts(words):
    """Return the bytes of a package's files that have its texts; None if the package is not installed."""
    one = package(words)
    found = present(one)
    if not found:
        return None
    folder = Path(found.folder)
    if one.kind.client == "grpc-go":
        return (folder / "driver").read_bytes()
    if one.kind.client == "grpc-java":
        with zipfile.ZipFile(folder / "lib" / f"rocketmq-client-java-{one.version}.jar") as jar:
            return b"\0".join(jar.read(name) for name in jar.namelist() if name.endswith(".class"))
    sources = folder / ("whole/rocketmq" if one.kind.client == "grpc-python" else "node_modules/rocketmq-client-nodejs")
    every = [path for path in sources.rglob("*") if path.suffix in (".py", ".js")]
    # A text can go on in the next string of its call.
    return re.sub(rb"['\"`]\s*\+\s*['\"`]", b"", b"\0".join(path.read_bytes() for path in every))


def numbers(version):
    return tuple(map(int, version.lstrip("v").split(".")))


@pytest.mark.parametrize("words", SDKS)
def test_wordings_are_in_the_package(words):
    said = texts(words)
    if said is None:
        pytest.skip(f"{words} is not installed: run make packages")
    one = package(words)
    language = one.kind.client.partition("-")[2].title()
    own = [text for of, _, only, text in WORDINGS if of == language and not only]
    for of, until, only, text in WORDINGS:
        if of == language and only and (numbers(one.version) <= numbers(only) if until else one.version == only):
            own.append(text)
    assert own
    for text in own:
        parts = [re.escape(part) for part in ANSWERS.get(text, text).split(HOLE)]
        assert re.search(VALUES[language].join(parts).encode(), said), text


def test_wordings_name_the_clients_whose_texts_were_read():
    assert {of for of, *_ in WORDINGS} == set(VALUES) | SOURCES


@each(
    ("name", "line", "client"),
    [
        ("sdk-cache-full", "WARN Process queue cache is full, would receive message later, mq=T", "grpc"),
        ("sdk-cache-full", "WARN a.go:1 Process queue cache is full, would receive message later, mq=T", "grpc-go"),
        ("sdk-query-failed", "[ERROR] scan topic: T assignment raise exception.", "grpc-python"),
        ("sdk-query-failed", "Exception raised while scanning the assignments, topic=T", "grpc"),
        ("sdk-no-settings", "MESSAGE: cannot find client settings for this client", "grpc"),
        ("sdk-cache-full", "[W] Number of messages in T exceeds throttle threshold. Receive later.", "grpc-cpp"),
        (
            "sdk-no-assignment",
            "Attention!!! acquired empty assignments from remote, but existed assignments are not empty, topic=T",
            "grpc-csharp",
        ),
        ("sdk-query-failed", "ERRO query assignment failed: ClientError { kind: Server }", "grpc-rust"),
        ("lock-denied", "doRebalance, g, add a new mq failed, q, because lock failed", ""),
    ],
)
def test_writer_is_the_client_whose_text_the_line_has(name, line, client):
    assert writer(name, line.encode()) == client


def test_line_of_one_client_decides_beside_lines_of_any_grpc_client():
    sights = [Sight(None, None, 1, 1, client=client) for client in ("grpc", "grpc-go")]
    assert languages(["sdk-no-settings"], sights) == {"grpc-go"}
    assert languages(["sdk-no-settings"], sights[:1]) == {"grpc"}


@each(
    ("release", "wordings"),
    [
        ("grpc-java 5.2.1", 3),
        ("grpc-go", 3),
        ("grpc-csharp 5.2.1", 3),
        ("grpc-cpp 5.1.1", 3),
        ("grpc", 6),
        ("grpc-python 5.1.1", 0),
        ("grpc-rust", 0),
        ("go", 0),
        ("node", 0),
        ("cpp", 0),
    ],
)
def test_line_is_of_the_clients_that_its_wordings_name(release, wordings):
    assert len(NAMED["sdk-cache-full"].of(release)) == wordings
    assert len(NAMED["sdk-no-settings"].of(release)) == (2 if release.startswith("grpc") else 0)
