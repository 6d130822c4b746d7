"""``python -m rebalance_proofs.report.ledger [DIR]``: write ledger.md and ledger/KIND.md.

DIR is docs/reference by default.
"""

from argparse import ArgumentParser
from pathlib import Path

from rebalance_proofs.report.ledger.claims import write

if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m rebalance_proofs.report.ledger", description=__doc__)
    parser.add_argument("directory", metavar="DIR", nargs="?", type=Path, default=Path("docs/reference"))
    write(parser.parse_args().directory)
