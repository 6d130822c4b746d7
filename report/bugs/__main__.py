"""``python -m rebalance_proofs.report.bugs``: the page, on stdout."""

import sys

from rebalance_proofs.report.bugs import page

if __name__ == "__main__":
    sys.stdout.write(page())
