"""``python -m rebalance_proofs.report.released [RELEASE]...``: measure releases, and write their results.

Each release's jars are downloaded, its strategies are compared with the model, and scenarios are recorded and judged.
Results go to ``recorded/releases.json``, recordings to ``runs/releases``. Run it again to continue after an
interruption; ``--again`` repeats finished steps.
"""

import argparse
import signal
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from types import FrameType

from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.live.read import names
from rebalance_proofs.report.released.commands import Failed, isolates
from rebalance_proofs.report.released.measure import Measure, Step
from rebalance_proofs.report.released.results import FILE, PUBLISHED

SCENARIOS = ("broker_killed", "join_leave", "ordered_short")
"""Scenarios by default: hand-overs and crashes of members of both kinds, and of the broker."""
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the releases on the command line; return 1 if one differs from the model or could not be measured."""
    parser = argparse.ArgumentParser(
        "python -m rebalance_proofs.report.released",
        description="Record and judge scenarios on released RocketMQ jars, and write the results.",
    )
    parser.add_argument("releases", nargs="*", metavar="RELEASE", help="default: all")
    parser.add_argument("--scenario", action="append", dest="scenarios", metavar="NAME", help="may be repeated")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="steps at a time (2)")
    parser.add_argument("--recordings", type=Path, default=Path("runs/releases"), metavar="DIR")
    parser.add_argument("--file", type=Path, default=FILE, help="file of results")
    parser.add_argument("--again", action="store_true", help="do finished steps again")
    parser.add_argument("--judge", action="store_true", help="record nothing, judge what is recorded")
    asked = parser.parse_args(arguments)
    for word in asked.releases:
        if word not in PUBLISHED:
            parser.error(f"{word!r} is not a release of RocketMQ from {PUBLISHED[0]} to {PUBLISHED[-1]}")
    scenarios = asked.scenarios or SCENARIOS
    for word in scenarios:
        if word not in names():
            parser.error(f"unknown scenario {word!r}; `rebalance record` lists the scenarios")
    if asked.jobs < 1:
        parser.error("--jobs needs a number from 1 on")
    isolated = isolates()
    jobs = asked.jobs
    if jobs > 1 and not isolated:
        jobs = 1
        print("One scenario at a time: this system does not let you create network namespaces.", flush=True)
    measure = Measure(asked.file, asked.recordings, scenarios, asked.again, asked.judge, isolated)
    return _run(measure, asked.releases or PUBLISHED, jobs)


def _run(measure: Measure, releases: Sequence[str], jobs: int) -> int:
    signal.signal(signal.SIGTERM, _interrupt)
    wrong = False
    pool = ThreadPoolExecutor(jobs)
    try:
        steps: list[Step] = []
        for release in releases:
            try:
                mine = list(measure.steps(release))
            except LiveError as error:
                print(f"{release}: {error}", flush=True)
                wrong = True
                continue
            known = measure.results[release]
            if not mine:
                print(f"{release}: {known.reason if known.jar is None else 'done'}", flush=True)
            steps += mine
        for future in as_completed([pool.submit(_do, step) for step in steps]):
            line, right = future.result()
            print(line, flush=True)
            wrong = wrong or not right
    except KeyboardInterrupt:
        measure.commands.end()
        print("Interrupted. Run the same command to continue.", flush=True)
        return INTERRUPTED
    finally:
        pool.shutdown(cancel_futures=True)
    return int(wrong)


def _do(step: Step) -> tuple[str, bool]:
    try:
        line, right = step.do()
    except Failed as error:
        line, right = f"could not be measured: {error}", False
    return f"{step.name}: {line}", right


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    raise SystemExit(main())
