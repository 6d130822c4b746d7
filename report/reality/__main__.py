"""``python -m rebalance_proofs.report.reality [--edits N]``: print docs/reference/reality.md.

With ``--edits``, the checks are tested as well: with N random edits of each kind and machine in each small recording,
with legal changes of these recordings, and with wrong models of client code. All but legal changes should be rejected.
"""

import sys

from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.run import all_shipped
from rebalance_proofs.report.reality.page import page, real, strength, tried


def main(arguments: list[str]) -> None:
    """Print the page; ``arguments`` are those of the command line."""
    edits = int(arguments[1]) if arguments[:1] == ["--edits"] else 0
    traces = {
        name: Trace.read(run, name.partition("/")[0].removeprefix("java-")) for name, run in all_shipped().items()
    }
    found = [real(trace, name) for name, trace in traces.items()]
    for line in page(found, strength(traces, edits), tried([*traces.values()])) if edits else page(found):
        print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
