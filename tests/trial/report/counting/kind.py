"""How claims about the two workers are shown."""

from collections.abc import Sequence
from typing import Any

from markupsafe import escape

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.counting.kind import smallest as of_steps
from rebalance_proofs.proofs.counting.machine import run
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.grouped import grouped
from rebalance_proofs.report.shown import Shown

COUNTERS = Family("counting", "Two workers that count", "Each reads the counter, and then writes it.", ("Workers",))


def smallest(claim: Claim) -> Counterexample:
    """Of the fewest steps; raises ``LookupError`` when there is none."""
    for steps in range(1, claim.world.most_steps + 1):
        found = of_steps(claim, steps)
        if found:
            return found
    raise LookupError(f"{claim.id}: no counterexample in {claim.world.most_steps} steps")


def lines(claim: Claim, example: Counterexample) -> tuple[str, ...]:
    """Step by step."""
    went = zip(example.group.schedule, example.group.counters, strict=True)
    return (*(f"Worker {worker} goes; the counter is {counter}." for worker, counter in went), example.sentence)


def figure(claim: Claim, example: Counterexample) -> str:
    """A list."""
    return f"<ol>{''.join(f'<li>{escape(line)}</li>' for line in lines(claim, example))}</ol>"


def states(claim: Claim, example: Counterexample) -> list[dict[str, Any]]:
    """The counter after each step."""
    return [
        {"goes": worker, "counter": counter}
        for worker, counter in zip(example.group.schedule, example.group.counters, strict=True)
    ]


def listed(claims: Sequence[Claim]) -> tuple[str, tuple[str, ...]]:
    """Each by its sentence."""
    return "", tuple(claim.sentence for claim in claims)


def row(claim: Claim) -> tuple[str, ...]:
    """The workers."""
    return (claim.subjects[0].rocketmq_name,)


COUNTING = Shown(
    families=(COUNTERS,),
    family=lambda claim: COUNTERS,
    row=row,
    column=lambda claim: claim.guarantee.name,
    cells=lambda claims: grouped(claims, lambda claim: (row(claim), claim.guarantee.name)),
    about=lambda claim: "Two workers and one counter.",
    given=lambda claim: f"Given: {claim.world.sentence}",
    listed=listed,
    label=lambda machine: machine.rocketmq_name,
    code=lambda machine: run,
    smallest=smallest,
    size=lambda example: f"{example.departures} steps",
    lines=lines,
    figure=figure,
    document=lambda claim, example: {"sentence": example.sentence, "schedule": list(example.group.schedule)},
    types={"goes": "Int", "counter": "Int"},
    states=states,
)
