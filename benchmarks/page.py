"""``python -m benchmarks.page``: write docs/reference/benchmarks.md to stdout, from benchmarks/history.json."""

import sys

from benchmarks.history import History, Record

LOCK_LITE, LARGE = (
    "`lock-lite`, 3 consumers, {}",
    "`rebalance explore ordered --queues 4 --fault crash --memory 2048 --states DIR`",
)
SPIN = f"{LOCK_LITE}: CPU time of SPIN, sets as bits, by that of the explorer"
SMALLER, LARGER = "3 queues, 2 messages", "4 queues, 1 message"
DOUBLING = "`lock-lite` of 165,160 to 41,011,399 states, in a folder, `--memory 256`, as the states double: CPU time"
IN_MEMORY = f"{LOCK_LITE}, in memory: bytes above what the process has with a smallest group"
SHOWN = {
    "all obligations, both solvers": "",
    "obligations about ordered consumption, both solvers": "",
    "obligations about offsets, both solvers": "",
    "slowest answer to one obligation": "",
    "`rebalance prove --no-width`": "",
    "`rebalance verify --quick`": "",
    "`rebalance verify`": "",
    "`make test`": "",
    "`.ci/run`": "",
    "`rebalance --version`, CPU time": "",
    "`rebalance why`, CPU time": "",
    "`rebalance check`, CPU time": "",
    "`rebalance show`, CPU time": "",
    "`rebalance show` of claims about machines, CPU time": "",
    "shortest runs to two listeners": "",
    "comparison of one ordered consumer's steps": "",
    "CONSISTENT_HASH, calls in Python": "",
    "comparison of three queues, compiled terms": "",
    "AVG for all q, c ≤ 64": "",
    "calls of a strategy in Java": "",
    SPIN.format(SMALLER): "CPU time, SPIN / explorer, 2.6 million states",
    SPIN.format(LARGER): "CPU time, SPIN / explorer, 4.9 million states",
    IN_MEMORY.format(LARGER): "explorer, memory in bytes",
    DOUBLING: "explorer on disk, CPU time as states double",
    f"{LARGE}: states": "explorer on disk, states of the largest group",
    f"{LOCK_LITE.format(LARGER)}, `--master local[2]`: transitions a second of the exploration": (
        "explorer on Spark, transitions a second"
    ),
    "audit of 100 million log lines": "",
}
"""Series on the page, in order, and their names there if those are shorter."""
UNNAMED = "unnamed"
"""Name of machines that were not recorded."""
HEAD = """\
# Benchmarks

The table shows the newest measurement of each series. All measurements are in
[history.json](../../benchmarks/history.json), with their conditions.
[Performance](../explanation/performance.md) explains missed goals. `make bench` measures again and writes this page.
Times are elapsed times, unless CPU time is named. Each machine had two cores.

<a id="whole-groups"></a><a id="audits-of-logs"></a>

| what | goal | measured | machine | date |
|---|---|---|---|---|
"""
FOOT = """\

![Seconds by largest group size, for enumeration, solver and proof](benchmarks.svg)
"""


def page(history: History) -> str:
    """The whole page."""
    return HEAD + "".join(f"{_row(history.newest(what), name or what)}\n" for what, name in SHOWN.items()) + FOOT


def _row(one: Record, name: str) -> str:
    missed = " (missed)" if one.met is False else ""
    machine = "" if one.machine == UNNAMED else one.machine
    goal = one.goal.replace("at most", "≤").replace("at least", "≥").removesuffix(" from each one to the next")
    return f"| {name} | {goal} | {one.measured}{missed} | {machine} | {one.date} |"


if __name__ == "__main__":
    sys.stdout.write(page(History.load()))
