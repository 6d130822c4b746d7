"""The answer of ``rebalance list`` for one client, mode of use or strategy."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from rebalance_proofs.language import gettext
from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import PROFILES
from rebalance_proofs.model.receiving.releases import is_sdk
from rebalance_proofs.report.index.entries import Entry
from rebalance_proofs.report.modes import ORDERLY
from rebalance_proofs.report.names import variants
from rebalance_proofs.report.symptoms.asked import Asked, UnknownName, covers, nearest, releases_of_profile, whose
from rebalance_proofs.report.symptoms.todo import Fix, fixes, todo
from rebalance_proofs.report.text.english import count, do_not_hold, hold, listing
from rebalance_proofs.report.text.wrapping import whole

# Select the claims about a client, a mode of use and a strategy.

Chosen = tuple[Strategy, ...]
"""The implementations that clients ship under one strategy name; empty for any strategy."""


def chosen_strategy(name: str) -> Chosen:
    """Return the implementations of a strategy, by its short name (``hash``) or RocketMQ's (``CONSISTENT_HASH``).

    ``hash`` means the implementations of all clients, ``hash-go`` only that of Go. Raises ``UnknownName``.
    """
    wanted = name.strip().casefold()
    named = [one for one in ALL if one.called(wanted)]
    if not named:
        known = [one.rocketmq_name if name.isupper() else one.name for one in ALL]
        near = nearest(name.strip(), known)
        raise UnknownName(
            gettext("unknown strategy {name}; {hint}the strategies are {strategies}").format(
                name=repr(name), hint=near, strategies=gettext(", ").join(one.name for one in ALL)
            )
        )
    first = named[0]
    alone = wanted == first.name.casefold() and any(first.name.startswith(f"{one.name}-") for one in variants(first))
    return (first,) if alone else variants(first)


def concerns(claim: Entry, question: Asked, wanted: Chosen = ()) -> bool:
    """Return whether the claim covers this client and mode, and one of these strategies or no strategy.

    An empty question selects every claim. Other questions exclude strategies that no RocketMQ client ships, such as
    Kafka's.
    """
    wanted = wanted or question.wanted
    if question == Asked() and not wanted:
        return True
    if is_sdk(question.release):
        return covers(claim, question)
    if not claim.shipped:
        return False
    if wanted and claim.stands_for is not None and not {one.name for one in wanted} & {*claim.stands_for}:
        return False
    if not claim.released:
        return True
    releases = (question.release,) if question.release or not wanted else _shipping(wanted)
    return any(claim.covers(release, question.mode) for release in releases)


@cache
def _shipping(wanted: Chosen) -> tuple[str, ...]:
    """Return the client releases that ship one of the strategies."""
    names = {one.name for one in wanted}
    found = (one.name for one in PROFILES if names & {own.name for own in one.strategies})
    return tuple(release for name in found for release in releases_of_profile(name))


Lines = Callable[[Sequence[Entry]], Iterator[str]]
SHARES_ALONE = "These claims cover only which consumer gets which queue, not what the client then does with its queues."


@dataclass(frozen=True)
class Mine:
    """The claims about one client, mode of use and strategy."""

    claims: Sequence[Entry]
    """All claims to select from."""
    question: Asked
    wanted: Chosen

    @cached_property
    def chosen(self) -> tuple[Entry, ...]:
        """The selected claims: refuted, refuted with an assumption dropped, then proved."""
        found = [claim for claim in self.claims if concerns(claim, self.question, self.wanted)]
        return tuple(sorted(found, key=lambda claim: (claim.holds, claim.dropped and not claim.holds)))

    @property
    def label(self) -> str:
        """The client, mode and strategy of the question: ``Java 5.2.0, push orderly, AVG``."""
        strategies = dict.fromkeys(one.rocketmq_name for one in self.wanted)
        return ", ".join(part for part in (self.question.label, *strategies) if part)

    def brief(self, everything: str) -> Iterator[str]:
        """Yield the answer for one screen.

        ``everything`` is the command that prints all selected claims.
        """
        yield from self._answer()
        if not self.chosen:
            return
        yield ""
        chosen = self._fixes
        if chosen:
            yield f"Explain a cause:  {whole(f'rebalance why {chosen[0].against[0].cause.name}')}"
        failing = self._example(chosen)
        yield f"Explain a claim:  {whole(f'rebalance show {(failing or self.chosen[0]).id}')}"
        if failing:
            yield f"Replay a failure: {whole(f'rebalance replay {failing.id}')}"
        yield f"List all claims:  {whole(everything)}"

    def full(self, lines: Lines) -> Iterator[str]:
        """Yield the answer, then all selected claims; ``lines`` formats a list of claims."""
        yield from self._answer()
        as_it_is, without, holding = self._parts
        for head, claims in (
            ("DOES NOT HOLD:", as_it_is),
            ("DOES NOT HOLD when an assumption is dropped, which the claim or its heading names:", without),
            ("HOLDS:", holding),
        ):
            if claims:
                yield ""
                yield head
                yield ""
                yield from lines(claims)

    def _answer(self) -> Iterator[str]:
        if not self.chosen:
            yield f"{self.label}: none of {count(len(self.claims), 'claim')} covers this."
            return
        as_it_is, without, holding = self._parts
        yield (
            f"{self.label}: {hold(len(holding), 'claim')}, {do_not_hold(len(as_it_is))}, and "
            f"{do_not_hold(len(without))} when an assumption is dropped."
        )
        if all(claim.strategies for claim in self.chosen) and (self.question.release or self.question.mode):
            yield SHARES_ALONE
        yield from [self.question.remark] * bool(self.question.remark)
        if self._fixes:
            yield ""
            yield from todo(self._fixes)

    @cached_property
    def _fixes(self) -> list[Fix]:
        return fixes(replace(self.question, wanted=self.wanted), {claim.id for claim in self.chosen})

    def _example(self, chosen: Sequence[Fix]) -> Entry | None:
        """Return the refuted claim that shows the first fix's cause, otherwise the first refuted claim."""
        known = {claim.id: claim for claim in self.chosen if not claim.holds}
        shown = (known[name] for fix in chosen for one in fix.against for name in one.shown if name in known)
        return next(shown, next(iter(known.values()), None))

    @cached_property
    def _parts(self) -> tuple[list[Entry], list[Entry], list[Entry]]:
        broken = [claim for claim in self.chosen if not claim.holds]
        return (
            [claim for claim in broken if not claim.dropped],
            [claim for claim in broken if claim.dropped],
            [claim for claim in self.chosen if claim.holds],
        )


def require_shipped(question: Asked, wanted: Chosen) -> None:
    """Check that the client has the strategy, and a gRPC client the mode. Raises ``UnknownName``."""
    if is_sdk(question.release):
        if wanted:
            raise UnknownName(gettext("gRPC clients have no allocation strategy; leave --strategy out"))
        if question.mode not in ("", "push", ORDERLY):
            raise UnknownName(
                gettext("claims about gRPC clients concern push consumers; use --mode push, or leave it out")
            )
        return
    if not question.release or not wanted:
        return
    (profile,) = (one for one in PROFILES if question.release in releases_of_profile(one.name))
    has = dict.fromkeys(one.rocketmq_name for one in profile.strategies)
    if wanted[0].rocketmq_name not in has:
        raise UnknownName(
            f"{whose(question.release)} has no strategy {wanted[0].rocketmq_name}; its strategies are {listing(has)}"
        )
