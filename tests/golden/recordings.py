"""What is told of each recorded group that comes with the package, and all causes that the signs of its facts point to,
not only the one that is told.
"""

from collections import Counter
from collections.abc import Iterator

from rebalance_proofs.recorded.groups.shipped import FOLDER, shipped
from rebalance_proofs.recorded.seen.all import seen
from rebalance_proofs.recorded.seen.facts import Back
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.live import explain as explaining
from rebalance_proofs.report.live.told import kind_of, lines


def recordings() -> Iterator[str]:
    """A paragraph for each recording: as ``record --read`` tells it, then how often facts have which signs."""
    for folder in sorted(FOLDER.glob("java-*/*")):
        history = History(shipped(folder.parent.name, folder.name))
        facts = seen(history)
        backs = [fact for fact in facts if isinstance(fact, Back)]
        yield from lines(f"{folder.parent.name}/{folder.name}", history, explaining.explain(history, facts))
        signs = Counter(
            f"{kind_of(fact)}: {' '.join(dict.fromkeys(explaining._signs(history, fact, backs)))}" for fact in facts
        )
        yield from (f"  {many} {said}" for said, many in signs.items())
