"""``python -m benchmarks.audit_truth [FOLDER...]``: audits of recorded groups against what really happened.

Each folder is a scenario: a file of events for each process (``c0.jsonl.gz``, in the form of recorded/groups), and logs
beside them (``*.log.gz``), or in ``logs/``. Without folders, groups are played that have what no recording has. With
``--spark`` it is done on Spark; with ``--commits`` lines of commits are rebuilt from the members' requests, for logs
that lack them; with ``--each`` what was missed and what was told wrongly is listed, also of what `rebalance record`
reports.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path

from benchmarks.audit_truth.as_recorded import differences
from benchmarks.audit_truth.cases import cases
from benchmarks.audit_truth.happened import Happened
from benchmarks.audit_truth.owned import Score, score
from benchmarks.audit_truth.rebuilt import logs
from benchmarks.audit_truth.recorded import happened
from benchmarks.audit_truth.scored import Scored, explained, scored, told
from benchmarks.audit_truth.troubled import troubled
from rebalance_proofs.recorded.audit.audit import audit
from rebalance_proofs.recorded.audit.finding import What
from rebalance_proofs.recorded.audit.outcome import Asked, Audited
from rebalance_proofs.recorded.logs.sources import Source, sources

PLAYED = 200
"""Groups that are played."""


def main(arguments: list[str]) -> None:
    """Print a row for each scenario, and one for each kind of finding."""
    folders = [Path(one) for one in arguments if not one.startswith("--")]
    owned, kinds = Score(), dict[What, Scored]()
    with _auditor("--spark" in arguments) as audited, tempfile.TemporaryDirectory() as made:
        place = Path(made)
        if folders:
            print(
                "| scenario | entries: right of all, extra | overlaps over 1 s: SEEN of all, false, POSSIBLE |"
                " gaps over 1 s: SEEN of all, false, POSSIBLE |\n|---|---|---|---|"
            )
        scenarios = _scenarios(folders, place, "--commits" in arguments)
        for (name, really, paths), folder in zip(scenarios, folders or repeat(None), strict=False):
            found = audited(sources(paths, place)[0])
            if folders:
                each = score(found, really)
                owned.add(each)
                print(_row(name, each), flush=True)
            every, findings = cases(really), told(found, really.groups.values())
            for what, numbers in scored(findings, every).items():
                kinds.setdefault(what, Scored()).add(numbers)
            if "--each" in arguments:
                print(*(f"{name}: {line}" for line in explained(findings, every)), sep="\n")
                if folder:
                    print(*(f"{name}: as recorded, {line}" for line in differences(folder, found)), sep="\n")
    if folders:
        print(_row("all", owned))
    print("\n| finding | cases: SEEN of all, POSSIBLE only | told SEEN: of these none | told POSSIBLE |")
    print("|---|---|---|---|")
    for what, one in kinds.items():
        print(f"| `{what}` | {one.seen} of {one.cases}, {one.possible} | {one.told}: {one.false} | {one.open} |")


def _scenarios(folders: list[Path], place: Path, commits: bool) -> Iterator[tuple[str, Happened, list[str]]]:
    """(name, what happened, paths of its logs)."""
    for folder in folders:
        name = f"{folder.parent.name}/{folder.name}"
        really = happened(folder)
        yield name, really, logs(folder, place / folder.name, really, commits)
    for seed in range(0 if folders else PLAYED):
        really, written = troubled(seed)
        own = place / str(seed)
        own.mkdir()
        for who, lines in written.items():
            (own / f"{who}.log").write_text("".join(lines), "utf-8", newline="")
        yield f"seed {seed}", really, [str(own)]


@contextmanager
def _auditor(spark: bool) -> Iterator[Callable[[Sequence[Source]], Audited]]:
    if not spark:
        yield lambda found: audit(found, Asked())
        return
    from rebalance_proofs.spark_enum.audit import audit_on
    from rebalance_proofs.spark_enum.session import spark_session

    with spark_session("local[2]") as session:
        yield lambda found: audit_on(session, found, Asked())


def _row(name: str, made: Score) -> str:
    return (
        f"| {name} | {made.right} of {made.entries}, {made.extra} | {made.found} of {made.overlaps}, {made.false}, "
        f"{made.possible} | {made.gaps_found} of {made.gaps}, {made.gaps_false}, {made.gaps_possible} |"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
