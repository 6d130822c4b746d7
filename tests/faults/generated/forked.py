"""Many generated faults, each in a fork of a process that has collected all tests once; see ``swapped``."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.faults.generated.site import Site
from tests.faults.generated.swapped import FILE, Wanted, told
from tests.faults.generated.trial import AT_ONCE, Reaches


def tried_in_forks(sites: Sequence[Site], trees: Sequence[Path], reaches: Reaches) -> Mapping[str, str]:
    """The faults by name, and for each the test that noticed it in a fork, or an empty text; a process for each tree.

    Only tests that take little time are run, and only for faults in functions: what a module defines was there before.
    """
    wanted = [Wanted(site, _short(reaches, site)) for site in sites if site.function]
    words = [sys.executable, "-m", "pytest", "-q", "-p", "tests.faults.generated.swapped", "-p", "no:cacheprovider"]
    with TemporaryDirectory() as folder:
        place = Path(folder) / "wanted.jsonl"
        place.write_text("".join(f"{one.written()}\n" for one in wanted), encoding="utf-8")
        processes = [
            subprocess.Popen(
                [*words, "--capture=sys", "tests"],
                cwd=tree,
                env=os.environ | {"PYTHONPATH": str(tree), FILE: str(place)},
                stdout=subprocess.DEVNULL,
            )
            for tree in trees[: len(wanted)]
        ]
        for process in processes:
            process.wait()
        found = told(place) if wanted else {}
    return {site.name: found.get(site.name, "") for site in sites}


def _short(reaches: Reaches, site: Site) -> Sequence[str]:
    return [test for test, seconds in reaches.tests(site, AT_ONCE).items() if seconds <= AT_ONCE]
