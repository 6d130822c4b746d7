"""The claims that concern one client, mode of use, or strategy; refuted claims first."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rebalance_proofs.model.profiles import PROFILES
from rebalance_proofs.report.chosen import Chosen, concerns
from rebalance_proofs.report.english import count, listing
from rebalance_proofs.report.index.entry import Entry
from rebalance_proofs.report.symptoms.asked import Asked, UnknownName, releases_of_profile, whose
from rebalance_proofs.report.symptoms.todo import todo

__all__ = ["Mine", "require_shipped"]

Lines = Callable[[Sequence[Entry]], Iterator[str]]
READ_ON = (
    "`rebalance show CLAIM` tells one in full, with what helps where that is known; "
    "`rebalance replay CLAIM` goes step by step through how one does not hold."
)
SHARES_ALONE = (
    "All of it is about who takes which queues: of what such a client then does with them nothing is claimed here."
)


@dataclass(frozen=True)
class Mine:
    """A selection of claims."""

    claims: Sequence[Entry]
    """The claims to select from."""
    question: Asked
    wanted: Chosen

    @cached_property
    def chosen(self) -> tuple[Entry, ...]:
        """The claims that concern the question: refuted with all premises, refuted without a premise, proved."""
        found = [claim for claim in self.claims if concerns(claim, self.question, self.wanted)]
        return tuple(sorted(found, key=lambda claim: (claim.holds, claim.dropped and not claim.holds)))

    @property
    def label(self) -> str:
        """What was asked for: ``Java 5.2.0, push orderly, AVG``."""
        strategies = dict.fromkeys(one.rocketmq_name for one in self.wanted)
        return ", ".join(part for part in (self.question.label, *strategies) if part)

    def told(self, lines: Lines) -> Iterator[str]:
        """The selection in words; ``lines`` formats a list of claims."""
        as_it_is, without, holding = self._parts()
        if not self.chosen:
            yield f"{self.label}: none of {count(len(self.claims), 'claim')} is about that."
            return
        broken = len(as_it_is) + len(without)
        yield (
            f"{self.label}: of {count(len(self.chosen), 'claim')} {broken:,} do not hold, "
            f"{len(without):,} of them where a premise is left out; {len(holding):,} hold."
        )
        if all(claim.strategies for claim in self.chosen) and (self.question.release or self.question.mode):
            yield SHARES_ALONE
        yield READ_ON
        yield from [self.question.remark] * bool(self.question.remark)
        yield from todo(replace(self.question, wanted=self.wanted))
        for head, claims in (
            ("DOES NOT HOLD:", as_it_is),
            ("DOES NOT HOLD where a premise is left out, which the line or its heading names:", without),
            ("HOLDS:", holding),
        ):
            if claims:
                yield ""
                yield head
                yield ""
                yield from lines(claims)

    def _parts(self) -> tuple[list[Entry], list[Entry], list[Entry]]:
        broken = [claim for claim in self.chosen if not claim.holds]
        return (
            [claim for claim in broken if not claim.dropped],
            [claim for claim in broken if claim.dropped],
            [claim for claim in self.chosen if claim.holds],
        )


def require_shipped(question: Asked, wanted: Chosen) -> None:
    """Raise ``UnknownName`` if the client ships no strategy of that name."""
    if not question.release or not wanted:
        return
    (profile,) = (one for one in PROFILES if question.release in releases_of_profile(one.name))
    has = dict.fromkeys(one.rocketmq_name for one in profile.strategies)
    if wanted[0].rocketmq_name not in has:
        raise UnknownName(
            f"{whose(question.release)} has no strategy {wanted[0].rocketmq_name}; its strategies are {listing(has)}"
        )
