"""Files of the docs' pages about the ledger."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.claims import mark as mark
from rebalance_proofs.report.claims.mark import FOLDER
from rebalance_proofs.report.families import families
from rebalance_proofs.report.kinds import KINDS
from rebalance_proofs.report.ledger.claims import EXPLAINED, kinds, listed
from rebalance_proofs.report.markdown_tables import table

# The ledger's first page: terms, frequent questions, links to the claims, and chapters by kind.

HEAD = """# The ledger

The ledger lists every claim of this project with its expected verdict. A run is green only if every claim gets this
verdict. [The findings](findings.md) explain the claims to users. `make docs` generates these pages; do not edit
them.

- **PROVED**: Z3 and cvc5 both proved the claim, for all numbers of queues and consumers, without a bound.
- **REFUTED**: the claim has a counterexample that replays on the concrete code. The run's report shows the smallest.
{explained}

**Real clients.** The word after a verdict is the claim's mark. It says what recordings of real clients show.
{seen} Recordings are single cases: whether a claim holds is decided by the proofs.

## All claims

Each kind has a page. There, each statement precedes the claims that make it. A claim is one line: its id, the client or
strategy in brackets, its expected verdict and its mark. Its sentence is the text in brackets, then the statement.
`rebalance show CLAIM --all` prints its assumptions, scope, proofs and smallest counterexample.

{kinds}
"""


def page(claims: Sequence[Claim] = LEDGER) -> str:
    """Return docs/reference/ledger.md as text."""
    rows = [
        (f"[{name}]({FOLDER}/{name}.md)", ", ".join(one.title for one in families(own)), str(len(own)))
        for name, own in kinds(claims).items()
    ]
    told = table(("kind", "about", "claims"), rows)
    head = HEAD.format(explained=EXPLAINED, seen=mark.EXPLAINED, kinds=told)
    parts = (head, *(chapter for kind in KINDS.values() for chapter in kind.chapters(claims)))
    return "\n\n".join(part.strip() for part in parts) + "\n"


def files(claims: Sequence[Claim] = LEDGER) -> Mapping[str, str]:
    """Return the Markdown of each page by its path below docs/."""
    return {"ledger.md": page(claims)} | {
        f"{FOLDER}/{name}.md": listed(name, own) for name, own in kinds(claims).items()
    }


def write(directory: Path) -> None:
    """Write all pages, and delete pages of kinds of claims that no longer exist."""
    found = files()
    for old in (directory / FOLDER).glob("*.md"):
        if f"{FOLDER}/{old.name}" not in found:
            old.unlink()
    for path, text in found.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")
