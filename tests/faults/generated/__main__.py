"""The slow job, ``python -m tests.faults.generated --seed 1``: which of the generated faults are noticed.

The tests are run once without a fault, to see which functions each reaches (``--reached`` takes what an earlier run
saw). Each fault is tried in a fork of one process, which is quick, then in a copy of the tree, where the test that
noticed it comes first. Results are written to ``--output``, a line each, and an interrupted run goes on where it
ended. Quick runs of claims are dear: ``--tests-only`` leaves them out, and ``--again`` tries what was not noticed once
more, with them or after a test was written.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from tests.faults.generated.equivalent import EQUIVALENT
from tests.faults.generated.forked import tried_in_forks
from tests.faults.generated.reached import FOLDER
from tests.faults.generated.sample import PARTS, drawn
from tests.faults.generated.site import Site
from tests.faults.generated.trial import SECONDS, Reaches, tried
from tests.faults.tree import ROOT

LEFT_OUT = (".git", ".venv", "runs", ".hypothesis", ".mypy_cache", ".ruff_cache", ".pytest_cache")
ENOUGH = 0.95
"""The share of the faults that are no equivalent ones which have to be noticed."""


def main(words: Sequence[str]) -> int:
    """Run the job; returns 0 if enough of the faults were noticed, otherwise 1."""
    options = _options(words)
    options.output.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place:
        trees = [_copied(Path(place) / str(number)) for number in range(options.jobs)]
        options.reached = options.reached or _reached(trees[0], options.output / "reached", options.jobs)
        results = options.output / f"seed-{options.seed}.jsonl"
        sites = drawn(ROOT, options.seed, options.count)
        known = _known(results)
        with results.open("a", encoding="utf-8") as file:
            left = [site for site in sites if site.name not in known or (options.again and not known[site.name])]
            for site, by in _tried(options, left, trees):
                known[site.name] = by
                print(json.dumps({"fault": site.name, "noticed by": by}), file=file, flush=True)
                print(f"{'noticed' if by else 'NOT noticed'}: {site.name}", flush=True)
    return _told(sites, known)


def _options(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.generated", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--output", type=Path, default=Path("runs/generated"))
    parser.add_argument("--reached", type=Path, help="a folder of an earlier run of the same source")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long the tests of a fault may take")
    parser.add_argument("--tests-only", action="store_true", help="no quick run of the claims concerned")
    parser.add_argument("--again", action="store_true", help="try once more what was not noticed before")
    return parser.parse_args(words)


def _copied(place: Path) -> Path:
    return Path(shutil.copytree(ROOT, place, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT)))


def _reached(tree: Path, folder: Path, jobs: int) -> Path:
    """Run all tests of the default run once, and note what each reaches; returns the folder that says it.

    Those that fail are noted as such, and notice no fault.
    """
    folder.mkdir(parents=True, exist_ok=True)
    words = ["-m", "pytest", "-q", "-p", "tests.faults.generated.reached", "-n", str(jobs), "--dist", "loadfile"]
    subprocess.run(
        [sys.executable, *words],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree), FOLDER: str(folder.absolute())},
    )
    return folder


def _known(results: Path) -> dict[str, str]:
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    return {one["fault"]: one["noticed by"] for one in map(json.loads, lines)}


def _tried(options: argparse.Namespace, sites: Sequence[Site], trees: Sequence[Path]) -> Iterator[tuple[Site, str]]:
    reaches = Reaches(options.reached, options.seconds)
    hints = tried_in_forks(sites, trees, reaches)
    free: SimpleQueue[Path] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    @contextmanager
    def a_tree() -> Iterator[Path]:
        tree = free.get()
        try:
            yield tree
        finally:
            free.put(tree)

    def work(site: Site) -> tuple[Site, str]:
        with a_tree() as tree:
            return site, tried(site, tree, reaches, judged=not options.tests_only, by=hints[site.name])

    with ThreadPoolExecutor(len(trees)) as threads:
        yield from threads.map(work, sites)


def _told(sites: Sequence[Site], known: dict[str, str]) -> int:
    """Print how many of each part were noticed, and those that were not."""
    open_ = [site for site in sites if not known[site.name]]
    missed = [site for site in open_ if (site.file, site.text, site.new) not in EQUIVALENT]
    for part in PARTS:
        of = [site for site in sites if site.file.startswith(f"{part}/")]
        print(f"{part}: {sum(bool(known[site.name]) for site in of)} of {len(of)} noticed")
    for site in missed:
        print(f"NOT noticed: {site.name}")
    counted = len(sites) - (len(open_) - len(missed))
    noticed = counted - len(missed)
    print(f"{noticed} of {counted} noticed, {len(open_) - len(missed)} more change nothing")
    return 0 if noticed >= ENOUGH * counted else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
