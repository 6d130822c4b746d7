"""Plugin for pytest that tries faults in forks of one process that has collected the tests.

A fork gives the functions of the changed file the code that they would have with the fault, and runs the tests that
were chosen. That takes a tenth of what a process of its own takes, which imports everything first. What was computed
while modules were imported or tests collected, and what runs in other processes, stays as it was: so each fault has to
be tried in a copy of the tree, too.
"""

import gc
import json
import os
import resource
import select
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType

import pytest
from _pytest.runner import runtestprotocol

import rebalance_proofs
from tests.faults.generated.site import Site

FILE = "FAULTS_SWAPPED"
"""Environment variable: the file with a ``Wanted`` in each line, which several processes may share."""
SECONDS = 90
"""Of processor time, which the tests of a fault may use before they have hung."""
BUSY = 2
"""Or if they last so many times as long."""
MEMORY = 6 << 30
"""Of bytes, which a process may have: a loop without an end is to fill nobody's machine."""


@dataclass(frozen=True)
class Wanted:
    """A fault that is to be tried, and with what."""

    site: Site
    tests: Sequence[str]
    """Ids of tests, in the order in which they are run."""

    def written(self) -> str:
        """One line, from which ``read`` makes it again."""
        return json.dumps({"site": asdict(self.site), "tests": list(self.tests)})

    @classmethod
    def read(cls, line: str) -> "Wanted":
        """What ``written`` gave."""
        of = json.loads(line)
        return cls(Site(**of["site"]), of["tests"])


def told(place: Path) -> Mapping[str, str]:
    """The names of faults that were tried by those who read ``place``, and the test that noticed each, if any."""
    lines = place.with_suffix(".told").read_text(encoding="utf-8").splitlines()
    return {of["fault"]: of["noticed by"] for of in map(json.loads, lines)}


def renewed(functions: Sequence[FunctionType], path: str, before: str, after: str) -> int:
    """Give those functions of the file at ``path`` the code that its changed source defines; returns for how many.

    ``before`` and ``after``: the source, which differs in one expression.
    """
    pairs = zip(_codes(compile(before, path, "exec")), _codes(compile(after, path, "exec")), strict=False)
    found: dict[tuple[str, int], list[tuple[CodeType, CodeType]]] = {}
    for old, new in pairs:
        found.setdefault((old.co_qualname, old.co_firstlineno), []).append((old, new))
    count = 0
    for function in functions:
        known = function.__code__
        of = found.get((known.co_qualname, known.co_firstlineno), []) if known.co_filename == path else []
        if len(of) == 1 and of[0][0] != of[0][1] and of[0][1].co_freevars == known.co_freevars:
            function.__code__ = of[0][1]
            count += 1
    return count


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _codes(part)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Try the faults that are asked for in place of running the tests."""
    if FILE not in os.environ:
        return None
    place = Path(os.environ[FILE])
    every = [Wanted.read(line) for line in place.read_text(encoding="utf-8").splitlines()]
    forks = _Forks(session, every)
    with place.with_suffix(".told").open("a", encoding="utf-8") as file:
        for wanted in map(every.__getitem__, _mine(place, len(every))):
            print(json.dumps({"fault": wanted.site.name, "noticed by": forks.noticed(wanted)}), file=file, flush=True)
    return True


def _mine(place: Path, count: int) -> Iterator[int]:
    """Numbers below ``count`` that no other process takes which reads the same file: some faults take a minute."""
    for number in range(count):
        with suppress(FileExistsError):
            place.with_suffix(f".{number}").touch(exist_ok=False)
            yield number


class _Forks:
    def __init__(self, session: pytest.Session, every: Sequence[Wanted]) -> None:
        for file in {wanted.site.file for wanted in every}:  # some modules are not imported before they are used
            import_module(
                ".".join(("rebalance_proofs", *Path(file.removesuffix("/__init__.py")).with_suffix("").parts))
            )
        self._items = {item.nodeid: item for item in session.items}
        self._passes: dict[str, bool] = {}
        gc.collect()
        self._functions = [one for one in gc.get_objects() if isinstance(one, FunctionType)]
        gc.freeze()  # a fork would copy what it looks through

    def noticed(self, wanted: Wanted) -> str:
        """The test that notices the fault; one that fails without it notices nothing."""
        tests = [test for test in wanted.tests if test in self._items]
        while failed := self._failed(tests := [test for test in tests if self._passes.get(test, True)], wanted.site):
            if failed not in self._passes:
                self._passes[failed] = not self._failed([failed], None)
            if self._passes[failed]:
                return failed
        return ""

    def _failed(self, tests: Sequence[str], site: Site | None) -> str:
        """The first that fails; empty if none does, or if no function has other code with the fault."""
        reads, writes = os.pipe()
        if not (child := os.fork()):
            os.close(reads)
            _run([self._items[test] for test in tests], writes, lambda: not site or self._with(site))
        os.close(writes)
        with os.fdopen(reads, encoding="utf-8") as pipe:
            said = pipe.readline() if select.select([pipe], [], [], BUSY * SECONDS)[0] else ""
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return "" if said == "passed" else said  # what hung, or crashed, is asked about elsewhere

    def _with(self, site: Site) -> bool:
        path = Path(rebalance_proofs.__file__).parent / site.file
        source = path.read_bytes()
        changed = source[: site.start] + site.new.encode() + source[site.end :]
        return renewed(self._functions, str(path), source.decode(), changed.decode()) > 0


def _run(items: Sequence[pytest.Item], writes: int, begins: Callable[[], bool]) -> None:
    """Run the tests in this fork, say which one failed, and end."""
    said = ""
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        if begins():  # otherwise nothing is changed here
            for item, after in zip(items, [*items[1:], None], strict=True):
                if any(report.failed for report in runtestprotocol(item, log=False, nextitem=after)):
                    said = item.nodeid
                    break
    finally:
        os.write(writes, (said or "passed").encode())
        os._exit(0)
