"""Text and JSON of the answer of ``rebalance settle``."""

from collections.abc import Iterator
from typing import Any

from rebalance_proofs.proofs.ordered.passing import NEVER_ENDS, TICK, Way
from rebalance_proofs.report.claims.mark import GROUPS, Mark
from rebalance_proofs.report.index.entries import mark_of, marks, word_of
from rebalance_proofs.report.ordered.two_events import ONE_EVENT
from rebalance_proofs.report.schemas import published
from rebalance_proofs.report.settling.settle import (
    ACCEPTED,
    AGAIN,
    EXPLORED,
    LATER,
    LISTED_AGAIN,
    LONGER,
    RETRY,
    ROLLING,
    SCANNED,
    UNEXPLORED,
    Answer,
    Basis,
    Part,
)
from rebalance_proofs.report.text.english import seconds
from rebalance_proofs.report.text.wrapping import aligned

FORMAT = 1
"""Version of the JSON; increases when a reader of the old form would misread the new one."""
SCOPE = (
    "Two events were explored for one queue: at each change of the group or its routes, any member can become its",
    "owner. This covers every strategy, any number of queues, and any number of members of which three own the queue",
    "(two around a restarted or frozen broker). Members see one broker's list. The time in which a broker is frozen or",
    "down comes in addition. For any number of joins, shutdowns and crashes, two members at a time can own the queue.",
)
OFTEN = "However many consumers join, shut down or crash"
"""Beginning of the sentence about any number of events."""
REFUSED_MORE = f"Refused pulls can add {seconds(LATER + RETRY)}"
"""Beginning of a sentence on the Java client."""
REFUSED = (
    "If a heartbeat of the process is under way when the queues of a client change, the client sends none. Brokers",
    f"can then refuse its pulls for {seconds(LATER)} more, with heartbeats of 3 s",
    f"({Basis.PROVED.value}, {word_of(ACCEPTED)}: {ACCEPTED}),",
    f"and until the next pull, {AGAIN} ({Basis.READ.value}).",
    "This is common on join: the first broker to receive the heartbeat also notifies the new consumer.",
)
BUSY = (
    "Each ordered queue that is removed while its listener runs makes a rebalance of its process longer by {}, one "
    "after the other"
)


def told(found: Answer, remark: str = "", *, everything: bool = False) -> Iterator[str]:
    """Yield the answer without its settings, with a remark on the client's version.

    ``everything``: with all assumptions in full.
    """
    mode = "ordered" if found.orderly else "concurrent"
    case = f"{found.client.rocketmq_name}, {mode} listeners: when {found.event.sentence}"
    yield _headline(case, found)
    yield from [remark] * bool(remark)
    yield ""
    if found.orderly and found.total is not None and found.event is not ROLLING:
        yield f"This event alone, in a calm group: {seconds(found.total)}"
    rows = [(f"  {seconds(part.time)}", part.sentence, _basis(part)) for part in found.parts]
    if found.usual:
        rows.append((f"  ({seconds(found.usual.time)})", found.usual.sentence, _basis(found.usual)))
    yield from aligned(rows)
    if found.total is not None and found.event is not ROLLING:
        yield ""
        yield from _two_events(found)
    if found.after_last is not None:
        within = f"every queue is consumed again within {seconds(found.after_last)} of the last of these events"
        yield f"{OFTEN}, {within}{LONGER if found.orderly else ''}."
    elif found.total is not None:
        yield "A third event can prolong the wait."
    if found.total is not None:
        yield ""
    yield from _repeated(found)
    if found.total is not None and not found.orderly and found.event is not ROLLING:
        yield f"If rebalances succeed and find offsets, the bound in the first line holds {ONE_EVENT}"
    elif found.total is not None and found.twice is None:
        yield f"The bound in the first line holds {ONE_EVENT}"
    if not everything:
        yield f"{REFUSED_MORE}, often on join; `--all` lists all assumptions."
        return
    yield ""
    yield "Assumptions:"
    if not found.busy:
        yield f"{BUSY.format(seconds(found.lock_wait))} (--busy; {Basis.READ.value})."
    if found.orderly:
        yield from EXPLORED
        yield from SCOPE
    else:
        yield "Rebalances after the change succeed and find offsets."
    yield from REFUSED
    yield "`rebalance show CLAIM --all` lists the assumptions of a claim."


def _headline(case: str, found: Answer) -> str:
    """Return the first line of the answer."""
    longer = LONGER if found.orderly or found.event.only_explored else ""
    if found.total is None:
        return f"{case}, the time until every queue is consumed again is unknown: {UNEXPLORED}."
    if found.event is ROLLING:
        return _rolling(case, found, longer)
    if found.orderly and found.twice is not None:
        return (
            f"{case}, no queue waits longer than {seconds(found.twice)} for its owner{longer}, even if one other "
            "consumer joins, shuts down or crashes at any time."
        )
    return f"{case}, every queue is consumed again within {seconds(found.total)}{longer}."


def _rolling(case: str, found: Answer, longer: str) -> str:
    """Return the first line for a rolling restart."""
    if found.apart is None:
        return f"{case}, no distance between restarts is known to be long enough."
    if found.distance is not None and found.distance < found.apart:
        return (
            f"{case} {seconds(found.distance)} apart, the longest wait of a queue is unknown: more than two events can "
            f"overlap. Wait at least {seconds(found.apart)} from the end of a restart to the next one."
        )
    return (
        f"{case}, no queue waits longer than {seconds(found.total or 0)} for its owner{longer}, for any number of "
        f"members, if at least {seconds(found.apart)} pass from the end of a restart to the next one. A restart ends "
        "when shutdown() has returned and the replacement has joined."
    )


def _two_events(found: Answer) -> Iterator[str]:
    """Yield the longest times for this event and another one, by the other event."""
    alike: dict[int, list[str]] = {}
    unknown = []
    for other, ticks in found.others.items():
        if ticks is None:
            unknown.append(other)
        else:
            alike.setdefault(ticks, []).append(other)
    explored = f"({Basis.EXPLORED.value}){LONGER}"
    yield f"Longest wait for this event and one other, in either order, at any distance {explored}:"
    rows = [
        ("  no bound" if ticks == NEVER_ENDS else f"  {seconds(ticks * TICK + found.waits)}", ", ".join(others))
        for ticks, others in sorted(alike.items())
    ]
    yield from aligned(rows)
    if unknown:
        yield f"  Not explored: {', '.join(unknown)}."


def _repeated(found: Answer) -> Iterator[str]:
    """Yield lines about messages that are redelivered, skipped or waiting."""
    if found.overlap:
        arrives = "" if found.event.delay else ", if the first heartbeat arrives"
        once = f"{seconds(found.overlap.time)}, plus the time of running listeners{arrives}"
        yield f"Two consumers read one queue for at most {once} ({_basis(found.overlap)})."
    redelivered = "Redelivered from queues that change owners" if found.skips else "Redelivered"
    if found.once and found.orderly:
        yield (
            f"{redelivered}: at most one batch, if owners take turns and no queue is added or removed during a commit "
            f"of all offsets ({_proved(found.once)})."
        )
    elif found.once:
        yield (
            f"{redelivered}: {found.event.again}. Messages committed when the new owner asked are not redelivered "
            f"({_proved(found.once)})."
        )
    if found.event.way is Way.SHUT:
        again, gone = LISTED_AGAIN
        yield (
            "If a heartbeat of the process is under way at the shutdown, a broker can list the consumer again "
            f"(refuted, {word_of(again)}: {again}). Its queues then wait until its process ends, or for at most "
            f"{seconds(SCANNED.time)} if no other group or producer shares its connection ({_proved(gone)}); "
            "the bound counts from then on."
        )
    if found.halved:
        yield (
            "If shutdown() interrupts a listener that still returns success, its half-done message is committed "
            f"(refuted, {word_of(found.halved)}: {found.halved})."
        )
    if found.skips:
        before = "the first pull" if found.orderly else "the first owner asks"
        yield (
            f"Skipped from new queues: messages sent before {before}, with CONSUME_FROM_LAST_OFFSET (the default), "
            "unless the broker has the whole queue in memory and answers 0 "
            f"(rocketmq#9307; refuted, {word_of(found.skips)}: {found.skips})."
        )
    if found.rate:
        yield from _counted(found)


def _counted(found: Answer) -> Iterator[str]:
    """Yield lines with numbers of messages at the given rate."""
    if found.waiting is not None:
        skipped = ", or are skipped if their queues are new" if found.skips else ""
        wait = f"{found.waiting:,} messages wait by then{skipped}"
        yield f"At {found.rate:g} messages a second, {wait} ({Basis.RECKONED.value})."
    if found.event.lost and found.once:
        yield (
            f"Besides, about {found.uncommitted:,} messages are redelivered: those consumed in the "
            f"{seconds(found.commit)} between two commits, plus those behind one slow message "
            f"({Basis.RECKONED.value})."
        )


def shown(found: Answer) -> set[Mark]:
    """Return the conformance marks that the printed answer shows, for its legend."""
    listed = LISTED_AGAIN if found.event.way is Way.SHUT else ()
    marked = {mark_of(claim) for claim in (*_claims(found), found.once, found.halved, *listed) if claim}
    explored = any(part.basis is Basis.EXPLORED for part in found.parts)
    return marked | ({GROUPS} if explored else set())


def _basis(part: Part) -> str:
    if part.claim:
        return f"{part.basis.value}, {word_of(part.claim)}: {part.claim}"
    return f"{part.basis.value}, {GROUPS}" if part.basis is Basis.EXPLORED else part.basis.value


def _proved(claim: str) -> str:
    return f"{Basis.PROVED.value}, {word_of(claim)}: {claim}"


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of ``document``."""
    return published("settle")


def document(found: Answer, remark: str = "") -> dict[str, Any]:
    """Return the answer as JSON without its settings, with a remark on the client's version; times in ms."""
    return {
        "format": FORMAT,
        "client": found.client.name,
        "remark": remark or None,
        "event": found.event.name,
        "orderly": found.orderly,
        "total": found.total,
        "parts": [_document(part) for part in found.parts],
        "notified": _document(found.usual) if found.usual else None,
        "overlap": _document(found.overlap) if found.overlap else None,
        "two_events": [
            {"event": other, "time": None if ticks in (None, NEVER_ENDS) else ticks * TICK + found.waits}
            for other, ticks in found.others.items()
        ],
        "apart": found.apart,
        "after_last": found.after_last,
        "waiting": found.waiting,
        "skipped": found.waiting if found.skips else 0,
        "again": found.uncommitted,
        "seen": marks(_claims(found)),
    }


def _claims(found: Answer) -> list[str]:
    parts = (*found.parts, *(part for part in (found.usual, found.overlap) if part))
    return [part.claim for part in parts if part.claim] + [found.skips] * bool(found.skips)


def _document(part: Part) -> dict[str, Any]:
    return {"time": part.time, "sentence": part.sentence, "basis": part.basis.name, "claim": part.claim or None}
