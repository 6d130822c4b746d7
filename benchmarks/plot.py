"""A plot of cost against bound, as an SVG."""

from collections.abc import Mapping
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
mpl.rcParams["svg.hashsalt"] = "rebalance-proofs"  # the same figures give the same file

import matplotlib.pyplot as plt  # noqa: E402 - after the backend is chosen


def draw(costs: Mapping[str, Mapping[int, float]], constant: Mapping[str, float], path: Path) -> None:
    """Draw a line for each way (bound -> seconds), and a level line for each cost without a bound, into an SVG file."""
    figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
    for marker, (name, line) in zip("os^D", costs.items(), strict=False):
        axes.plot(list(line), list(line.values()), marker=marker, label=name)
    for name, value in constant.items():
        axes.axhline(value, linestyle="--", color="black", linewidth=1, label=name)
    bounds = sorted({bound for line in costs.values() for bound in line})
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(bounds, [str(bound) for bound in bounds])
    axes.set_xlabel("bound N (q, c ≤ N)")
    axes.set_ylabel("seconds")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(path, metadata={"Date": None})
