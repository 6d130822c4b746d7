"""``python -m rebalance_proofs.report.ledger``: writes docs/ledger.md, and a page for each kind below docs/ledger.

Below the directory that is named, if one is.
"""

import sys
from pathlib import Path

from rebalance_proofs.report.ledger.files import write

if __name__ == "__main__":
    write(Path(*sys.argv[1:2] or ["docs"]))
