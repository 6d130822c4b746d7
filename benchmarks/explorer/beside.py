"""SPIN and our explorer, in turn, each on one core, several times."""

import json
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median

from benchmarks.explorer import ours, spin
from benchmarks.explorer.process import Ran, run
from benchmarks.explorer.sizes import Size, Sizes, named
from benchmarks.explorer.targets import at_least, at_most, heads, row
from benchmarks.timing import Timing, seconds

FASTER, RATE, BYTES = 3.0, 15e6, 24.0
ENGINE, COMMAND = "the explorer, its process's start included", "`rebalance explore --json`"
USUAL = f"SPIN, a variable for each thing, `gcc {' '.join(spin.BASE)}` alone"
SEARCHES = {"SPIN, sets as bits": False, "SPIN, a variable for each thing": True, USUAL: True}
"""SPIN's searches of the same model -> whether its state has a variable for each thing (``PLAIN``)."""


@dataclass(frozen=True)
class Took:
    """The figures of one run of one way."""

    states: int
    transitions: int
    ran: Ran
    kept: int | None = None
    """Bytes for states and the table that finds them; None where unknown."""
    exploring: float | None = None
    """CPU seconds without the process's start; None where unknown."""


def measured(sizes: Sizes) -> tuple[list[str], list[str]]:
    """The rows of the table of targets, and lines with the measurements.

    Only our explorer is measured where SPIN or gcc is missing. Raises ``RuntimeError`` where two ways find different
    numbers.
    """
    wanted, rows, searched = [], [], not spin.missing()
    build, lines = _fastest(sizes.beside[0]) if searched else (spin.BASE, [f"There is no {spin.missing()} here."])
    for size in sizes.beside:
        found = _several(size, SEARCHES if searched else (), build, sizes.runs)
        rows += [_row(size, way, runs) for way, runs in found.items()]
        mine = found[ENGINE]
        for way in SEARCHES if searched else ():
            times = _cpu(found[way]) / _cpu(mine)
            what = f"`lock-lite`, {named(size)}: CPU time of {way}, by that of the explorer"
            started = _cpu(found[way]) / _exploring(mine)
            said = f"{times:.2f} times ({seconds(_cpu(found[way]))} and {seconds(_cpu(mine))})"
            said += f"; {started:.2f} without Python's start and its imports"
            wanted.append(row(what, at_least(times, FASTER, f"{FASTER:g} times"), said))
        what = f"`lock-lite`, {named(size)}, in memory: bytes above what the process has with a smallest group"
        target = at_most(_kept(mine), BYTES, f"{BYTES:g} a state")
        wanted.append(row(what, target, f"{_kept(mine):.1f} a state"))
    rate = mine[0].transitions / _cpu(mine)
    alone = mine[0].transitions / _exploring(mine)
    what = f"`lock-lite`, {named(size)}: transitions a CPU second of the explorer's process"
    said = f"{rate / 1e6:.1f} million; {alone / 1e6:.1f} million without Python's start and its imports"
    wanted.append(row(what, at_least(rate, RATE, f"{RATE / 1e6:g} million"), said))
    titles = "group", "by", "states", "transitions", "CPU", "transitions a CPU second", "memory in all", "bytes a state"
    return wanted, [*lines, "", *heads(*titles), *rows]


def _fastest(size: Size) -> tuple[tuple[str, ...], list[str]]:
    """The options of gcc with the fastest search, sets as bits; and lines about how it was called."""
    states, took = ours.in_memory(ours.lock_lite(*size)).states, {}
    for build in spin.BUILDS:
        with spin.verifier(size, build) as made:
            took[build] = made.search(states).ran.cpu
    build = min(took, key=lambda one: took[one])
    told = ", ".join(f"`{' '.join(one)}` {seconds(cpu)}" for one, cpu in took.items())
    calls = (
        f"`spin {' '.join(spin.TRANSLATE)} -a`",
        f"`gcc {' '.join(build)}`",
        f"`pan {' '.join(spin.options(states))}`",
    )
    return build, [
        f"{spin.version()}, depth first, {spin.compiler()}: {', '.join(calls)}, of which the last is measured. gcc's "
        f"options are the fastest of those that were tried ({named(size)}, sets as bits, one run each): {told}."
    ]


def _several(size: Size, searches: Iterable[str], build: tuple[str, ...], runs: int) -> dict[str, list[Took]]:
    states = ours.in_memory(ours.lock_lite(*size)).states
    with ExitStack() as stack:
        made = {
            way: stack.enter_context(spin.verifier(size, spin.BASE if way == USUAL else build, SEARCHES[way]))
            for way in searches
        }
        ways = {way: (lambda one=one: _by_spin(one, states)) for way, one in made.items()}
        ways |= {ENGINE: lambda: _by_engine(size), COMMAND: lambda: _by_command(size)}
        found: dict[str, list[Took]] = {way: [] for way in ways}
        for _ in range(runs):
            for way, does in ways.items():
                found[way].append(does())
    if len({(one.states, one.transitions) for took in found.values() for one in took}) != 1:
        raise RuntimeError(f"{named(size)}: not the same by all ways: {found}")
    return found


def _by_spin(made: spin.Verifier, states: int) -> Took:
    search = made.search(states)
    return Took(search.states, search.transitions, search.ran, search.memory)


def _by_engine(size: Size) -> Took:
    found = ours.in_memory(ours.lock_lite(*size))
    return Took(found.states, found.transitions, found.ran, found.grown, found.cpu)


def _by_command(size: Size) -> Took:
    told = zip(("--consumers", "--queues", "--messages"), map(str, size), strict=True)
    words = ["explore", "lock-lite", *(word for pair in told for word in pair), "--json"]
    ran = run([sys.executable, "-m", "rebalance_proofs", *words], ours.ROOT)
    document = json.loads(ran.said)
    return Took(document["states"], document["transitions"], ran)


def _cpu(runs: list[Took]) -> float:
    return median(one.ran.cpu for one in runs)


def _exploring(runs: list[Took]) -> float:
    return median(one.exploring for one in runs if one.exploring is not None)


def _kept(runs: list[Took]) -> float:
    """The median of bytes for each state."""
    return median(one.kept for one in runs if one.kept is not None) / runs[0].states


def _row(size: Size, way: str, runs: list[Took]) -> str:
    some, rate = runs[0], runs[0].transitions / _cpu(runs)
    return row(
        named(size),
        f"{way}, `pan {' '.join(spin.options(some.states))}`" if way in SEARCHES else way,
        f"{some.states:,}",
        f"{some.transitions:,}",
        Timing(tuple(one.ran.cpu for one in runs)),
        f"{rate / 1e6:.1f} million",
        f"{median(one.ran.peak for one in runs) / 2**20:.0f} MiB",
        "" if some.kept is None else f"{_kept(runs):.1f}",
    )
