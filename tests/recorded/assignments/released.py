"""Answers of released brokers to ``QueryAssignment``: ``recorded/vectors/assignment.tsv``.

``python -m tests.recorded.assignments.released`` prints the file. It downloads the releases with Maven, if the cache
does not have them.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from rebalance_proofs.model.assignment.broker import BROADCASTING, CLUSTERING
from rebalance_proofs.recorded.assignment import ROWS
from rebalance_proofs.recorded.live.artifacts import released
from tests.javac import LIGHT, compiled

RELEASES = ("5.0.0", "5.3.3", "5.5.0")
"""Releases with different classes; 5.5.1 is not complete in Maven's repository, and allocates by the same code."""
JAVA = Path(__file__).with_name("java")
MAIN = "Assignments"
STRATEGIES = ("AVG", "AVG_BY_CIRCLE")
LONG = 120.0
"""Seconds within which a release must have answered all cases."""


def cases() -> tuple[str, ...]:
    """The inputs of all cases, as lines of the file without the answers."""
    return tuple(dict.fromkeys("\t".join(case) for case in (*_sizes(), *_brokers(), *_modes(), *_special())))


def _ids(c: int) -> str:
    return ",".join(f"c{number}" for number in range(c))


def _queues(q: int, broker: str = "a") -> str:
    return ",".join(f"{broker}{number}" for number in range(q))


def _case(
    queues: str,
    members: str,
    default: str,
    *,
    topic: str = "T",
    balancing: str = "1",
    strategy: str = "AVG",
    model: str = CLUSTERING,
    requested: str = "-",
) -> tuple[str, ...]:
    return topic, queues, members, balancing, strategy, model, requested, default


def _sizes() -> Iterator[tuple[str, ...]]:
    for strategy, c, q in product(STRATEGIES, range(6), range(7)):
        yield _case(_queues(q), _ids(c), "PULL:-1", strategy=strategy)
        for k in range(-1, c + 1):
            yield _case(_queues(q), _ids(c), f"POP:{k}", strategy=strategy)


def _brokers() -> Iterator[tuple[str, ...]]:
    for strategy, c, k in product(STRATEGIES, range(1, 6), (-1, 1, 2)):
        yield _case(f"{_queues(2)},{_queues(3, 'b')}", _ids(c), f"POP:{k}", strategy=strategy)


def _modes() -> Iterator[tuple[str, ...]]:
    for topic, requested, default in product(
        ("T", "%RETRY%G"), ("-", "PULL:0", "POP:0", "POP:1"), ("PULL:-1", "POP:-1", "POP:1")
    ):
        yield _case(_queues(4), _ids(3), default, topic=topic, requested=requested)


def _special() -> Iterator[tuple[str, ...]]:
    for default, queues, members in product(("PULL:-1", "POP:-1", "POP:1"), ("-", "", _queues(3)), ("-", "", _ids(4))):
        yield _case(queues, members, default)
        yield _case(queues, members, default, requested="POP:1")
    for default in ("PULL:-1", "POP:1"):
        yield _case(_queues(3), _ids(2), default, strategy="CONSISTENT_HASH")
        yield _case(_queues(3), _ids(2), default, balancing="0")
        yield _case(_queues(3), _ids(2), default, model=BROADCASTING)
        yield _case("-", _ids(2), default, model=BROADCASTING)
        yield _case("-", _ids(4), default, topic="%LMQ%T")


def answered(release: str, folder: Path, lines: Sequence[str], classes: Path) -> list[str]:
    """The answers of a release's broker to the cases. ``folder`` has its jars; ``classes``: for compiled classes."""
    classpath = os.pathsep.join([str(compiled(JAVA, classes, "-cp", f"{folder}/*")), f"{folder}/*"])
    with TemporaryDirectory(prefix="broker-") as home:
        call = ["java", *LIGHT, f"-Duser.home={home}", "-cp", classpath, MAIN, home]
        given = "".join(f"{line}\n" for line in lines)
        done = subprocess.run(call, input=given, capture_output=True, encoding="utf-8", timeout=LONG)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


def rows(lines: Sequence[str], answers: dict[str, Sequence[str]]) -> Iterator[str]:
    """The rows of the file: each case, the releases with the same answer, and the answer."""
    for number, line in enumerate(lines):
        by_answer: dict[str, list[str]] = {}
        for release, found in answers.items():
            by_answer.setdefault(found[number], []).append(release)
        for answer, releases in by_answer.items():
            yield f"{line}\t{','.join(releases)}\t{answer}"


def main() -> None:
    """Print the file."""
    found, lines = {}, cases()
    for release in RELEASES:
        with TemporaryDirectory(prefix="classes-") as classes:
            found[release] = answered(release, released(release, "--release"), lines, Path(classes))
    print("#" + "\t".join(ROWS.columns))
    print("\n".join(rows(lines, found)))


if __name__ == "__main__":
    sys.exit(main())
