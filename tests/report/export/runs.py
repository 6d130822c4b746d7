"""Run exported tests against released clients, and against copies in which the fault is mended."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import pytest

from rebalance_proofs.proofs.ledger import only
from rebalance_proofs.recorded.packages.install import installed, package
from rebalance_proofs.report.export.export import export

TOOLS = {"junit": ("mvn", "java"), "go": ("go",), "node": ("npm", "node"), "rust": ("cargo",), "pytest": ()}
"""Value of ``--for`` -> the commands that its tests need."""
LIMIT = 1800.0
"""Time limit of one command, in seconds: Cargo compiles hundreds of crates."""


@dataclass(frozen=True)
class Patch:
    """A change of a client's source that mends a fault: a file, a text of it, and the text in its place."""

    file: str
    old: str
    new: str
    more: tuple[tuple[str, str], ...] = ()
    """Further texts of the file, and what takes their places."""

    def apply(self, text: str) -> str:
        """Return the mended text; only the first place of each text is changed."""
        for old, new in ((self.old, self.new), *self.more):
            assert old in text, f"{self.file} has no text {old!r}"
            text = text.replace(old, new, 1)
        return text


@dataclass(frozen=True)
class Case:
    """A claim's exported test, how it fails, and where it passes."""

    claim: str
    language: str
    says: str
    """Regular expression of the failing assertion's message."""
    mended: str | Patch
    """A mended release, or a change that mends the fault."""

    @property
    def name(self) -> str:
        """Name of the test's parameter."""
        return f"{self.language}-{self.claim}"


def require_tools(language: str) -> None:
    """Skip the test if a command of the language is missing."""
    for tool in TOOLS[language]:
        if shutil.which(tool) is None:
            pytest.skip(f"there is no {tool} on the PATH to run the exported test")


def run(case: Case, folder: Path, mended: str | Patch | None) -> tuple[bool, str]:
    """Return whether the exported test passes, and its output. ``mended`` is None for the release of the claim."""
    test = export(only(case.claim), case.language)
    for name, text in {test.path: test.text, **test.beside}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    version = mended if isinstance(mended, str) else test.release.version
    patch = mended if isinstance(mended, Patch) else None
    command, variables = RUNNERS[case.language](folder, test, version, patch)
    done = _ran(command, Path(variables.pop("FOLDER", folder)), variables)
    return done.returncode == 0, done.stdout


def _ran(command: list[str], folder: Path, variables: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        env=os.environ | (variables or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=LIMIT,
    )


def _done(command: list[str], folder: Path) -> str:
    done = _ran(command, folder)
    assert done.returncode == 0, done.stdout
    return done.stdout


def _python(folder: Path, test, version: str, patch: Patch | None):
    assert patch is None
    found = installed(package(f"{test.release.package}=={version}")).folder / "whole"
    return [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test.path], {"PYTHONPATH": str(found)}


def _mended_copy(source: Path, target: Path, patch: Patch | None) -> None:
    shutil.copytree(source, target)
    for one in (target, *target.rglob("*")):
        one.chmod(one.stat().st_mode | 0o200)
    if patch:
        file = target / patch.file
        file.write_text(patch.apply(file.read_text(encoding="utf-8")), encoding="utf-8")


def _go(folder: Path, test, version: str, patch: Patch | None):
    name = f"Test_{test.name}$"
    _done(["go", "mod", "download", f"{test.release.package}@{version}"], folder)
    source = Path(_done(["go", "env", "GOMODCACHE"], folder).strip()) / f"{test.release.package}@{version}"
    if "go.mod" not in test.beside:  # a test of the package's internals, in a copy of the package
        _mended_copy(source, folder / "client", patch)
        shutil.copy(folder / test.path, folder / "client")
        return ["go", "test", "-run", name, "."], {"FOLDER": str(folder / "client")}
    if patch:
        _mended_copy(source, folder / "client", patch)
        with (folder / "go.mod").open("a", encoding="utf-8") as file:
            file.write(f"\nreplace {test.release.package} => ./client\n")
    return ["go", "test", "-mod=mod", "-run", name, "."], {}


def _node(folder: Path, test, version: str, patch: Patch | None):
    options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    _done(["npm", "install", *options, f"{test.release.package}@{version}"], folder)
    if patch:
        file = folder / "node_modules" / test.release.package / patch.file
        file.write_text(patch.apply(file.read_text(encoding="utf-8")), encoding="utf-8")
    return ["node", "--test", test.path], {}


def _rust(folder: Path, test, version: str, patch: Patch | None):
    if patch:
        _done(["cargo", "fetch"], folder)
        home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
        (source,) = (home / "registry" / "src").glob(f"*/{test.release.package}-{version}")
        _mended_copy(source, folder / "client", patch)
        with (folder / "Cargo.toml").open("a", encoding="utf-8") as file:
            file.write(f'\n[patch.crates-io]\n{test.release.package} = {{ path = "client" }}\n')
    target = os.environ.get("CARGO_TARGET_DIR") or str(folder.parent / "cargo")
    return ["cargo", "test", "--quiet", "--test", test.name], {"CARGO_TARGET_DIR": target}


def _java(folder: Path, test, version: str, patch: Patch | None):
    if patch:
        artifact = f"{test.release.package}:{version}:jar:sources"
        _done(["mvn", "-q", "dependency:get", f"-Dartifact={artifact}", "-Dtransitive=false"], folder)
        group, _, name = test.release.package.partition(":")
        jar = (
            Path.home() / ".m2/repository" / group.replace(".", "/") / name / version / f"{name}-{version}-sources.jar"
        )
        with ZipFile(jar) as sources:
            text = patch.apply(sources.read(patch.file).decode())
        target = folder / "src/main/java" / patch.file
        target.parent.mkdir(parents=True)
        target.write_text(text, encoding="utf-8")
    name = Path(test.path).stem
    return ["mvn", "-q", "test", f"-Dtest={name}", f"-Drocketmq.version={version}"], {}


RUNNERS: dict[str, Callable] = {"pytest": _python, "go": _go, "node": _node, "rust": _rust, "junit": _java}
"""Value of ``--for`` -> function that prepares the folder, and returns the command with its variables."""


def shows(case: Case, output: str) -> bool:
    """Return whether the output has the message of the failing assertion."""
    return re.search(case.says, output) is not None
