"""Install a released client beside its driver, by the language's own tool, into the cache folder of releases."""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rebalance_proofs.model.own.errors import StrategyError
from rebalance_proofs.recorded.cache import cache, place, ran, refusal
from rebalance_proofs.recorded.packages.names import Package

SOURCES = Path(__file__).resolve().parent
"""Folder with the drivers' sources, a folder for each language."""
LIMIT = 3600.0
"""Seconds after which an installation is given up. Cargo compiles hundreds of crates."""
UNSORTED = "unsorted"
"""Name of a file with the reason why an installed driver cannot sort lists."""


@dataclass(frozen=True)
class Installed:
    """A package that is installed beside its driver."""

    command: tuple[str, ...]
    folder: Path
    unsorted: str = ""
    """The reason why its sort orders cannot be called; empty if they can be."""


@dataclass(frozen=True)
class Tool:
    """How to install the packages of one language."""

    commands: Mapping[str, str]
    """Commands that must be on the PATH -> what to install for them."""
    install: Callable[["Job"], None]
    command: Callable[[Path], tuple[str, ...]]
    """Function that returns the command that starts the driver in the folder of an installation."""
    result: str
    """File in the folder of a complete installation."""


def installed(package: Package, *, begins: Callable[[str], None] = lambda text: None) -> Installed:
    """Return the installed package. Install it first if the cache does not have it.

    An installation calls ``begins`` with a text for the user. Raises ``StrategyError``.
    """
    tool = TOOLS[package.kind.client]
    for command, needed in tool.commands.items():
        if shutil.which(command) is None:
            raise StrategyError(f"--package {package} needs the command {command}: install {needed}")
    folder = cache() / "packages" / f"{package.kind.name.replace('/', '+')}-{package.version}-{_digest(package)}"
    if not (folder / tool.result).is_file():
        begins(f"installing {package} with {next(iter(tool.commands))}, once")
        _install(package, tool, folder)
    unsorted = folder / UNSORTED
    return Installed(tool.command(folder), folder, unsorted.read_text(encoding="utf-8") if unsorted.is_file() else "")


def _install(package: Package, tool: Tool, folder: Path) -> None:
    def install(scratch: Path) -> Path:
        whole = scratch / "whole"
        shutil.copytree(SOURCES / package.kind.client, whole)
        tool.install(Job(package, whole, scratch))
        return whole

    try:
        place(folder, install, (folder / tool.result).is_file)
    except OSError as error:
        raise StrategyError(f"--package {package} cannot be written to the cache {refusal(folder, error)}") from error


def _digest(package: Package) -> str:
    """Return a digest of the driver's source and of this file: a new driver needs a new installation."""
    sources = [Path(__file__), *sorted((SOURCES / package.kind.client).iterdir())]
    return hashlib.sha256(b"\0".join(one.read_bytes() for one in sources if one.is_file())).hexdigest()[:12]


@dataclass(frozen=True)
class Job:
    """One installation."""

    package: Package
    folder: Path
    """Folder with a copy of the driver's source, which will be moved to the cache."""
    scratch: Path
    """Folder for intermediate files."""
    variables: dict[str, str] = field(default_factory=dict)
    """Environment variables of the tool."""

    def template(self, name: str, target: str) -> None:
        """Write the tool's project file from a template that lacks the version."""
        template = self.folder / name
        text = template.read_text(encoding="utf-8").replace("VERSION", self.package.version)
        (self.folder / target).write_text(text, encoding="utf-8")
        template.unlink()

    def run(self, *words: str) -> None:
        """Run the tool. Raises ``StrategyError`` with its reason if it fails."""
        said, status = self.tried(*words)
        if status:
            raise StrategyError(f"--package {self.package}: {words[0]} could not install it: {reason(said)}")

    def tried(self, *words: str) -> tuple[str, int]:
        """Run the tool, and return its output and its exit status. Raises ``StrategyError`` if it does not end."""
        try:
            done = ran(words, LIMIT, self.folder, os.environ | self.variables)
        except subprocess.TimeoutExpired:
            raise StrategyError(f"--package {self.package}: {words[0]} did not install it in {LIMIT:g} s") from None
        return done.stdout, done.returncode


PROGRESS = re.compile(r"\s*(go: (downloading|finding|added|found)|Downloaded|Downloading|Updating|Locking|Compiling) ")
REASON = re.compile(
    r"^(error(\[\w+\])?:|go: |npm (ERR!|error) (?!code |A complete log)|\S+\.(go|rs):\d+)", re.IGNORECASE
)


def reason(said: str) -> str:
    """Return the line of a tool's output that is most likely its reason for failure."""
    lines = [line.strip() for line in said.splitlines() if line.strip() and not PROGRESS.match(line)]
    place = next((place for place, line in enumerate(lines) if REASON.match(line)), len(lines) - 1)
    found = lines[place : place + 1] or ["no message"]
    if found[0].endswith(":"):
        found += lines[place + 1 : place + 2]
    return " ".join(found)[:300]


def _install_go(job: Job) -> None:
    """Build the driver. Without the part that sorts, if a version's internals are other than that part expects."""
    job.variables["GOFLAGS"] = "-mod=mod"
    job.template("go.mod.txt", "go.mod")
    build = ("go", "build", "-o", "driver", ".")
    said, status = job.tried(*build)
    if not status:
        return
    (job.folder / "sorts.go").write_text(
        'package main\n\nfunc sorted(lists) interface{} { return failure{"Unsorted", "not built"} }\n',
        encoding="utf-8",
    )
    if job.tried(*build)[1]:
        raise StrategyError(f"--package {job.package}: go could not install it: {reason(said)}")
    why = f"this version does not build with the code that calls its sort: {reason(said)}"
    (job.folder / UNSORTED).write_text(why, encoding="utf-8")


def _install_node(job: Job) -> None:
    (job.folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    options = ("--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--save-exact", "--loglevel=error")
    job.run("npm", "install", *options, f"{job.package.kind.name}@{job.package.version}")


def _install_rust(job: Job) -> None:
    """Build the driver. Compiled crates are kept only in a folder that the user names by ``CARGO_TARGET_DIR``."""
    target = Path(os.environ.get("CARGO_TARGET_DIR") or job.scratch / "target").absolute()
    job.variables["CARGO_TARGET_DIR"] = str(target)
    job.template("Cargo.toml.txt", "Cargo.toml")
    (job.folder / "src").mkdir()
    (job.folder / "main.rs").rename(job.folder / "src" / "main.rs")
    of_client = ("--features", "client") if job.package.kind.name == "rocketmq-client-rust" else ()
    job.run("cargo", "build", "--quiet", "--color", "never", *of_client)
    shutil.copy2(target / "debug" / "driver", job.folder / "driver")


def _driver(folder: Path) -> tuple[str, ...]:
    return (str(folder / "driver"),)


TOOLS = {
    "go": Tool({"go": "Go"}, _install_go, _driver, "driver"),
    "node": Tool(
        {"npm": "Node.js with npm", "node": "Node.js"},
        _install_node,
        lambda folder: ("node", "driver.js"),
        "node_modules/ali-ons/package.json",
    ),
    "rust": Tool({"cargo": "Rust"}, _install_rust, _driver, "driver"),
}
"""Short name of a client -> how to install its packages."""
