"""Install a released client beside its driver, by the language's own tool, into the cache folder of releases."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.profiles import GO, NODE, RUST_1_0, Profile
from rebalance_proofs.model.receiving.sdks import (
    GoPushConsumer,
    NodePushConsumer,
    PushConsumer,
    PythonPushConsumerV5_0,
    PythonPushConsumerV5_1_1,
    PythonPushConsumerV5_1_2,
)
from rebalance_proofs.model.releases import Resolved, UnknownRelease, resolved
from rebalance_proofs.recorded.cache import cache, place, ran, refusal

# The released packages that can be compared with the model: a name in a registry, and a version.


@dataclass(frozen=True)
class Kind:
    """A client that is released as a package: its name in the registry, its tool, and its model."""

    client: str
    """Short name of the client: ``go``."""
    name: str
    """The package's name in its registry."""
    version: str
    """Regular expression of the registry's versions."""
    example: str
    """A version for messages."""
    profile: Profile | None = None
    """The model's profile of the client. None for Java, whose profile depends on the version, and for gRPC clients."""
    differs: tuple[str, ...] = ()
    """Known differences of released versions from the modelled commit. The profile includes them."""
    models: Mapping[str, type[PushConsumer]] = field(default_factory=dict)
    """gRPC client: version of the package -> the model of its assignment step. Otherwise empty."""

    @property
    def sources(self) -> Path:
        """Folder with the source of its driver."""
        return SOURCES / self.client.removeprefix(GRPC) / ("receiving" if self.models else "")


GRPC = "grpc-"
"""Prefix of short names of gRPC clients."""
SOURCES = Path(__file__).resolve().parent
"""Folder with the drivers' sources, a folder for each language."""
_THREE = r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?"
_CARGO = "errors have one text, core.argument.invalid: Argument is invalid, which does not name the argument"

KINDS = (
    Kind("go", "github.com/apache/rocketmq-client-go/v2", rf"v{_THREE}(\+incompatible)?", "v2.1.2", GO),
    Kind("node", "ali-ons", _THREE, "3.12.0", NODE),
    Kind("rust", "rocketmq-model", _THREE, "1.0.0", RUST_1_0, (_CARGO,)),
    Kind("rust", "rocketmq-client-rust", _THREE, "1.0.0", RUST_1_0, (_CARGO,)),
    Kind("java", "rocketmq-client", _THREE, "5.5.0"),
    Kind(
        "grpc-python",
        "rocketmq-python-client",
        _THREE,
        "5.1.2",
        models={
            "5.0.9": PythonPushConsumerV5_0,
            "5.1.1": PythonPushConsumerV5_1_1,
            "5.1.2": PythonPushConsumerV5_1_2,
        },
    ),
    Kind("grpc-node", "rocketmq-client-nodejs", _THREE, "1.0.8", models={"1.0.8": NodePushConsumer}),
    Kind(
        "grpc-go",
        "github.com/apache/rocketmq-clients/golang/v5",
        rf"v{_THREE}",
        "v5.1.4",
        models=dict.fromkeys(("v5.1.3", "v5.1.4"), GoPushConsumer),
    ),
    Kind(
        "grpc-java",
        "rocketmq-client-java",
        _THREE,
        "5.2.0",
        models=dict.fromkeys(("5.0.8", "5.1.0", "5.2.0"), PushConsumer),
    ),
)
"""All kinds. The crate rocketmq-client-rust exports the strategies of rocketmq-model, which builds faster."""
NAMES = {kind.name: kind for kind in KINDS}
"""Name of a package -> its kind."""
ALSO = {
    "go": KINDS[0].name,
    "rocketmq-client-go": KINDS[0].name,
    "github.com/apache/rocketmq-client-go": KINDS[0].name,
    "node": "ali-ons",
    "rust": "rocketmq-model",
    "java": "rocketmq-client",
    "org.apache.rocketmq:rocketmq-client": "rocketmq-client",
    "org.apache.rocketmq:rocketmq-client-java": "rocketmq-client-java",
    "grpc-python": "rocketmq-python-client",
    "grpc-node": "rocketmq-client-nodejs",
    "grpc-go": "github.com/apache/rocketmq-clients/golang/v5",
    "grpc-java": "rocketmq-client-java",
}
"""Other names that users may type."""


WITHOUT = {"rocketmq": "no release of this crate has a push consumer, which is only in its source"}
"""Package of a gRPC client -> why it cannot be compared."""


@dataclass(frozen=True)
class Package:
    """One version of a released client."""

    kind: Kind
    version: str

    def __str__(self) -> str:
        return f"{self.kind.name}=={self.version}"

    @property
    def resolved(self) -> Resolved:
        """The modelled release that represents the version. Raises ``UnknownRelease`` for another major version."""
        return resolved(f"{self.kind.client} {self.version}")


def package(words: str) -> Package:
    """Return the package that a user's text ``NAME==VERSION`` names. Raises ``StrategyError``."""
    typed, equals, number = (part.strip() for part in words.partition("=="))
    name = ALSO.get(typed.casefold(), typed)
    if name in WITHOUT:
        raise StrategyError(f"--package {words!r} cannot be compared: {WITHOUT[name]}")
    kind = NAMES.get(name)
    if kind is None:
        near = get_close_matches(name, [*NAMES, *ALSO], n=1, cutoff=0.6)
        known = f"did you mean {near[0]!r}? the packages are" if near else "name one of"
        raise StrategyError(f"--package {words!r} is not a known client: {known} {', '.join(NAMES)}")
    example = f"such as {kind.name}=={kind.example}"
    if not equals or not number:
        raise StrategyError(f"--package {words!r} has no version: name one, {example}")
    version = f"v{number}" if kind.client.endswith("go") and number[0].isdigit() else number
    if not re.fullmatch(kind.version, version):
        raise StrategyError(f"--package {words!r} has no valid version: name one, {example}")
    found = Package(kind, version)
    if kind.models:
        if version not in kind.models:
            raise StrategyError(f"--package {found} is not modelled: name one of {', '.join(kind.models)}")
        return found
    try:
        _ = found.resolved
    except UnknownRelease as error:
        raise StrategyError(f"--package: {error}") from None
    return found


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
    runs_on: str = ""
    """Version of the interpreter that an installation is for; empty if it is for all."""


def installed(package: Package, *, begins: Callable[[str], None] = lambda text: None) -> Installed:
    """Return the installed package. Install it first if the cache does not have it.

    An installation calls ``begins`` with a text for the user. Raises ``StrategyError``.
    """
    tool = TOOLS[package.kind.client]
    for command, needed in tool.commands.items():
        if shutil.which(command) is None:
            raise StrategyError(f"--package {package} needs the command {command}: install {needed}")
    found = present(package)
    if found is None:
        begins(f"installing {package} with {next(iter(tool.commands), 'pip')}, once")
        _install(package, tool, _folder(package))
        found = present(package)
        assert found
    return found


def present(package: Package) -> Installed | None:
    """Return the package if it is installed."""
    tool, folder = TOOLS[package.kind.client], _folder(package)
    if not (folder / tool.result).is_file():
        return None
    unsorted = folder / UNSORTED
    return Installed(tool.command(folder), folder, unsorted.read_text(encoding="utf-8") if unsorted.is_file() else "")


def _folder(package: Package) -> Path:
    return cache() / "packages" / f"{package.kind.name.replace('/', '+')}-{package.version}-{_digest(package)}"


def _install(package: Package, tool: Tool, folder: Path) -> None:
    def install(scratch: Path) -> Path:
        whole = scratch / "whole"
        whole.mkdir()
        for source in package.kind.sources.iterdir():
            if source.is_file():
                shutil.copy2(source, whole)
        tool.install(Job(package, whole, scratch))
        return whole

    try:
        place(folder, install, (folder / tool.result).is_file)
    except OSError as error:
        raise StrategyError(f"--package {package} cannot be written to the cache {refusal(folder, error)}") from error


def _digest(package: Package) -> str:
    """Return a digest of the driver's source and of this file: a new driver needs a new installation."""
    sources = [Path(__file__), *sorted(package.kind.sources.iterdir())]
    found = hashlib.sha256(b"\0".join(one.read_bytes() for one in sources if one.is_file()))
    found.update(TOOLS[package.kind.client].runs_on.encode())
    return found.hexdigest()[:12]


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

    def run(self, *words: str, folder: str = ".") -> str:
        """Run the tool in a folder, and return its output. Raises ``StrategyError`` with its reason if it fails."""
        said, status = self.tried(*words, folder=folder)
        if status:
            raise StrategyError(f"--package {self.package}: {Path(words[0]).name} could not install it: {reason(said)}")
        return said

    def tried(self, *words: str, folder: str = ".") -> tuple[str, int]:
        """Run the tool, and return its output and its exit status. Raises ``StrategyError`` if it does not end."""
        try:
            done = ran(words, LIMIT, self.folder / folder, os.environ | self.variables)
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


def _install_grpc_go(job: Job) -> None:
    """Build a copy of the client's package with the driver in it as its only test."""
    job.variables["GOFLAGS"] = "-mod=mod"
    said = job.run("go", "mod", "download", "-json", f"{job.package.kind.name}@{job.package.version}")
    module = json.loads(said[said.index("{") : said.rindex("}") + 1])["Dir"]
    copy = job.folder / "package"
    shutil.copytree(module, copy, copy_function=shutil.copyfile, ignore=shutil.ignore_patterns("*_test.go"))
    for folder, _, _ in os.walk(copy):
        Path(folder).chmod(0o755)  # folders of Go's cache are read-only
    (job.folder / "receiving_test.go.txt").rename(copy / "receiving_test.go")
    job.run("go", "test", "-c", "-o", "../driver", ".", folder="package")
    shutil.rmtree(copy)


_RECEIVING = "org.apache.rocketmq.client.java.impl.consumer.Receiving"
_QUIET = ("-Duser.home=.", "-Drocketmq.log.level=off")
"""Options of Java: the client writes no log."""


def _install_grpc_java(job: Job) -> None:
    """Compile the driver in the client's own package."""
    job.template("pom.xml.txt", "pom.xml")
    job.run("mvn", "--batch-mode", "--quiet", "dependency:copy-dependencies", "-DoutputDirectory=lib")
    (job.folder / "Receiving.java.txt").rename(job.folder / "Receiving.java")
    job.run("javac", "-d", "classes", "-cp", "lib/*", "Receiving.java")


def _install_python(job: Job) -> None:
    options = ("--quiet", "--disable-pip-version-check", "--target", str(job.folder / "whole"))
    job.run(sys.executable, "-m", "pip", "install", *options, str(job.package))


TOOLS = {
    "go": Tool({"go": "Go"}, _install_go, _driver, "driver"),
    "node": Tool(
        {"npm": "Node.js with npm", "node": "Node.js"},
        _install_node,
        lambda folder: ("node", "driver.js"),
        "node_modules/ali-ons/package.json",
    ),
    "rust": Tool({"cargo": "Rust"}, _install_rust, _driver, "driver"),
    "grpc-python": Tool(
        {},
        _install_python,
        lambda folder: (sys.executable, "-S", "-W", "ignore", "driver.py.txt"),
        "whole/rocketmq/__init__.py",
        sys.version,
    ),
    "grpc-node": Tool(
        {"npm": "Node.js with npm", "node": "Node.js"},
        _install_node,
        lambda folder: ("node", "driver.js"),
        "node_modules/rocketmq-client-nodejs/package.json",
    ),
    "grpc-go": Tool(
        {"go": "Go 1.25 or newer"},
        _install_grpc_go,
        lambda folder: (*_driver(folder), "-test.run", "^TestReceiving$"),
        "driver",
    ),
    "grpc-java": Tool(
        {"mvn": "Maven", "javac": "a JDK 17 or newer"},
        _install_grpc_java,
        lambda folder: ("java", *_QUIET, "-cp", os.pathsep.join(("classes", "lib/*")), _RECEIVING),
        "classes/" + _RECEIVING.replace(".", "/") + ".class",
    ),
}
"""Short name of a client -> how to install its packages."""
