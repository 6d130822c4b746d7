"""``make bench``: measures everything and writes docs/reference/benchmarks.md and docs/reference/benchmarks.svg."""

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
    transitions,
)
from benchmarks.explorer import section
from benchmarks.plot import draw
from benchmarks.timing import Timing, measure, seconds

DOCS = Path(__file__).resolve().parent.parent / "docs" / "reference"
JAVA = 41.5e-3
"""Seconds that the warm Java client took for the same calls, measured on another occasion, not here."""


def main() -> None:
    """Run all benchmarks, which takes minutes; the machine should have nothing else to do."""
    proofs = measure(proving.prove_obligations)
    of_transitions = measure(lambda: proving.prove_obligations(proving.TRANSITIONS))
    ledger = measure(proving.judge_ledger, runs=3)
    longest, which, solver = proving.answers()[0]
    ways = {
        "compiled term (NumPy)": (sweeping.compiled, (8, 16, 32, 64, 128, 256)),
        "concrete Python": (sweeping.concrete, (8, 16, 32, 64, 128)),
        "Z3 at every size": (sweeping.solver, (4, 8, 16, 32)),
    }
    costs = {
        name: {bound: measure(way(bound), runs=5 if bound <= 64 else 3) for bound in bounds}
        for name, (way, bounds) in ways.items()
    }
    whole = {
        "`rebalance enumerate`": ("", measure(commands.enumerate_, runs=1, warm_up=0)),
        "`rebalance enumerate --quick`": (
            "",
            measure(lambda: commands.enumerate_("--quick"), runs=3, warm_up=0),
        ),
        "`rebalance verify`": ("", measure(commands.verify, runs=1, warm_up=0)),
        "`rebalance verify --quick`": ("", measure(lambda: commands.verify("--quick"), runs=1, warm_up=0)),
    }
    compared = transitions.enumerated()
    calls = {
        remembered: allocating.CALLS / measure(allocating.consistent_hash_calls(remembered)).median
        for remembered in (False, True)
    }
    medians = {name: {bound: timing.median for bound, timing in line.items()} for name, line in costs.items()}
    draw(medians, {"both solvers, all obligations, every N": proofs.median}, DOCS / "benchmarks.svg")
    obligations = len(proving.all_obligations())
    about_transitions = len(proving.all_obligations(proving.TRANSITIONS))
    kernel = costs["compiled term (NumPy)"][64]
    lines = [
        "# Benchmarks",
        "",
        f"Written by `make bench` on {date.today().isoformat()}. Machine: {machine.describe()}.",
        "A figure is the median of several runs, with the fastest and the slowest.",
        "",
        "| what | target | measured |",
        "|---|---|---|",
        f"| all {obligations} obligations, rendered and proved by Z3 and by cvc5, 2 processes, their start included "
        f"| at most 10 s | {proofs} |",
        f"| the {about_transitions} of them that are about transitions | at most 10 s | {of_transitions} |",
        f"| the slowest answer to one obligation ({which} in {solver}) | well under 1 s | {seconds(longest)} |",
        f"| `rebalance prove`: also premises, mutants, smallest counterexamples | | {ledger} |",
        f"| AVG sweep q, c ≤ 64: {sweeping.results(64):,} results through the compiled kernel, warm "
        f"| faster than {seconds(JAVA)} (the Java client, not measured here) | {kernel} |",
        f"| CONSISTENT_HASH(10), concrete Python, q = {allocating.QUEUES}, c = {allocating.CONSUMERS}, one core "
        f"| at least 15,000 calls/s | {calls[False]:,.0f} calls/s, the ring built in each call as the clients do; "
        f"{calls[True]:,.0f} calls/s with rings remembered |",
        *transitions.rows(compared, seconds),
        *ordered.rows(),
        *offsets.rows(),
        *pulls.rows(),
        *java.rows(),
        *starting.rows(),
        *(
            f"| {name}, a new process, Spark's start included | {target} | {timing} |"
            for name, (target, timing) in whole.items()
        ),
        "",
        "## Cost as the bound doubles",
        "",
        "Every q, c ≤ N and every index: N²(N+1)/2 results of AVG, or N² questions to the solver (disjointness), on",
        "one core. The proofs hold for every N and cost the same.",
        "",
        *cost_table(costs, proofs),
        "",
        *proving.slowest(),
        "",
        "![Cost against bound](benchmarks.svg)",
        "",
        *section.lines(),
    ]
    (DOCS / "benchmarks.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def cost_table(costs: dict[str, dict[int, Timing]], proofs: Timing) -> list[str]:
    """The lines of the table of seconds by bound and way of enumerating."""
    bounds = sorted({bound for line in costs.values() for bound in line})
    names = [*costs, "proof, both solvers"]
    rows = ["| N | results | " + " | ".join(names) + " |", "|---|---|" + "---|" * len(names)]
    for bound in bounds:
        cells = [seconds(line[bound].median) if bound in line else "" for line in costs.values()]
        rows.append(f"| {bound} | {sweeping.results(bound):,} | {' | '.join([*cells, seconds(proofs.median)])} |")
    return rows


if __name__ == "__main__":
    main()
