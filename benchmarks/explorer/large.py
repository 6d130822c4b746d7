"""A group whose states are kept on disk, many times more than fit into the allowed memory."""

import json
import shutil
import sys
from pathlib import Path

from benchmarks.explorer.ours import ROOT
from benchmarks.explorer.process import run
from benchmarks.explorer.targets import at_least, at_most, row
from benchmarks.timing import seconds

STATES, PEAK = 50_000_000, 4 << 30
GB = 1 << 30


def measured(folder: Path, queues: int, memory: int) -> list[str]:
    """The rows of the table of targets: ordered listeners and crashes, with ``queues`` queues, in a new folder.

    ``memory`` is in MB. The explored states stay in the folder.
    """
    words = ["explore", "ordered", "--queues", f"{queues}", "--fault", "crash", "--memory", f"{memory}"]
    free = shutil.disk_usage(folder.parent).free
    ran = run([sys.executable, "-m", "rebalance_proofs", *words, "--states", folder, "--json"], ROOT)
    document = json.loads(ran.said)
    states, transitions = document["states"], document["transitions"]
    kept = sum(path.stat().st_size for path in folder.rglob("*.npy"))
    what = f"`rebalance {' '.join(words)} --states DIR`"
    return [
        row(f"{what}: states", at_least(states, STATES, f"{STATES:,}"), f"{states:,}; {transitions:,} transitions"),
        row(f"{what}: memory of the process", at_most(ran.peak, PEAK - 1, "4 GiB"), f"{ran.peak / GB:.2f} GiB"),
        row(
            f"{what}: one core",
            "",
            f"{seconds(ran.wall)}, {seconds(ran.cpu)} of CPU: {transitions / ran.cpu / 1e6:.1f} million transitions a "
            f"CPU second; {kept / GB:.1f} GiB stay on disk, {kept / states:.1f} bytes a state, of "
            f"{free / GB:.0f} GiB that were free; digest {document['digest']}",
        ),
    ]
