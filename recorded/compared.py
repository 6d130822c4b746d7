"""Which parts of the model recorded results stand behind: counted when they were pinned, and by every comparison anew.

``python -m rebalance_proofs.recorded.compared DIR`` prints what ``pinned.json`` has to say of the files in a directory.
"""

import json
import sys
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from rebalance_proofs.recorded.conform import conform
from rebalance_proofs.recorded.files import vector_files
from rebalance_proofs.recorded.own import OWN
from rebalance_proofs.recorded.pinned import pinned, read_pinned

__all__ = ["Compared", "compared", "main"]

Compared = Mapping[tuple[str, str], int]
"""Client, as its recordings call it, and part of the model -> how many recorded results were computed alike."""


@cache
def compared(directory: Path = OWN) -> Compared:
    """By what is pinned of the files that are there; nothing is computed. ``conform`` holds it against the files.

    Raises ``VectorsError`` as ``conform`` does.
    """
    there, table = vector_files(directory), read_pinned(directory)
    return sum((Counter(numbers.pairs) for name, numbers in table.items() if name in there), Counter())


def main(directory: str = str(OWN)) -> None:
    """Prints the table."""
    table = {report.file.removesuffix(".gz"): pinned(report) for report in conform(directory).files}
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(numbers)}" for name, numbers in table.items())
    print(f"{{\n{rows}\n}}")


if __name__ == "__main__":
    main(*sys.argv[1:])
