"""``python -m rebalance_proofs.report.guarantees``: print docs/reference/guarantees.md."""

from rebalance_proofs.report.guarantees.page import page

if __name__ == "__main__":
    print(page(), end="")
