"""A run of one group member and a broker, as text, trace and JSON, with the broker's answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.machine.run import Seen
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import Member, Said, Variant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.configuration import OBSERVES, Configuration
from rebalance_proofs.proofs.registry.answers import Ran, answers
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.clock import clock
from rebalance_proofs.report.english import count
from rebalance_proofs.report.machine.shown import Telling
from rebalance_proofs.report.trace_variables import PLAIN, TraceVariable, yes

ANSWER = TraceVariable("answer", "answer", "broker", owner=yes(PLAIN), meaning="The ids in the broker's answer.")


def given(run: Ran) -> str:
    """Return the first line of a counterexample in words: the time limits that matter for it."""
    world, limits = run.world, run.limits
    told = {
        "heartbeats arrive every": limits.beat if world.beats else 0,
        "a scan removes channels that were silent for more than": 0 if world.of_route else limits.expired,
        "scans run every": limits.scan if world.scans else 0,
        "notifications are sent every": limits.collect if world.later else 0,
        "routes are polled every": limits.poll if world.of_route else 0,
    }
    words = (f"{words} {number(value) / 1000:g} s" for words, value in told.items() if value)
    return f"One member X, one broker. Limits: {', '.join(words)}."


@dataclass(frozen=True)
class Answered:
    """One action, with the member list that the broker returns after it."""

    seen: Seen[Member]
    words: str
    """The action in words, and the broker's member list if it has changed."""
    answer: tuple[str, ...]
    idle: bool
    """Whether the action is a scan that removes no member. Texts only count such scans."""


class RegistryTelling(Telling[Member, Said, Limits, Variant]):
    """Texts about a run, in which scans that remove no member are counted instead of listed."""

    @property
    def types(self) -> dict[str, str]:
        return super().types | {ANSWER.variable: "Str"}

    def trace_variables(self, example: Counterexample) -> Iterator[TraceVariable]:
        yield from super().trace_variables(example)
        yield ANSWER

    def _deed(
        self,
        of: Configuration[Member, Said, Limits, Variant],
        run: Ran,
        seen: Seen[Member],
        before: Sequence[Member],
    ) -> str:
        looks_at_route = seen.happens.action == OBSERVES and run.world.of_route
        return "The client's route is inspected" if looks_at_route else super()._deed(of, run, seen, before)

    def answered(self, run: Ran) -> Iterator[Answered]:
        """Yield each action of a run, with the broker's member list."""
        before: Member = run.first
        last: tuple[str, ...] = ()
        for seen, answer in zip(run.seen, answers(run), strict=True):
            words, changed = self._deed(self.configuration, run, seen, (before,)), answer != last
            if changed:
                listed = f"lists [{', '.join(answer)}]" if answer else "has an empty list and answers an error"
                words = f"{words}: it now {listed}"
            yield Answered(seen, words, answer, seen.happens.action == "scans" and not changed)
            before, last = seen.state, answer

    def story(self, run: Ran, of: Configuration[Member, Said, Limits, Variant]) -> tuple[str, ...]:
        return tuple(self._told_of(run))

    def _told_of(self, run: Ran) -> Iterator[str]:
        scans = 0
        for one in self.answered(run):
            if one.idle:
                scans += 1
                continue
            if scans:
                yield f"Until then: {count(scans, 'scan')}, which {'remove' if scans > 1 else 'removes'} no member."
                scans = 0
            yield f"{clock(one.seen.at)}: {one.words}."

    def document(self, claim: Claim, example: Counterexample) -> dict[str, Any]:
        found = super().document(claim, example)
        told = zip(found["actions"], answers(example.group), strict=True)
        return found | {"actions": [action | {"answer": list(answer)} for action, answer in told]}

    def states(self, claim: Claim, example: Counterexample) -> list[dict[str, Any]]:
        told = zip(super().states(claim, example), ((), *answers(example.group)), strict=True)
        return [state | {"answer": " ".join(answer)} for state, answer in told]
