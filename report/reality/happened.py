"""Bad events of claims that do not hold, as they happened in recorded groups; and how often those that hold could not
have held."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.recorded.cluster.clients import (
    ordered_client,
    pulls_client,
    settling_client,
)
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.settling.clock import limits
from rebalance_proofs.recorded.cluster.subscriptions.said import REFUSED
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.broker import Answered, Key, Table, members, offset_of
from rebalance_proofs.recorded.groups.codes import BYE, PULL
from rebalance_proofs.recorded.groups.member import Allocate, Ask, Begin, EntryNew, OffsetRead
from rebalance_proofs.recorded.seen.calls import Call, calls_of

__all__ = ["Happening", "Held", "happened", "held"]


@dataclass(frozen=True)
class Happening:
    """The bad event of some claims, in one recording."""

    what: str
    claims: tuple[str, ...]
    """Claims that do not hold, and whose sentence denies it."""
    times: int
    at: int
    """When it happened first, in ms since the driver's first event."""
    longest: int | None
    """For how many ms at most, where it lasts."""


@dataclass(frozen=True)
class Held:
    """A claim that holds, and how often a recording could have contradicted it."""

    claim: str
    what: str
    opportunities: int
    against: int


def happened(trace: Trace) -> Iterator[Happening]:
    """The bad events in a recording."""
    yield from _both(trace)
    yield from _twice(trace)
    yield from _back(trace)
    yield from _first_pull_refused(trace)


def held(trace: Trace) -> Iterator[Held]:
    """What is proved, against a recording."""
    for who in trace.consumers:
        calls, below = _below(trace, who)
        for claim in _claims(f"offsets.{_offsets(trace, who)}.only-uncommitted", True):
            yield Held(claim, "calls with a message below where its entry began", calls, below)
        client = settling_client(trace.release(who))
        if client.least:
            rounds: defaultdict[str, list[int]] = defaultdict(list)
            for event in trace.kind(Allocate, who):
                rounds[event.topic].append(event.at)
            least = number(limits(trace.consumers[who]).least)
            first = max(rounds.values(), key=len, default=[])
            close = sum(later - at < least for at, later in pairwise(first))
            for claim in _claims(f"settling.{client.name}.apart", True):
                yield Held(claim, "rebalances less than the least interval apart", len(first), close)
        if trace.ordered(who):
            calls, at_once = _in_one(trace, who)
            for claim in _claims(f"ordered.{ordered_client(trace.release(who)).name}.local", True):
                yield Held(claim, "calls of a queue's listener while another one ran in that consumer", calls, at_once)
        asked = sum(event.code == PULL for event in trace.kind(Ask, who))
        for claim in _claims(f"pulls.{pulls_client(trace.release(who)).name}.one-request", True):
            yield Held(
                claim, "pulls of an entry while another one was under way (by the machine's behaviours)", asked, 0
            )
    yield from _good_byes(trace)


def _claims(id_: str, holds: bool) -> tuple[str, ...]:
    """Those of that id, and with a premise dropped or exchanged, that hold or do not."""
    known = _by_stem().get(id_, ())
    return tuple(claim.id for claim in known if claim.holds == holds and (not holds or claim.id == id_))


def _stems(claim: Claim) -> Iterator[str]:
    parts = claim.id.split(".")
    return (".".join(parts[:place]) for place in range(3, len(parts) + 1))


@cache
def _by_stem() -> Mapping[str, list[Claim]]:
    found: defaultdict[str, list[Claim]] = defaultdict(list)
    for claim in LEDGER:
        for stem in _stems(claim):
            found[stem].append(claim)
    return found


def _offsets(trace: Trace, who: str) -> str:
    """The claims' name of a consumer, as far as offsets go."""
    release = trace.release(who)
    if not trace.ordered(who):
        return "java_v4_9" if release.startswith("4.") else "java_v5"
    name = ordered_client(release).name
    return f"{'java_v4_9' if release.startswith('4.') else name}-orderly"


def _calls(trace: Trace, who: str) -> Iterator[Call]:
    """The calls that returned."""
    return (call for call in calls_of(trace.of[who], trace.end) if call.returned)


def _both(trace: Trace) -> Iterator[Happening]:
    found: defaultdict[tuple[str, str], list[tuple[int, int, str]]] = defaultdict(list)
    for who, started in trace.consumers.items():
        if trace.ordered(who):
            for call in _calls(trace, who):
                found[started.group, call.q].append((call.begin, call.end, who))
    pairs = [
        (later[0], min(one[1], later[1]) - later[0], one[2])
        for calls in map(sorted, found.values())
        for place, one in enumerate(calls)
        for later in calls[place + 1 : place + 20]
        if later[0] < one[1] and one[2] != later[2]
    ]
    if pairs:
        first = min(pairs)
        claims = _claims(f"ordered.{ordered_client(trace.release(first[2])).name}.exclusive", False)
        longest = max(ms for _, ms, _ in pairs)
        yield Happening("listeners of two consumers ran on one ordered queue", claims, len(pairs), first[0], longest)


def _twice(trace: Trace) -> Iterator[Happening]:
    for mode in (False, True):
        seen: dict[tuple[str, str, int], int] = {}
        again: list[tuple[int, str]] = []
        calls = (
            (call.end, started.group, call.q, offset, who)
            for who, started in trace.consumers.items()
            if trace.ordered(who) == mode
            for call in _calls(trace, who)
            for offset in call.offsets
        )
        for end, group, q, offset, who in sorted(calls):
            if (group, q, offset) in seen:
                again.append((end, who))
            seen[group, q, offset] = end
        if again:
            claims = _claims(f"offsets.{_offsets(trace, again[0][1])}.once", False)
            words = "an ordered listener" if mode else "a concurrent listener"
            yield Happening(f"{words} returned from a message again", claims, len(again), again[0][0], None)


def _back(trace: Trace) -> Iterator[Happening]:
    groups = {started.group: who for who, started in trace.consumers.items()}
    for broker in trace.brokers:
        rows: defaultdict[Key, list[Table]] = defaultdict(list)
        for row in trace.kind(Table, broker):
            offset = offset_of(row)
            if offset is not None and offset.group in groups:
                rows[offset].append(row)
        found: list[tuple[int, int | None, str]] = []
        for offset, its in rows.items():
            for place, row in enumerate(its):
                if row.was and row.is_ and int(row.is_) < int(row.was):
                    over = next((one.at for one in its[place:] if one.is_ and int(one.is_) >= int(row.was)), None)
                    found.append((row.at, None if over is None else over - row.at, groups[offset.group]))
        if found:
            first = min(found, key=lambda one: one[0])
            claims = _claims(f"offsets.{_offsets(trace, first[2])}.never-back", False)
            longest = max((ms for _, ms, _ in found if ms is not None), default=None)
            yield Happening("a committed offset went back", claims, len(found), first[0], longest)


def _first_pull_refused(trace: Trace) -> Iterator[Happening]:
    calls, found = Calls(trace), []
    for who in trace.consumers:
        if not trace.release(who).startswith("4."):
            continue
        known = {call.ask.row: call for call in calls.all[who]}
        fresh: set[str] = set()
        for event in trace.of[who]:
            if isinstance(event, EntryNew):
                fresh.add(event.q)
            elif isinstance(event, Ask) and event.code == PULL and event.said.q in fresh:
                fresh.discard(event.said.q)
                answered = known[event.row].answered
                if answered and answered.said.code in REFUSED:
                    found.append(answered.at)
    if found:
        claims = _claims("subscriptions.java_v4_9.first-pull", False)
        yield Happening("the first pull of a new queue was refused", claims, len(found), min(found), None)


def _below(trace: Trace, who: str) -> tuple[int, int]:
    calls, below, read, began = 0, 0, dict[str, int](), dict[str, int]()
    for event in trace.of[who]:
        if isinstance(event, OffsetRead):
            read[event.q] = event.result
        elif isinstance(event, EntryNew):
            began[event.q] = read.get(event.q, -1)
        elif isinstance(event, Begin):
            calls += 1
            below += event.offsets[0] < began.get(event.q, -1)
    return calls, below


def _in_one(trace: Trace, who: str) -> tuple[int, int]:
    of_queue: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for call in _calls(trace, who):
        of_queue[call.q].append((call.begin, call.end))
    both = sum(later[0] < one[1] for calls in of_queue.values() for one, later in pairwise(sorted(calls)))
    return sum(map(len, of_queue.values())), both


def _good_byes(trace: Trace) -> Iterator[Held]:
    for broker in trace.brokers:
        byes, listed = 0, 0
        for event in trace.kind(Answered, broker):
            if event.code != BYE or not event.asked.consumer_group:
                continue
            byes += 1
            of, rows = event.asked.consumer_group, trace.kind(Table, broker)
            after = [row for row in rows if row.what == "members" and row.of == of and row.at > event.at]
            port = int(event.from_.rpartition(":")[2])
            listed += any(one.port == port for row in after for one in members(row.is_))
        for claim in _claims("registry.java_v4_9_to_v5_3.good-bye", True):
            yield Held(claim, "members listed by a connection over which they had said good-bye", byes, listed)
