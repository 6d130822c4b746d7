"""Check the release: what it contains, what it needs, and that it runs after a plain installation.

By default the wheel runs on this Python and on the newest one at hand. With --all it runs on each one at hand, on the
oldest also with the lowest versions of the dependencies, and one claim is judged by every witness.
"""

import argparse
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.preflight import require_java
from tests.packaging import build, contents
from tests.packaging.declared import require_declared
from tests.packaging.environment import Environment
from tests.packaging.problem import Problem
from tests.packaging.pythons import VERSIONS, at_hand
from tests.packaging.resolve import Resolver


def main() -> None:
    """Run all checks; the first one that fails ends the process with its sentence and exit status 1."""
    parser = argparse.ArgumentParser("python -m tests.packaging", description=__doc__)
    parser.add_argument("--all", action="store_true", help="Run the wheel on every Python at hand.")
    every = parser.parse_args().all
    try:
        with tempfile.TemporaryDirectory(prefix="rebalance-release-") as place:
            _check(Path(place), every)
    except Problem as problem:
        sys.exit(f"release: {problem}")


def _check(place: Path, every: bool) -> None:
    tree = build.copied(build.ROOT, place / "tree")
    with _timed("each imported distribution is declared"):
        require_declared(tree)
    with _timed("the source distribution is the repository"):
        source = build.sdist(tree, place / "dist")
        contents.require_sdist(build.copied(build.ROOT, place / "fresh"), source)
    with _timed("the wheel is the package with its data"):
        wheel = build.wheel(tree, place / "dist")
        contents.require_wheel(place / "fresh", wheel)
    with _timed("a wheel built from the source distribution is the same"):
        again = build.wheel(build.unpacked(source, place / "unpacked"), place / "again")
        contents.require_same("the second wheel", contents.of_wheel(wheel), contents.of_wheel(again))
    resolver = Resolver(tree, place / "cache")
    for version in VERSIONS:
        with _timed(f"the dependencies resolve for Python {version}"):
            resolver.resolved(version)
    lowest = resolver.resolved(VERSIONS[0], lowest=True) if every else []
    shutil.rmtree(place / "cache")
    expected = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    spark = every and _has_java()
    for number, (version, python, pins) in enumerate(_runs(every, lowest)):
        room = place / f"run{number}"
        kind = f"Python {version}, {'lowest' if pins else 'newest'} dependencies"
        with _timed(f"{kind}: installed"):
            environment = Environment.made(python, wheel, room, pins)
        with _timed(f"{kind}: every module imported, every command's help shown, one claim judged"):
            environment.version(expected)
            environment.import_all()
            environment.help_of_all()
            environment.judge(spark=spark)
        shutil.rmtree(room)


def _runs(every: bool, lowest: list[str]) -> Iterator[tuple[str, Path, list[str]]]:
    """The runs of the wheel: version of Python, interpreter, pins. Says which versions are skipped, and why."""
    mine = "{}.{}".format(*sys.version_info)
    found = {version: Path(sys.executable) if version == mine else at_hand(version) for version in VERSIONS}
    present = {version: python for version, python in found.items() if python}
    for version in VERSIONS:
        if version not in present:
            print(f"skipped Python {version}: there is none on this machine", flush=True)
        elif not every and version not in (mine, [*present][-1]):
            print(f"skipped Python {version}: `make package-all` runs it", flush=True)
        else:
            yield version, present[version], []
    if lowest and VERSIONS[0] in present:
        yield VERSIONS[0], present[VERSIONS[0]], lowest


def _has_java() -> bool:
    try:
        require_java()
    except UsageError as error:
        print(f"skipped Spark: {error}", flush=True)
        return False
    return True


@contextmanager
def _timed(what: str) -> Iterator[None]:
    start = perf_counter()
    yield
    print(f"ok {perf_counter() - start:5.1f} s  {what}", flush=True)


if __name__ == "__main__":
    main()
