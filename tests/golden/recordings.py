"""What is told of each recorded group that comes with the package, and all causes that the signs of its facts point to,
not only the one that is told.
"""

from collections import Counter
from collections.abc import Iterator

from rebalance_proofs.recorded.groups.run import FOLDER, shipped
from rebalance_proofs.recorded.seen.all import seen
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.live.explain import explain
from rebalance_proofs.report.live.told import kind_of, lines


def recordings() -> Iterator[str]:
    """A paragraph for each recording: as ``record --read`` tells it, then how often facts have which signs."""
    for folder in sorted(FOLDER.glob("java-*/*")):
        history = History(shipped(folder.parent.name, folder.name))
        explained = explain(history, seen(history))
        yield from lines(f"{folder.parent.name}/{folder.name}", history, explained)
        signs = Counter(f"{kind_of(one.fact)}: {' '.join(one.signs)}" for one in explained)
        yield from (f"  {many} {said}" for said, many in signs.items())
