"""Numbers of recorded results that each part of the model reproduces (``pinned.json``).

``python -m rebalance_proofs.recorded.compared DIR`` prints the ``pinned.json`` for the files in a directory.
"""

import json
import sys
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from rebalance_proofs.recorded.files import OWN, pinned, read_pinned, vector_files

Compared = Mapping[tuple[str, str], int]
"""(client's name, part of the model) -> number of recorded results that it reproduces."""


@cache
def compared(directory: Path = OWN) -> Compared:
    """Return the numbers of agreeing results of the files that exist, as pinned.

    They are not computed here; ``conform`` checks them. Raises ``VectorsError`` as ``conform`` does.
    """
    there, table = vector_files(directory), read_pinned(directory)
    return sum((Counter(numbers.pairs) for name, numbers in table.items() if name in there), Counter())


def main(directory: str = str(OWN)) -> None:
    """Print the content of ``pinned.json`` for the files in a directory."""
    sys.stdout.write(table(Path(directory)))


def table(directory: Path = OWN) -> str:
    """Return the content of ``pinned.json`` for the files in a directory."""
    from rebalance_proofs.recorded.conform import conform  # loads the clients' code

    found = {report.file.removesuffix(".gz"): pinned(report) for report in conform(directory).files}
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(numbers)}" for name, numbers in found.items())
    return f"{{\n{rows}\n}}\n"


if __name__ == "__main__":
    main(*sys.argv[1:])
