"""Who had which queue, and where two had one or nobody: an audit against what happened."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.audit_truth.happened import Entry, Happened, Owned
from benchmarks.audit_truth.numbers import Numbers
from rebalance_proofs.recorded.audit.finding import Level, What
from rebalance_proofs.recorded.audit.outcome import Audited

NEAR, LOGGED = 5_000, 1_000
"""ms by which an end may be off; a beginning that a line tells."""


@dataclass
class Score(Numbers):
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


def process(log: str) -> str:
    """Name of the process whose log it is: ``c0`` of ``c0-rocketmq_client.log.gz`` and of ``c0.log``."""
    return re.split(r"-rocketmq|-broker|\.log", Path(log).name)[0]


def score(audited: Audited, really: Happened) -> Score:
    """The audit of a scenario's logs, against its truth."""
    made = Score()
    got: list[tuple[Entry, bool]] = []
    seen: dict[What, list[Owned]] = {What.TWO: [], What.NOBODY: []}
    for group in audited.groups:
        for span in group.spans:
            who = process(span.member[1])
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


def _all_gaps(really: Happened) -> Iterator[Owned]:
    """All times without an owner, also after the last one."""
    yield from really.gaps()
    end = max((one[3] for one in really.entries), default=0)
    for group in sorted(set(really.groups.values())):
        for queue in sorted({one[1] for one in really.entries if really.groups.get(one[0]) == group}):
            yield group, queue, max(one[3] for one in really.owners(queue, group)), end + NEAR


def _meet(one: Owned, other: Owned) -> bool:
    return one[:2] == other[:2] and one[2] < other[3] and one[3] > other[2]
