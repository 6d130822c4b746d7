"""What explains what is seen in small recordings that are drawn: by which causes, with which signs, and in which words.

Recorded groups meet few conditions of signs at their limits.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator

from rebalance_proofs.recorded.seen.all import seen
from rebalance_proofs.report.live.explain import explain
from rebalance_proofs.report.live.told import document, example, kind_of, lines, of_run
from tests.golden.digested import digest
from tests.report.live.drawn import drawn

DIGITS = re.compile(r"c?\d[\d.]*")
RECORDINGS = 1500
TOLD = 12
"""So many are told as ``record --read`` tells them, word by word."""


def lived() -> Iterator[str]:
    """Some recordings in words, the first line of each other; then each kind of facts, with signs and cause, and how
    often."""
    found = defaultdict[str, list[str]](list)
    for number in range(RECORDINGS):
        history = drawn(number)
        every = explain(history, seen(history))
        told = [*lines(str(number), history, every)]
        yield f"# {number}"
        yield from told if number < TOLD else told[:1]
        programs = json.dumps(of_run(str(number), history, every), sort_keys=True)
        yield f"  words {digest(told)}, for programs {digest(programs)}"
        for one in every:
            cause = one.found.cause.name if one.found else one.words or "UNEXPLAINED"
            rejected = f", not {one.rejected}" if one.rejected else ""
            row = f"{kind_of(one.fact)}: {' '.join(one.signs)} -> {DIGITS.sub('_', cause)}{rejected}"
            found[row].append(f"{number} {example(one.fact)} {one.words}")
    for row, facts in sorted(found.items()):
        yield f"# {row}"
        yield f"{len(facts)} times, {digest(facts)}"
    yield "# for programs"
    yield json.dumps(document([{"unexplained": 2}, {"unexplained": 3}], [("one", "it was not")]))
