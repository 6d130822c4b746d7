"""Installing packages by stand-ins for the languages' tools: the cache, and each failure as one sentence."""

import sys
from pathlib import Path

import pytest

from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.recorded.cache import CACHE
from rebalance_proofs.recorded.packages import install
from rebalance_proofs.recorded.packages.install import installed, package

TOOL = """#!{python}
import pathlib, sys
log = pathlib.Path({log!r})
log.open("a").write(" ".join(sys.argv[1:]) + chr(10))
number = len(log.read_text(encoding="utf-8").splitlines()) - 1
printed, status = {results!r}[number]
print(printed)
if not status:
    for name in {made!r}:
        pathlib.Path(name).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(name).write_text("made")
sys.exit(status)
"""
PACKAGE_JSON = "node_modules/ali-ons/package.json"
NO_NETWORK = {
    "npm": (
        "npm error code ENOTFOUND\nnpm error network request failed, reason: getaddrinfo ENOTFOUND x",
        "npm error net",
    ),
    "go": ("go: github.com/x/y: dial tcp: lookup x: no such host", "go: github.com/x/y: dial tcp: lookup x: no such"),
    "cargo": ("error: failed to download from `x`\n\nCaused by:\n  [6] x", "error: failed to download from `x`"),
}


@pytest.fixture
def path(tmp_path, monkeypatch):
    """The folder of commands; the cache is a new folder."""
    monkeypatch.setenv(CACHE, str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    return tmp_path / "bin"


def tool(path: Path, name: str, *results: tuple[str, int], made: tuple[str, ...] = ()) -> Path:
    """Put a command on the path, with an output and exit status for each call. Return the file of its arguments."""
    log = path.parent / f"{name}.log"
    command = path / name
    text = TOOL.format(python=sys.executable, log=str(log), results=results, made=made)
    command.write_text(text, encoding="utf-8")
    command.chmod(0o755)
    return log


def test_package_is_installed_once(path):
    tool(path, "node")
    log = tool(path, "npm", ("added 55 packages", 0), made=(PACKAGE_JSON,))
    begun: list[str] = []
    first = installed(package("ali-ons==3.12.0"), begins=begun.append)
    assert first == installed(package("ali-ons==3.12.0"), begins=begun.append)
    assert (first.command, first.unsorted) == (("node", "driver.js"), "")
    assert (first.folder / "driver.js").is_file()
    assert len(log.read_text(encoding="utf-8").splitlines()) == len(begun) == 1
    assert "ali-ons@3.12.0" in log.read_text(encoding="utf-8")
    assert [one.name for one in first.folder.parent.iterdir()] == [first.folder.name]


def test_changed_driver_is_installed_again(path, monkeypatch, tmp_path):
    tool(path, "node")
    tool(path, "npm", ("", 0), ("", 0), made=(PACKAGE_JSON,))
    first = installed(package("ali-ons==3.12.0"))
    (tmp_path / "node").mkdir()
    (tmp_path / "node" / "driver.js").write_text("other", encoding="utf-8")
    monkeypatch.setattr(install, "SOURCES", tmp_path)
    second = installed(package("ali-ons==3.12.0"))
    assert first.folder != second.folder
    assert (second.folder / "driver.js").read_text(encoding="utf-8") == "other"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("go==2.1.2", "--package github.com/apache/rocketmq-client-go/v2==v2.1.2 needs the command go: install Go"),
        ("ali-ons==3.12.0", "--package ali-ons==3.12.0 needs the command npm: install Node.js with npm"),
        ("rust==1.0.0", "--package rocketmq-model==1.0.0 needs the command cargo: install Rust"),
    ],
)
def test_missing_tool_is_one_sentence(path, words, said):
    with pytest.raises(StrategyError) as error:
        installed(package(words))
    assert str(error.value) == said


@pytest.mark.parametrize(("name", "words"), [("npm", "ali-ons==3.12.0"), ("go", "go==2.1.2"), ("cargo", "rust==1.0.0")])
def test_missing_network_is_one_sentence(path, name, words):
    printed, said = NO_NETWORK[name]
    tool(path, "node")
    tool(path, name, (printed, 1), (printed, 1))
    with pytest.raises(StrategyError) as error:
        installed(package(words))
    assert f"=={package(words).version}: {name} could not install it: {said}" in str(error.value)
    assert "\n" not in str(error.value)
    assert not any((path.parent / "cache" / "packages").iterdir())


def test_go_version_with_other_internals_is_installed_without_sorts(path):
    wrong = "# github.com/apache/rocketmq-client-go/v2/rebalance\n./sorts.go:31:5: undefined: internal.Namesrvs"
    tool(path, "go", (wrong, 1), ("", 0), made=("driver",))
    found = installed(package("go==2.1.2"))
    assert found.unsorted.endswith("./sorts.go:31:5: undefined: internal.Namesrvs")
    assert "Unsorted" in (found.folder / "sorts.go").read_text(encoding="utf-8")
    assert installed(package("go==2.1.2")) == found


def test_unwritable_cache_is_one_sentence(path, monkeypatch, tmp_path):
    tool(path, "go", ("", 0))
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv(CACHE, str(tmp_path / "file"))
    with pytest.raises(StrategyError, match=r"cannot be written to the cache .*; set REBALANCE_CACHE to a folder"):
        installed(package("go==2.1.2"))


def test_reason_continues_after_a_colon():
    said = "go: downloading x v1\ngo: errors parsing go.mod:\ngo.mod:5:2: version v9.9.9 invalid\n"
    assert install.reason(said) == "go: errors parsing go.mod: go.mod:5:2: version v9.9.9 invalid"
    assert install.reason("") == "no message"
