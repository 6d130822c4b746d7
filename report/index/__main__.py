"""``python -m rebalance_proofs.report.index``: generate the index and write it beside this module."""

from pathlib import Path

from rebalance_proofs.report.index.entries import FILE
from rebalance_proofs.report.index.made import made, written

if __name__ == "__main__":
    Path(__file__).with_name(FILE).write_text(written(made()), encoding="utf-8")
