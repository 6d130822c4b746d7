"""``python -m rebalance_proofs.report.ledger``: the page, on stdout."""

import sys

from rebalance_proofs.report.ledger import page

if __name__ == "__main__":
    sys.stdout.write(page())
