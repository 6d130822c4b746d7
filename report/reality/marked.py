"""How many claims recorded groups show, kind by kind, and why the others are not seen."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.conformance import How, Seen
from rebalance_proofs.report.groups_seen import recorded_releases
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.mark import Mark

__all__ = ["marked"]

COLUMNS = (How.HAPPENED, How.KEPT, How.ACCEPTED, How.NOTHING)


def marked() -> Iterator[str]:
    """The page's chapter."""
    every = [(claim, groups(claim)) for claim in LEDGER if (groups := shown(claim).groups)]
    recorded = [one for one in every if recorded_releases(one[0])]
    seen, accepted = (sum(one.mark is mark for _, one in recorded) for mark in (Mark.SEEN, Mark.ACCEPTED))
    alike = sum(one.mark is Mark.ALIKE for _, one in every)
    yield "## Claims, and what was seen of them"
    yield ""
    share = 100 * seen // len(recorded)
    yield f"Of {len(every)} claims about what consumers and brokers do over time, {len(recorded)} are about a release"
    yield f"of which groups were recorded. {seen} of these ({share} %) are *seen*: what the claim denies happened, if"
    yield "it does not hold; or it could have happened, and never did, if it holds; or what it says that can be came"
    yield "about. A claim even if a premise fails counts as seen when this one is seen to have failed; whether others"
    yield "held is not looked at."
    yield f"{accepted} more are *accepted*: behaviours of exactly their machine explain what the groups did, and of the"
    yield f"claim itself nothing was seen. {alike} of the others are of the *same code*: under the claim's premises the"
    yield "machine is, term by term, a recorded one's."
    yield ""
    yield f"| claims about | with a recorded release | {' | '.join(COLUMNS[:-1])} | model only | same code, besides |"
    yield "|---|---|" + "---|" * len(COLUMNS) + "---|"
    for kind in dict.fromkeys(claim.kind for claim, _ in every):
        own = Counter(one.how for claim, one in recorded if claim.kind == kind)
        others = sum(one.mark is Mark.ALIKE for claim, one in every if claim.kind == kind)
        yield f"| {kind} | {own.total()} | {' | '.join(str(own[how]) for how in COLUMNS)} | {others} |"
    yield ""
    yield from _left(recorded)


def _left(recorded: list[tuple[Claim, Seen]]) -> Iterator[str]:
    yield "Why the others with a recorded release are not seen:"
    yield ""
    by_reason: defaultdict[str, list[str]] = defaultdict(list)
    for claim, one in recorded:
        if one.why:
            by_reason[f"{one.mark}: {one.why}"].append(claim.id)
    for reason, claims in sorted(by_reason.items(), key=lambda one: -len(one[1])):
        yield f"- {reason} ({len(claims)}): {', '.join(f'`{claim}`' for claim in claims)}."
    yield ""
