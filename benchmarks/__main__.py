"""``make bench``: measure everything, append it to benchmarks/history.json, and render the page and the plot of it."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from benchmarks import (
    allocating,
    commands,
    java,
    machine,
    offsets,
    ordered,
    proving,
    pulls,
    starting,
    sweeping,
    timelines,
    transitions,
)
from benchmarks.explorer import section
from benchmarks.history import History, Measured, Table
from benchmarks.page import page
from benchmarks.timing import Timing, measure, parsed, seconds

DOCS = Path(__file__).resolve().parent.parent / "docs" / "reference"
JAVA = 41.5e-3
"""Seconds that the warm Java client took for the same calls, measured on another occasion, not here."""
CALLS_A_SECOND = 15_000
"""Goal for CONSISTENT_HASH."""
COST, PROOF = "Cost as the bound doubles", "proof, both solvers"
WAYS = {
    "compiled term (NumPy)": (sweeping.compiled, (8, 16, 32, 64, 128, 256)),
    "concrete Python": (sweeping.concrete, (8, 16, 32, 64, 128)),
    "Z3 at every size": (sweeping.solver, (4, 8, 16, 32)),
}
"""Column of the table of costs -> how to measure it, and the bounds."""


def main() -> None:
    """Run all benchmarks, which takes minutes; the machine should have nothing else to do."""
    figures, tables = measured()
    history = History.load()
    history.append(figures, tables, date.today().isoformat(), history.machine(machine.short(), machine.describe()))
    history.save()
    render(history)


def measured() -> tuple[list[Measured], list[Table]]:
    """All figures and tables of one run."""
    proofs = measure(proving.prove_obligations)
    costs = {
        name: {bound: measure(way(bound), runs=5 if bound <= 64 else 3) for bound in bounds}
        for name, (way, bounds) in WAYS.items()
    }
    figures = [*_proofs(proofs), *_calls(costs["compiled term (NumPy)"][64]), *_commands()]
    figures += transitions.figures(transitions.enumerated())
    for part in (ordered, offsets, pulls, java, starting, timelines):
        figures += part.figures()
    explored, tables = section.measured()
    return [*figures, *explored], [cost_table(costs, proofs), proving.slowest(), *tables]


def render(history: History) -> None:
    """Write the page and the plot of the newest measurements."""
    from benchmarks.plot import draw  # needs matplotlib

    (DOCS / "benchmarks.md").write_text(page(history), encoding="utf-8")
    costs, constant = plotted(history.newest_table(COST))
    draw(costs, {"both solvers, all obligations, every N": constant}, DOCS / "benchmarks.svg")


def plotted(table: Table) -> tuple[dict[str, dict[int, float]], float]:
    """The seconds by way and bound in a table of costs, and the seconds of the proof."""
    ways = {
        name: {int(row[0]): parsed(row[place]) for row in table.rows if row[place]}
        for place, name in enumerate(table.columns)
        if name in WAYS
    }
    return ways, parsed(table.rows[0][table.columns.index(PROOF)])


def cost_table(costs: dict[str, dict[int, Timing]], proofs: Timing) -> Table:
    """The table of seconds by bound and way of enumerating."""
    rows = []
    for bound in sorted({bound for line in costs.values() for bound in line}):
        cells = [seconds(line[bound].median) if bound in line else "" for line in costs.values()]
        rows.append([str(bound), f"{sweeping.results(bound):,}", *cells, seconds(proofs.median)])
    note = (
        "Every q, c <= N and every index: N^2(N+1)/2 results of AVG, or N^2 questions to the solver (disjointness), on "
        "one core. Proofs hold for every N and cost the same. The last column is all obligations."
    )
    return Table(COST, note, ("N", "results", *costs, PROOF), rows)


def _proofs(proofs: Timing) -> Iterator[Measured]:
    count = len(proving.all_obligations())
    yield Measured(
        "all obligations, both solvers",
        seconds(proofs.median),
        "at most 10 s",
        proofs.median <= 10,
        f"{count} obligations; {proofs}; rendered and proved by Z3 and cvc5 in 2 processes, start included",
    )
    of_transitions = measure(lambda: proving.prove_obligations(proving.TRANSITIONS))
    yield Measured(
        "obligations about transitions, both solvers",
        seconds(of_transitions.median),
        "at most 10 s",
        of_transitions.median <= 10,
        f"{len(proving.all_obligations(proving.TRANSITIONS))} obligations; {of_transitions}",
    )
    longest, which, solver = proving.answers()[0]
    yield Measured(
        "slowest answer to one obligation", seconds(longest), "well under 1 s", longest < 1, f"{which} in {solver}"
    )
    ledger = measure(proving.judge_ledger, runs=3)
    detail = f"{ledger}; with assumptions, mutants and smallest counterexamples"
    yield Measured("`rebalance prove`", seconds(ledger.median), detail=detail)


def _calls(kernel: Timing) -> Iterator[Measured]:
    yield Measured(
        "AVG for all q, c ≤ 64",
        seconds(kernel.median),
        f"faster than {seconds(JAVA)} (Java)",
        kernel.median < JAVA,
        f"{sweeping.results(64):,} results through the compiled kernel, warm; {kernel}",
    )
    calls = {
        remembered: allocating.CALLS / measure(allocating.consistent_hash_calls(remembered)).median
        for remembered in (False, True)
    }
    yield Measured(
        "CONSISTENT_HASH, calls in Python",
        f"{calls[False]:,.0f} a second",
        f"at least {CALLS_A_SECOND:,} a second",
        calls[False] >= CALLS_A_SECOND,
        f"10 virtual nodes, q = {allocating.QUEUES}, c = {allocating.CONSUMERS}, one core, the ring built in each call "
        f"as the clients do; {calls[True]:,.0f} calls a second with rings remembered",
    )


def _commands() -> Iterator[Measured]:
    whole = {
        "`rebalance enumerate`": measure(commands.enumerate_, runs=1, warm_up=0),
        "`rebalance enumerate --quick`": measure(lambda: commands.enumerate_("--quick"), runs=3, warm_up=0),
        "`rebalance verify`": measure(commands.verify, runs=1, warm_up=0),
        "`rebalance verify --quick`": measure(lambda: commands.verify("--quick"), runs=1, warm_up=0),
    }
    goals = {"`rebalance verify`": (480.0, "at most 8 min"), "`rebalance verify --quick`": (120.0, "at most 120 s")}
    for what, timing in whole.items():
        most, goal = goals.get(what, (None, ""))
        met = timing.median <= most if most else None
        yield Measured(what, seconds(timing.median), goal, met, f"a new process, Spark's start included; {timing}")


if __name__ == "__main__":
    main()
