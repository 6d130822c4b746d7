"""SPIN's exhaustive search of ``lock-lite``, which promela/lock_lite.pml describes in Promela."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.explorer.process import Ran, run

MODEL = Path(__file__).parent / "promela" / "lock_lite.pml"
TRANSLATE = ("-o2",)
"""Options of SPIN that keep variables in the state that are only written, the consumers' views: else it has fewer."""
BASE = ("-O2", "-DSAFETY", "-DNOREDUCE")
"""Options of gcc: no search for cycles, and no partial order reduction."""
BUILDS = (
    BASE,
    (*BASE, "-DNOBOUNDCHECK", "-DNOFAIR"),
    (*BASE, "-DNOBOUNDCHECK", "-DNOFAIR", "-DMEMLIM=16000"),
    (*BASE, "-DNOBOUNDCHECK", "-DNOFAIR", "-DVECTORSZ=64"),
    (*BASE, "-DNOBOUNDCHECK", "-DNOFAIR", "-DNOCOMP"),
    ("-O3", "-march=native", *BASE[1:], "-DNOBOUNDCHECK", "-DNOFAIR", "-DNOCOMP"),
)
"""Options of gcc, of which the fastest are used."""
DEPTH = 100_000
"""The most steps of a trace: more than twice as many as the largest search here takes, and 5 MB."""
MB = 1 << 20


@dataclass(frozen=True)
class Search:
    """The results and costs of a search."""

    states: int
    transitions: int
    depth: int
    vector: int
    """Bytes of each state."""
    memory: int
    """Bytes by SPIN's own account: states, the table that finds them, and the steps of a trace."""
    ran: Ran

    @classmethod
    def of(cls, ran: Ran) -> "Search":
        """The search that ``pan`` reports. Raises ``RuntimeError`` if it was not exhaustive, or found an error."""
        if "errors: 0" not in ran.said or "error:" in ran.said or "not completed" in ran.said:
            raise RuntimeError(ran.said)
        return cls(
            int(_number(r"(\d+) states, stored", ran.said)),
            # SPIN counts the first state as if a transition had led to it.
            int(_number(r"(\d+) transitions \(= stored\+matched\)", ran.said)) - 1,
            int(_number(r"depth reached (\d+)", ran.said)),
            int(_number(r"State-vector (\d+) byte", ran.said)),
            round(_number(r"([\d.]+)\s+(?:total actual memory usage|memory usage \(Mbyte\))", ran.said) * MB),
            ran,
        )


@dataclass(frozen=True)
class Verifier:
    """A compiled model."""

    folder: Path
    compiled: float
    """CPU seconds that gcc took."""

    def search(self, states: int) -> Search:
        """Search all states, with a hash table of two places or more for each of ``states``: larger is no faster."""
        return Search.of(run([self.folder / "pan", *options(states)], self.folder))


def options(states: int) -> tuple[str, ...]:
    """The options of the search."""
    return f"-w{states.bit_length() + 1}", f"-m{DEPTH}"


def missing() -> str:
    """The program that is missing, SPIN or gcc; empty if none is."""
    return next((name for name in ("spin", "gcc") if shutil.which(name) is None), "")


def version() -> str:
    """SPIN's version, as it prints it."""
    return run(["spin", "-V"]).said.strip()


def compiler() -> str:
    """The version of gcc, as it prints it."""
    return run(["gcc", "--version"]).said.splitlines()[0]


@contextmanager
def verifier(
    size: tuple[int, int, int],
    build: tuple[str, ...] = BASE,
    plain: bool = False,
    model: Path = MODEL,
    translate: tuple[str, ...] = TRANSLATE,
) -> Iterator[Verifier]:
    """A verifier for use within the block. ``size``: consumers, queues, messages; ``plain``: no sets as bits."""
    names = ("CONSUMERS", "QUEUES", "MESSAGES")
    told = [f"-D{name}={value}" for name, value in zip(names, size, strict=True)]
    with TemporaryDirectory(prefix="rebalance-spin-") as place:
        folder = Path(place)
        run(["spin", *translate, *told, *(["-DPLAIN"] if plain else []), "-a", model], folder)
        yield Verifier(folder, run(["gcc", *build, "-o", "pan", "pan.c"], folder).cpu)


def _number(pattern: str, said: str) -> float:
    found = re.search(pattern, said)
    if found is None:
        raise RuntimeError(f"nothing like {pattern!r} in {said}")
    return float(found[1])
