"""How reports show claims about a broker's registry: the functions that all reports use."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rebalance_proofs.model.machine.run import Seen
from rebalance_proofs.model.machine.values import number, truth
from rebalance_proofs.model.registry.state import Limits, Member, Said, Variant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.configuration import OBSERVES, Configuration
from rebalance_proofs.proofs.registry.answers import Ran, answers
from rebalance_proofs.proofs.registry.configuration import CONFIGURATION
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.claims.enumeration import Actions
from rebalance_proofs.report.claims.runs import Places, circumstances
from rebalance_proofs.report.claims.steps import PLAIN, TraceVariable, yes
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.machine.shown import Telling, machine_shown
from rebalance_proofs.report.sequence import Row, sequence
from rebalance_proofs.report.text.english import count
from rebalance_proofs.report.text.grouped import clock
from rebalance_proofs.spark_enum.registry.kinds import REGISTERS

# Table layout of claims about a broker's registry: circumstances in rows, releases in columns.

REGISTRY_PLACES = Family(
    "registry",
    "Members and routes",
    "Which members a broker lists, and for how long. Which members it notifies, and how old a route can be.",
    ("Claim", "When"),
    spelled_out=True,
    table="Columns are releases of brokers and clients; rows are conditions.",
)
WHEN = {
    "steady": "if heartbeats arrive, and connection and broker stay up",
    "reached": "if heartbeats arrive, whatever happens to connections and the broker",
    "left": "if no other group or producer refreshes the channel",
    "threw": "if no other group or producer refreshes the channel",
    "threw-anyhow": "if the broker scans in time",
    "closed": "if the broker notices the close at once",
    "good-bye": "if `unregisterClient` arrives and no earlier heartbeat follows it",
    "one-connection": "if the broker notices each disconnect before the reconnect",
    "scanned": "if the broker scans in time",
    "agreeing": "if heartbeats and scans are in time at both brokers",
    "agreeing-anyhow": "if heartbeats and scans are in time at both brokers, whatever other groups do",
    "notified": "if close events come before scans and notifications are immediate",
    "collected": "if changes are collected, and none arrives during a send",
    "greeted": "if the heartbeat lock is free",
    "polled": "if polls are answered in time",
}


PLACES = Places(REGISTRY_PLACES, circumstances(WHEN))


# A run of one group member and a broker, as text, trace and JSON, with the broker's answers.

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


# A run of a member and a broker as a sequence diagram, with the broker's member list.

CLOCK = 84
"""Width of the column of times, in pixels."""
LANES = ("X", "broker")
SPOKE = ("finds", "unregisters", "breaks", "closes_old", "refreshes")
"""Actions in which the member sends something to the broker, or its connection closes."""


def drawn(telling: RegistryTelling, claim: Claim, example: Counterexample) -> str:
    """Return the diagram of a claim's counterexample as SVG."""
    rows = [_row(one) for one in telling.answered(example.group) if not one.idle]
    title = "A member of a group, and a broker"
    return sequence(claim.id, title, example.sentence, "its answer", CLOCK, rows, LANES)


def _row(one: Answered) -> Row:
    state = one.seen.state
    return Row(
        mark=clock(one.seen.at),
        words=one.words,
        runs=(truth(state.alive), False),
        present=(truth(state.link), True),
        broker=", ".join(one.answer) if one.answer else "nobody",
        free=not one.answer,
        spoke=0 if one.seen.happens.action in SPOKE else None,
    )


def about(claim: Claim) -> str:
    """Return a sentence about the code that the claim covers."""
    return f"One member of a group, and the registry of one broker, of {claim.subjects[0].rocketmq_name}."


TELLING = RegistryTelling(CONFIGURATION, given, observes="A client queries the member list", parties=("X", "broker"))
REGISTRY = machine_shown(
    TELLING,
    PLACES,
    about,
    none=f"member and broker do not reach this in {CONFIGURATION.end} ticks",
    around="1 consumer, 1 broker",
    figure=partial(drawn, TELLING),
    actions=Actions(
        REGISTERS, "brokers' registries", "of brokers' registries", "a broker's table", "the code of member and broker"
    ),
)
