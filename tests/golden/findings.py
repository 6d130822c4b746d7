"""What an audit says of findings that are drawn: in a terminal, some word by word, for programs, and some as pages."""

import json
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

from rebalance_proofs.report.audit.document import document
from rebalance_proofs.report.audit.page import page
from rebalance_proofs.report.audit.told import told
from tests.golden.digested import without_scripts
from tests.report.audit.drawn import drawn

AUDITS = 150
TOLD = 6
"""So many are told word by word."""
PAGES = 8
"""Of so many audits there is a page of one."""


def findings() -> Iterator[str]:
    """The words, and digests of pages and documents, by what the command would end with."""
    status, words, programs, pages = Counter[int](), sha256(), sha256(), sha256()
    for number in range(AUDITS):
        answer = drawn(number)
        lines = [*told(answer)]
        if number < TOLD:
            yield f"# {number}"
            yield from lines
        status[answer.status] += 1
        words.update("\n".join(lines).encode())
        programs.update(json.dumps(document(answer)).encode())
        if not number % PAGES:
            pages.update(without_scripts(page(answer)).encode())
    yield f"# all of them: {', '.join(f'status {one} {many}' for one, many in sorted(status.items()))}"
    yield f"words {words.hexdigest()}"
    yield f"for programs {programs.hexdigest()}"
    yield f"pages {pages.hexdigest()}"
