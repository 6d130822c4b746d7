"""Reasons why recordings do not test some part of a machine, the model of client or broker code.

Either no recording needs an action of the machine, or no recording rejects a wrong version of the machine.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.claims.mark import MOST_FEW, Mark
from rebalance_proofs.report.conformance import How, Seen
from rebalance_proofs.report.groups_seen import recorded_releases
from rebalance_proofs.report.kinds import shown

# Count the claims that recorded groups support, and list why other claims are not observed.

COLUMNS: Mapping[Mark | How, str] = {
    How.HAPPENED: f"{Mark.SEEN}: it happened",
    How.KEPT: f"{Mark.SEEN}: never broken",
    Mark.TESTED: f"{Mark.TESTED}",
    How.ACCEPTED: f"{Mark.ACCEPTED}",
    How.NOTHING: f"{Mark.MODEL}",
}


def marked() -> Iterator[str]:
    """Yield the lines of this chapter of docs/reference/reality.md."""
    every = [(claim, groups(claim)) for claim in LEDGER if (groups := shown(claim).groups)]
    recorded = [one for one in every if recorded_releases(one[0])]
    marks = Counter(one.mark for _, one in recorded)
    seen, few, accepted = marks[Mark.SEEN] + marks[Mark.FEW], marks[Mark.FEW], marks[Mark.ACCEPTED]
    alike = sum(one.mark is Mark.ALIKE for _, one in every)
    tested = sum(one.mark is Mark.TESTED for _, one in every)
    yield "## Claims and their marks"
    yield ""
    yield f"{len(every)} claims are about what consumers and brokers do over time. Recordings cover a release of"
    yield f"{len(recorded)} of them. {seen} of these ({100 * seen // len(recorded)} %) are *{Mark.SEEN}*, in one of"
    yield "three ways:"
    yield ""
    yield "- A recording broke a refuted claim."
    yield "- A recording had chances to break a proved claim, and never did."
    yield "- A claim that something can happen came true. A bound counts as reached up to 2 s before it."
    yield ""
    yield f"{few} of them are proved claims that recordings had at most {MOST_FEW} chances to break: *observed in N"
    yield "cases*. [Below](#claims-that-were-never-broken) is the number of chances of each claim."
    yield ""
    yield "A claim *even if* an assumption fails counts when that assumption failed in the recording. Its other"
    yield f"assumptions are not checked. {accepted} more claims are *{Mark.ACCEPTED}*. {alike} of the claims without"
    yield f"a recording are *{Mark.ALIKE}*."
    yield ""
    yield f"{tested} claims about gRPC clients are *{Mark.TESTED}*: no recording shows them, but"
    yield "[released packages](releases.md#grpc-clients) with a stubbed network behaved as the verdict says."
    yield ""
    besides = (Mark.TESTED, Mark.ALIKE)
    heads = (*COLUMNS.values(), *(f"besides: {mark}" for mark in besides))
    yield f"| claims about | recorded | {' | '.join(heads)} |"
    yield "|---|---|" + "---|" * len(heads)
    known = {claim.id for claim, _ in recorded}
    for kind in dict.fromkeys(claim.kind for claim, _ in every):
        own = Counter(_column(one) for claim, one in recorded if claim.kind == kind)
        others = Counter(one.mark for claim, one in every if claim.kind == kind and claim.id not in known)
        cells = (*(own[one] for one in COLUMNS), *(others[mark] for mark in besides))
        yield f"| {kind} | {own.total()} | {' | '.join(map(str, cells))} |"
    yield ""
    yield from _left(recorded)


def _column(one: Seen) -> Mark | How:
    return one.mark if one.mark is Mark.TESTED else one.how


def _left(recorded: list[tuple[Claim, Seen]]) -> Iterator[str]:
    yield "Why the other recorded claims are not observed:"
    yield ""
    by_reason: defaultdict[str, list[str]] = defaultdict(list)
    for claim, one in recorded:
        if one.why:
            by_reason[f"{one.mark}: {one.why}"].append(claim.id)
    for reason, claims in sorted(by_reason.items(), key=lambda one: -len(one[1])):
        yield f"- {reason} ({len(claims)}): {', '.join(f'`{claim}`' for claim in claims)}."
    yield ""


@dataclass(frozen=True)
class Tale:
    """A deliberate fault in a machine, and whether a recording rejects the machine because of it."""

    what: str
    rejected_by: str = ""
    """Name of a recording that rejects the faulty machine; empty if none does."""
    why_not: str = ""


SKIPPED = "No event shows whether a pull skipped a message that its consumer asked for."
REPLICA = "No recorded broker has a replica."
NOTED = (
    "The recorded listener waits, so an interrupt ends its wait and leaves no status. Its thread stores the offset if "
    "the entry still exists."
)
UNINTERRUPTED = "No recorded rebalance thread was interrupted."

NOT_NEEDED: Mapping[str, Mapping[str, str]] = {
    "settling": {
        "loses": "It leaves no event, and the recordings are explained without it.",
        "checks": "Only a thread of 5.5.1 or later checks its flag before it parks. No recorded client has that "
        "release.",
        "gives_up": UNINTERRUPTED,
        "interrupts": UNINTERRUPTED,
        "swallows": UNINTERRUPTED,
    },
    "registry": {
        "throws": "A recorded process ends when its `start()` throws, so no event shows whether its member goes on.",
        "lags": "No poll of the list has an earlier connection that was not listed before.",
        "closes_old": "Each connection whose end a poll shows may have ended before the next one began.",
        "trails": "No broker registered a heartbeat after its member's unregistration.",
        "refreshes": "It needs a lost unregistration of a process that keeps running; each unregistration arrived.",
    },
    "ordered": {
        "exits": "It leaves no event. The checks end with the process, so none asks for a delayed request.",
    },
    "pulls": {
        "overtime": "Each pull found its connection in time: brokers ran on the members' machine.",
    },
    "subscriptions": {
        "pulled": "Its only effect is a message that another member misses. No event shows that member.",
    },
    "offsets": {
        "fails": "Recorded listeners return success, or are interrupted.",
        "forgets": "No request shows that `persistAll` drops the offset of a queue without an entry. A new entry's "
        "offset replaces it.",
        "returns_interrupted": NOTED,
        "cleans": "No listener took the 15 minutes of `consumeTimeout`.",
        "replicates": REPLICA,
        "swaps": REPLICA,
        "overtaken": "Each first pull got its answer while its entry existed.",
        "others_fail": "It follows `returns_interrupted`.",
    },
}
"""Machine -> action -> why no recording needs the action to be explained."""

NOT_REJECTED: Mapping[str, Mapping[str, str]] = {
    "settling": {
        "hurries": "It allows a real thread's wait for the minimum interval.",
        "stays-interrupted": "No recorded rebalance thread was interrupted.",
    },
    "registry": {
        "throws-on": "No process of 5.3.2 or later kept running after its `start()` threw.",
        "shy": "Only heartbeats show connections, so no event shows one that waits for its first heartbeat.",
    },
    "ordered": {
        "renews-on": "Only claims, and no action, depend on which locks must be renewed.",
        "hears-too-much": "It forbids a renewal's answer after the entry's removal, and this answer changes no event.",
        "waits-for-nothing": "It allows shorter waits of shutdowns, and real ones wait.",
        "pulls-at-once": "It allows earlier first pulls, and real ones wait.",
    },
    "pulls": {
        "stamps-sent": "No pull was delayed for the two minutes after which its entry counts as not pulled.",
    },
    "subscriptions": {
        "filters-posted": SKIPPED,
        "older-is-fine": SKIPPED,
        "at-once": "It allows earlier first pulls, and real ones wait.",
    },
    "offsets": {
        "records-the-pull": "It also allows storing an offset while messages wait, and no client did that.",
        "drops-failures": "Recorded listeners return success, or are interrupted.",
        "taken-out": NOTED,
        "careless": "Each first pull had its answer.",
    },
}
"""Machine -> wrong version of it -> why no recording rejects that version."""

OF_CLAIMS = "Only claims are about this, and no event shows it."
UNASKED = "Only claims, and no action, depend on which locks must be renewed."
FAULTS: Mapping[str, Mapping[str, Tale]] = {
    "settling": {
        "terms-wait-longer": Tale(
            "an early rebalance is delayed for too long",
            why_not="A thread that wakes a second late is within its slack of 2 s.",
        ),
        "terms-end-on-a-permit": Tale(
            "a permit alone ends a wait",
            why_not="No recording has a client with the `ServiceThread` of 5.5.1.",
        ),
    },
    "registry": {
        "terms-scan-sooner": Tale("a scan removes channels after its own interval", "java-5.3.3/half_open"),
        "terms-scan-tells": Tale(
            "each scan that removes a channel notifies",
            why_not="A scan without a notification still removes the member. Arriving notifications are explained, and "
            "none is missed.",
        ),
        "terms-share-a-record": Tale(
            "all groups of a connection share one record",
            why_not="No recording has a broker of 5.5.1.",
        ),
    },
    "ordered": {
        "terms-trust-longer": Tale(
            "a lock is trusted for one more millisecond",
            why_not="No listener was called in the millisecond in which a lock becomes too old.",
        ),
        "terms-call-twice": Tale(
            "a listener is called while it runs", why_not="It only allows more, and no real listener was."
        ),
        "terms-renew-marked-entries": Tale("dropped entries are renewed", why_not=UNASKED),
        "terms-pull-at-once": Tale(
            "a first pull is not delayed", why_not="It only allows more, and real first pulls wait."
        ),
        "the-second-renewer-ends-with-the-shutdown": Tale("renewals end with the shutdown", why_not=UNASKED),
    },
    "pulls": {
        "terms-lose-what-is-put-off": Tale("a delayed request is lost", "java-5.3.3/thrown"),
    },
    "subscriptions": {
        "terms-refuse-nothing-old": Tale("no pull is refused because its version is newer", "java-4.9.8/lost_locks"),
        "a-tick-is-a-beat-late": Tale("every second periodic heartbeat is left out", "java-4.9.8/c2_ordered_long"),
        "first-pulls-are-not-put-off": Tale(
            "first pulls are not delayed", why_not="It only allows more, and real first pulls wait."
        ),
        "answer-of-v2-is-not-heard": Tale(
            "a client that learns of a changed group still assumes that the broker has its own subscription",
            "java-5.3.3/premises",
        ),
    },
    "offsets": {
        "terms-begin-too-late": Tale("an entry begins one message too late", "java-4.9.8/j_shutdown"),
        "first-pull-forgotten": Tale(
            "the entry does not begin at the first pull's answer",
            why_not="Each first pull got the same offset as its rebalance.",
        ),
        "forgets-only-what-has-gone": Tale(
            "`persistAll` keeps the offset of a queue that has an entry by then",
            why_not="No queue returned to its table while `persistAll` was running.",
        ),
        "all-is-overtime": Tale("each message consumed by a late call counts as overtime", why_not=OF_CLAIMS),
        "half-done-without-an-interrupt": Tale(
            "a listener's work is half done without an interrupt",
            why_not="It only allows more, and listeners record their interrupts.",
        ),
        "replica-knows-all": Tale("a replica answers with the committed offset", why_not=REPLICA),
    },
}
"""Machine -> fault in its source, as in `tests/faults` -> whether a recording rejects it."""
