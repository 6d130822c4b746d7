"""``python -m report.ledger``: the page, on stdout."""

import sys

from report.ledger import page

if __name__ == "__main__":
    sys.stdout.write(page())
