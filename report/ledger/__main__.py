"""``python -m rebalance_proofs.report.ledger [DIR]``: write ledger.md and ledger/KIND.md to DIR, by default docs."""

import sys
from pathlib import Path

from rebalance_proofs.report.ledger.files import write

if __name__ == "__main__":
    write(Path(*sys.argv[1:2] or ["docs"]))
