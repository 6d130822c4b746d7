"""The sample of generated faults: drawn by a seed, as many of each part of the checker, and of each operator in it."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random

from tests.faults.generated.operators import OPERATORS
from tests.faults.generated.site import Site
from tests.faults.generated.sites import sites_of

PARTS = ("proofs", "evidence", "report", "cli")
"""The folders whose source is changed; what imitates clients is held against recordings instead."""
DRAWN = (
    "report/allocation/figure.py",
    "report/allocation/figure.py",
    "report/allocation/figure.py",
    "report/drawing.py",
    "report/html.py",
    "report/moves/plot.py",
    "report/html.py",
    "report/palette.py",
    "report/drawing.py",
    "report/transition/played.py",
)
"""Files about coordinates and colours, which people look at: no number that is reported is computed there."""


@cache
def all_sites(root: Path, part: str) -> Mapping[str, Sequence[Site]]:
    """Operator -> its sites in that part of the tree, in the order of files."""
    found: dict[str, list[Site]] = {operator: [] for operator in OPERATORS}
    for path in sorted((root / part).rglob("*.py")):
        if (file := str(path.relative_to(root))) not in DRAWN:
            for site in sites_of(file, path.read_text(encoding="utf-8")):
                found[site.operator].append(site)
    return found


def drawn(root: Path, seed: int, count: int) -> Sequence[Site]:
    """So many sites of the tree at ``root``, spread evenly over parts, and over operators within a part.

    No two are of the same place. The same seed draws the same sites of the same source.
    """
    random, drawn_sites = Random(seed), []
    cells = [list(sites) for part in PARTS for sites in all_sites(root, part).values()]
    for cell in cells:
        random.shuffle(cell)
    taken: set[tuple[str, int]] = set()
    while len(drawn_sites) < count and any(cells):
        for cell in cells:
            while cell and (cell[-1].file, cell[-1].start) in taken:
                cell.pop()
            if cell and len(drawn_sites) < count:
                drawn_sites.append(cell.pop())
                taken.add((drawn_sites[-1].file, drawn_sites[-1].start))
    return drawn_sites
