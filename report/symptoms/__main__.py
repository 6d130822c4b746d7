"""Write docs/reference/symptoms.md to stdout: ``python -m rebalance_proofs.report.symptoms``."""

import sys

from rebalance_proofs.report.symptoms.page import page

if __name__ == "__main__":
    sys.stdout.write(page())
