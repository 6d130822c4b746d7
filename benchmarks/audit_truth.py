"""``python -m benchmarks.audit_truth FOLDER...``: audits of recorded groups against what really happened.

Each folder is a scenario: a file of events for each process (``c0.jsonl.gz``, in the form of recorded/groups), and logs
beside them (``*.log.gz``), or in ``logs/``. With ``--spark`` it is done on Spark; with ``--commits`` lines of commits
are rebuilt from the members' requests, for logs that lack them.
"""

import gzip
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from rebalance_proofs.recorded.audit.asked import Asked
from rebalance_proofs.recorded.audit.audit import audit
from rebalance_proofs.recorded.audit.finding import Level, What
from rebalance_proofs.recorded.audit.outcome import Audited
from rebalance_proofs.recorded.audit.times import Times, intersection, union
from rebalance_proofs.recorded.logs.sources import sources
from rebalance_proofs.recorded.logs.times import date_of

__all__ = ["Score", "Truth", "main", "score", "truth"]

NEAR, LOGGED, OVER = 5_000, 1_000, 1_000
"""ms by which an end may be off; a beginning that a line tells; from which an overlap or a gap counts."""
Entry = tuple[str, str, int, int]
"""(who, queue, begin, end)."""


@dataclass
class Truth:
    """What the events say."""

    groups: dict[str, str] = field(default_factory=dict)
    """Each member's group."""
    entries: list[Entry] = field(default_factory=list)
    still: dict[str, Times] = field(default_factory=dict)
    """Times in which a member did not run."""
    commits: list[tuple[int, str, str, str, int]] = field(default_factory=list)
    """(ms, who, client id, queue, offset) of each commit that was sent."""

    def owners(self, queue: str, group: str) -> list[Entry]:
        """Entries of the queue in that group's members' tables."""
        return [one for one in self.entries if one[1] == queue and self.groups.get(one[0]) == group]

    def overlaps(self) -> Iterator[tuple[str, str, int, int]]:
        """(group, queue, from, to) where two members that ran had it for more than ``OVER``."""
        for place, one in enumerate(self.entries):
            for other in self.entries[:place]:
                group = self.groups.get(one[0])
                if one[1] == other[1] and one[0] != other[0] and group and group == self.groups.get(other[0]):
                    for at, until in intersection(self._ran(one), self._ran(other)):
                        if until - at > OVER:
                            yield group, one[1], at, until

    def gaps(self) -> Iterator[tuple[str, str, int, int]]:
        """(group, queue, from, to) where it was in no table for more than ``OVER``, between two entries."""
        for group in sorted(set(self.groups.values())):
            for queue in sorted({one[1] for one in self.entries if self.groups.get(one[0]) == group}):
                had = union((one[2], one[3]) for one in self.owners(queue, group))
                for (_, at), (until, _) in pairwise(had):
                    if until - at > OVER:
                        yield group, queue, at, until

    def _ran(self, entry: Entry) -> Times:
        found = [(entry[2], entry[3])]
        for begin, end in self.still.get(entry[0], []):
            found = [
                part
                for at, until in found
                for part in ((at, min(until, begin)), (max(at, end), until))
                if part[0] < part[1]
            ]
        return found


@dataclass
class Score:
    """How far an audit agrees."""

    entries: int = 0
    right: int = 0
    extra: int = 0
    overlaps: int = 0
    found: int = 0
    false: int = 0
    possible: int = 0
    gaps: int = 0
    gaps_found: int = 0
    gaps_false: int = 0
    gaps_possible: int = 0

    def add(self, other: "Score") -> None:
        """Add another's numbers."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def truth(folder: Path) -> Truth:
    """What the events of a scenario say."""
    found, open_, stopped = Truth(), {}, {}
    events = []
    for path in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            events += [json.loads(line) for line in lines if line.endswith("\n")]
    last: dict[str, int] = {}
    for event in sorted(events, key=lambda one: one["at"]):
        who, at = event["who"], event["at"]
        match event["ev"]:
            case "start-consumer":
                found.groups[event["of"]] = event.get("group") or "G"
            case "signal" if "KILL" in event["signal"]:
                for key in [one for one in open_ if one[0] == event["of"]]:
                    found.entries.append((*key, open_.pop(key), at))
            case "signal" if "STOP" in event["signal"]:
                stopped[event["of"]] = at
            case "signal" if "CONT" in event["signal"]:
                found.still.setdefault(event["of"], []).append((stopped.pop(event["of"]), at))
            case "gap":
                found.still.setdefault(who, []).append((at - event["ms"], at))
            case "entry-new":
                open_[who, event["q"]] = at
            case "entry-gone" if (who, event["q"]) in open_:
                found.entries.append((who, event["q"], open_.pop((who, event["q"])), at))
            case "ask" if event["code"] == "UPDATE_CONSUMER_OFFSET":
                said = event["said"]
                topic, _, number = said["q"].rpartition(":")
                if any(one[0] == who and one[1].split(":")[::2] == [topic, number] for one in open_):
                    offset = int(said["commitOffset"])
                    found.commits.append((at, who, said["consumerGroup"], f"{topic}:{number}", offset))
        if who != "driver":
            last[who] = at
    found.entries += [(who, queue, begin, last[who]) for (who, queue), begin in open_.items()]
    return found


def score(audited: Audited, really: Truth) -> Score:
    """The audit of a scenario's logs, against its truth."""
    made, names = Score(), set(really.groups)
    got: list[tuple[Entry, bool]] = []
    seen: dict[What, list[tuple[str, str, int, int]]] = {What.TWO: [], What.NOBODY: []}
    for group in audited.groups:
        for span in group.spans:
            who = next((one for one in names if Path(span.member[1]).name.split("-")[0].split(".")[0] == one), "")
            if really.groups.get(who) == group.name:
                got.append(((who, ":".join(map(str, span.queue)), span.begin, span.end), span.begins))
        for one in group.findings:
            for each in one.intervals if one.what in seen else ():
                if one.level is Level.POSSIBLE:
                    made.possible += one.what is What.TWO
                    made.gaps_possible += one.what is What.NOBODY
                elif each.queue and each.at is not None and each.until is not None:
                    queue = ":".join(map(str, each.queue))
                    seen[one.what].append((group.name, queue, each.at, each.until))
    made.entries = len(really.entries)
    for entry in really.entries:
        fits = [one for one in got if one[0][:2] == entry[:2]]
        best = min(fits, key=lambda one: abs(one[0][2] - entry[2]) + abs(one[0][3] - entry[3]), default=None)
        if best is None:
            continue
        got.remove(best)
        begins = LOGGED if best[1] else NEAR
        made.right += abs(best[0][2] - entry[2]) <= begins and abs(best[0][3] - entry[3]) <= NEAR
    made.extra = len(got)
    overlaps, gaps = list(really.overlaps()), list(really.gaps())
    made.overlaps, made.gaps = len(overlaps), len(gaps)
    made.found = sum(any(_meet(one, other) for other in seen[What.TWO]) for one in overlaps)
    made.false = sum(not any(_meet(one, other) for other in overlaps) for one in seen[What.TWO])
    made.gaps_found = sum(any(_meet(one, other) for other in seen[What.NOBODY]) for one in gaps)
    made.gaps_false = sum(not any(_meet(one, other) for other in _all_gaps(really)) for one in seen[What.NOBODY])
    return made


def _all_gaps(really: Truth) -> Iterator[tuple[str, str, int, int]]:
    """All times without an owner, also after the last one."""
    yield from really.gaps()
    end = max((one[3] for one in really.entries), default=0)
    for group in sorted(set(really.groups.values())):
        for queue in sorted({one[1] for one in really.entries if really.groups.get(one[0]) == group}):
            yield group, queue, max(one[3] for one in really.owners(queue, group)), end + NEAR


def _meet(one: tuple[str, str, int, int], other: tuple[str, str, int, int]) -> bool:
    return one[:2] == other[:2] and one[2] < other[3] and one[3] > other[2]


def _logs(folder: Path, place: Path, really: Truth, rebuilt: bool) -> list[str]:
    paths = sorted([*folder.glob("logs/*.log.gz"), *folder.glob("*.log.gz")])
    if not rebuilt:
        return [str(path) for path in paths]
    for path in paths:
        who = path.name.split(".")[0]
        lines = gzip.decompress(path.read_bytes()).decode("utf-8", "replace").splitlines(keepends=True)
        for at, own, group, queue, offset in really.commits:
            if own == who:
                topic, number = queue.split(":")
                name = f"MessageQueue [topic={topic}, brokerName=b0, queueId={number}]"
                lines.append(
                    f"{date_of(at):%Y-%m-%d %H:%M:%S},{at % 1000:03} INFO [MQClientFactoryScheduledThread] "
                    f"RemoteBrokerOffsetStore - [persistAll] Group: {group} ClientId: 127.0.0.1@{who} "
                    f"updateConsumeOffsetToBroker {name} {offset}\n"
                )
        # Lines without a time stay behind theirs.
        keyed, head = [], ""
        for line in lines:
            head = line[:23] if line[:2] == "20" else head
            keyed.append((head, line))
        place.mkdir(exist_ok=True)
        (place / path.name.removesuffix(".gz")).write_text(
            "".join(line for _, line in sorted(keyed, key=lambda one: one[0]))
        )
    return [str(place)]


def main(arguments: list[str]) -> None:
    """Print a row for each scenario, and their sum."""
    folders = [Path(one) for one in arguments if not one.startswith("--")]
    total = Score()
    print(
        "| scenario | entries: right of all, extra | overlaps over 1 s: SEEN of all, false, POSSIBLE |"
        " gaps over 1 s: SEEN of all, false, POSSIBLE |"
    )
    print("|---|---|---|---|")
    if "--spark" in arguments:
        from rebalance_proofs.spark_enum.session import spark_session

        context = spark_session("local[2]")
    else:
        context = nullcontext()
    with context as session, tempfile.TemporaryDirectory() as place:
        for folder in folders:
            really = truth(folder)
            paths = _logs(folder, Path(place) / folder.name, really, "--commits" in arguments)
            found, _ = sources(paths, Path(place))
            if session is None:
                audited = audit(found, Asked())
            else:
                from rebalance_proofs.spark_enum.audit.on_spark import audit_on

                audited = audit_on(session, found, Asked())
            made = score(audited, really)
            total.add(made)
            print(_row(f"{folder.parent.name}/{folder.name}", made), flush=True)
    print(_row("all", total))


def _row(name: str, made: Score) -> str:
    return (
        f"| {name} | {made.right} of {made.entries}, {made.extra} | {made.found} of {made.overlaps}, {made.false}, "
        f"{made.possible} | {made.gaps_found} of {made.gaps}, {made.gaps_false}, {made.gaps_possible} |"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
