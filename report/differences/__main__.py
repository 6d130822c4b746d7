"""``python -m rebalance_proofs.report.differences``: print docs/reference/differences.md."""

from rebalance_proofs.report.differences.page import page

if __name__ == "__main__":
    print(page(), end="")
