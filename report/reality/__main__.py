"""``python -m rebalance_proofs.report.reality [--edits N]``: print docs/reference/reality.md.

With ``--edits``, the checks are tested as well: with N random edits of each kind and machine in each small recording,
with legal changes of these recordings, and with wrong models of client code. All but legal changes should be rejected.
"""

import argparse
import os
import sys

from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.run import all_shipped
from rebalance_proofs.report.reality.page import page, real, strength, tried


def main(arguments: list[str]) -> None:
    """Print the page; ``arguments`` are those of the command line."""
    parser = argparse.ArgumentParser(
        "python -m rebalance_proofs.report.reality",
        description="Print the page about recordings of real groups: docs/reference/reality.md.",
    )
    parser.add_argument(
        "--edits",
        type=int,
        default=0,
        metavar="N",
        help="test the checks, too, with N random edits of each kind and machine in each small recording",
    )
    edits = parser.parse_args(arguments).edits
    if edits < 0:
        parser.error("--edits needs a number from 0 on")
    traces = {
        name: Trace.read(run, name.partition("/")[0].removeprefix("java-")) for name, run in all_shipped().items()
    }
    found = [real(trace, name) for name, trace in traces.items()]
    tested = (strength(traces, edits, os.cpu_count() or 1), tried([*traces.values()])) if edits else ()
    for line in page(found, *tested):
        print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
