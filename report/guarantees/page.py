"""The text of docs/reference/guarantees.md."""

from collections import Counter
from collections.abc import Iterator

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.english import listing
from rebalance_proofs.report.guarantees.groups import REGISTRY, SETTLING, SUBSCRIPTIONS
from rebalance_proofs.report.guarantees.offsets import OFFSETS
from rebalance_proofs.report.guarantees.queues import ORDERED, PULLS, TABLE
from rebalance_proofs.report.guarantees.row import Section, Table, cell
from rebalance_proofs.report.mark import Mark
from rebalance_proofs.report.markdown_tables import table
from rebalance_proofs.report.seen import seen

SECTIONS = (TABLE, ORDERED, OFFSETS, PULLS, SETTLING, REGISTRY, SUBSCRIPTIONS)
HEAD = """# Guarantees by client

What clients and brokers guarantee besides the [assignment](ledger.md#at-a-glance). `make docs`
generates this page.

- **always**: proved for all numbers, states and time limits, under the section's assumptions and the row's condition
- **no**: refuted by a smallest counterexample
- **–**: not claimed

Words link to the ledger. A row with "…" continues the rows above. *Real clients* counts
[marks](ledger.md) of the section's claims. [Findings](findings.md) explain failures.
"""


def page() -> str:
    """Return docs/reference/guarantees.md as text."""
    return "\n".join([HEAD, *(line for one in SECTIONS for line in _section(one))]).rstrip() + "\n"


def _section(one: Section) -> Iterator[str]:
    yield f"## {one.title}\n"
    yield f"{_real(one)}\n"
    yield f"{one.scope}{' Assumptions:' if one.assumptions else ''}\n"
    if one.assumptions:
        yield "\n".join(f"- {words}" for words in one.assumptions) + "\n"
    for each in one.tables:
        if each.head:
            yield f"{each.head}\n"
        yield f"{_table(each)}\n"
    if more := "\n".join(one.more()):
        yield f"{more}\n"


def _table(one: Table) -> str:
    names = [client.name for client in one.clients]
    rows = [(row.words, *(cell(row, one.kind, name) for name in names)) for row in one.rows]
    return table(("", *(client.rocketmq_name for client in one.clients)), rows)


def _real(section: Section) -> str:
    """Return how many of the section's claims have each conformance mark.

    If all have the same mark, return the recorded clients.
    """
    found = [seen(claim) for claim in LEDGER if section.about(claim)]
    marks = Counter(one.mark for one in found)
    if len(marks) > 1:
        counted = ", ".join(f"{marks[mark]} {mark}" for mark in Mark if marks[mark])
        return f"Real clients: {counted}."
    clients = sorted({client for one in found for client in one.results}, key=lambda name: (name[0] == "a", name))
    return f"Real clients: {next(iter(marks))}{', of ' if clients else ''}{listing(clients)}."
