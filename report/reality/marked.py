"""Count the claims that recorded groups support, and list why other claims are not observed."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.conformance import How, Seen
from rebalance_proofs.report.groups_seen import recorded_releases
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.mark import MOST_FEW, Mark

COLUMNS = {
    How.HAPPENED: f"{Mark.SEEN}: it happened",
    How.KEPT: f"{Mark.SEEN}: never broken",
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
    yield "## Claims and their marks"
    yield ""
    yield f"{len(every)} claims are about what consumers and brokers do over time. Recordings cover a release of"
    yield f"{len(recorded)} of them. {seen} of these ({100 * seen // len(recorded)} %) are *{Mark.SEEN}*, in one of"
    yield "three ways:"
    yield ""
    yield "- A recording broke a refuted claim."
    yield "- A recording had chances to break a proved claim, and never did."
    yield "- A claim that something can happen came true."
    yield ""
    yield f"{few} of them are proved claims that recordings had at most {MOST_FEW} chances to break: *observed in N"
    yield "cases*. [Below](#claims-that-were-never-broken) is the number of chances of each claim."
    yield ""
    yield "A claim *even if* an assumption fails counts when that assumption failed in the recording. Its other"
    yield f"assumptions are not checked. {accepted} more claims are *{Mark.ACCEPTED}*. {alike} of the claims without"
    yield f"a recording are *{Mark.ALIKE}*."
    yield ""
    yield f"| claims about | recorded | {' | '.join(COLUMNS.values())} | besides: {Mark.ALIKE} |"
    yield "|---|---|" + "---|" * len(COLUMNS) + "---|"
    for kind in dict.fromkeys(claim.kind for claim, _ in every):
        own = Counter(one.how for claim, one in recorded if claim.kind == kind)
        others = sum(one.mark is Mark.ALIKE for claim, one in every if claim.kind == kind)
        yield f"| {kind} | {own.total()} | {' | '.join(str(own[how]) for how in COLUMNS)} | {others} |"
    yield ""
    yield from _left(recorded)


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
