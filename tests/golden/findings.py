"""What an audit says of findings that are drawn: in a terminal, some word by word, for programs, and some as pages."""

import json
from collections import Counter
from collections.abc import Iterator

from rebalance_proofs.report.audit.document import document
from rebalance_proofs.report.audit.page import page
from rebalance_proofs.report.audit.told import told
from tests.golden.digested import each_digested, without_scripts
from tests.report.audit.drawn import drawn

AUDITS = 150
TOLD = 6
"""So many are told word by word."""
PAGES = 30
"""Of so many audits there is a page of one; each takes as long as all else that is said of twenty."""


def findings() -> Iterator[str]:
    """Some audits word by word; of each other one the first and last line, and digests of all its words, its document
    and, of some, its page."""
    status = Counter[int]()
    for number in range(AUDITS):
        answer = drawn(number)
        lines = [*told(answer)]
        yield f"# {number}"
        yield from lines if number < TOLD else (lines[0], lines[-1])
        status[answer.status] += 1
        digests = {"words": lines, "for programs": json.dumps(document(answer))}
        if not number % PAGES:
            digests["page"] = without_scripts(page(answer))
        yield f"status {answer.status}, {each_digested(digests.items())}"
    yield f"# all of them: {', '.join(f'status {one} {many}' for one, many in sorted(status.items()))}"
