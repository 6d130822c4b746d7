"""Checks that explore the standard groups, and compare them with pinned results and claims."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.actions import compared
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.check import Check, Keep
from rebalance_proofs.spark_enum.explorer.in_memory import in_memory
from rebalance_proofs.spark_enum.explorer.levels import levels
from rebalance_proofs.spark_enum.explorer.product import Product, States
from rebalance_proofs.spark_enum.explorer.recorded import Record, differences, read
from rebalance_proofs.spark_enum.explorer.settled import Settled, settled
from rebalance_proofs.spark_enum.explorer.standard import Standard, chosen, watches
from rebalance_proofs.spark_enum.explorer.store import (
    EXPLORED,
    LEVELS,
    SETTLED,
    TRANSITIONS,
    Store,
    Together,
    all_states,
    mixed,
)
from rebalance_proofs.spark_enum.kinds import Kind
from rebalance_proofs.spark_enum.machine import declared
from rebalance_proofs.spark_enum.results import Enumerated, Totals, Wrong


@dataclass(frozen=True)
class Explores:
    """Exploration of one standard group, which is one piece of work."""

    group: Standard
    recorded: Record | None

    def check(self) -> Check:
        """Return the check; it expects the pinned number of states."""
        settings, name = self.group.settings, self.group.name
        bounds = {"consumers": settings.consumers, "queues": settings.queues}
        expected = self.recorded.states if self.recorded else 0
        client = self.group.claims[0].split(".")[1]
        return Check(EXPLORED, name, 1, expected, self, client, self.group.model, bounds)

    def __call__(self, piece: int, keep: Keep | None = None) -> Totals:
        found, within = gone_through(self.group, self.recorded, keep)
        totals = Totals(counted=found.states, digest=int(found.digest, 16))
        totals.numbers.update({TRANSITIONS: found.transitions, LEVELS: found.levels})
        if within is not None:
            totals.numbers[SETTLED] = within
        size = (self.group.settings.consumers, self.group.settings.queues)
        for watch, steps in found.steps.items():
            totals.broken[watch] += 0  # also says that it was watched
            if steps is not None:
                totals.breaks(watch, Wrong(size, (steps,), self.group.watches[watch].sentence))
        said = differences(self.recorded, found) if self.recorded else ["no result is pinned"]
        for number, sentence in enumerate(said):
            totals.differs(Wrong(size, (number,), sentence))
        return totals


def gone_through(
    group: Standard, recorded: Record | None = None, keep: Keep | None = None
) -> tuple[Record, int | None]:
    """Explore the group. Return its results, and within how many rounds or ticks it settles.

    The number is None if it was not requested, or if the group does not settle. The ``recorded`` results give a first
    guess for it, which saves time. ``keep`` gets each state as a row of a Parquet table.
    """
    product = Product(group.subject.build(group.settings))
    store = in_memory(product.numbering)
    gone = Together(len(product.moves))
    for level in levels(product, store):
        gone.adds(level)
        if keep and level.states:
            _kept(group, product, store, level.number, keep)
    many = len(gone.by_level)
    agreed = settled(product, lambda: all_states(store, many), _guess(recorded)) if group.settles else None
    record = Record(
        sum(gone.by_level),
        int(gone.counts.sum()),
        many,
        f"{gone.digest:016x}",
        _told(agreed),
        {watch: gone.first[watch][0] if watch in gone.first else None for watch in group.watches},
        {name: watch.claims for name, watch in group.watches.items()},
        group.claims,
    )
    return record, agreed.within if agreed else None


def _told(agreed: Settled | None) -> str:
    if agreed is None:
        return ""
    return (
        f"not within {agreed.most} {agreed.counted}"
        if agreed.within is None
        else f"{WITHIN} {agreed.within} {agreed.counted}"
    )


WITHIN = "within"


def _guess(recorded: Record | None) -> int:
    words = recorded.settled.split() if recorded else []
    return int(words[1]) if words[:1] == [WITHIN] else 0


def _kept(group: Standard, product: Product, store: Store, level: int, keep: Keep) -> None:
    parts = [store.order.states(store.level(level, part)) for part in store.expanding(level)]
    states: States = np.concatenate(parts)
    members, queues = product.parts(states)
    many = len(states)
    keep(
        consumers=np.full(many, group.settings.consumers),
        queues=np.full(many, group.settings.queues),
        digits=np.stack([members, *queues], axis=1),
        numbers={"level": np.full(many, level, dtype=np.int64)},
        digest=mixed(states),
    )


def checks_of(claims: Sequence[Claim], bounds: Bounds) -> list[Check]:
    """Return the checks of the standard groups that concern some of these claims."""
    groups = chosen((claim.id for claim in claims), larger=bounds.larger)
    recorded = {**read("quick"), **read("larger")} if groups else {}
    return [Explores(group, recorded.get(group.name)).check() for group in groups]


Against = Callable[[Claim, Enumerated, ClaimResult | None], list[str]]


def and_groups(against: Against) -> Against:
    """Return a function that reports contradictions by ``against``, and those by explored groups."""
    return lambda claim, enumerated, result: [*against(claim, enumerated, result), *against_groups(claim, enumerated)]


@cache
def kind(name: str) -> Kind:
    """Return the enumeration for the claims of a page whose standard groups are explored, too."""
    found = declared.kind(name)
    steps = compared(partial(declared.comparison, name), checks_of)
    return replace(found, found=steps, against=and_groups(found.against))


def against_groups(claim: Claim, enumerated: Enumerated) -> list[str]:
    """Return contradictions to a claim that should be PROVED: explored groups that violate it.

    These groups satisfy the claim's assumptions.
    """
    said = []
    for found in enumerated.of(EXPLORED) if claim.expected is Verdict.PROVED else ():
        for name, watch in watches(found.name).items():
            if claim.id in watch.claims and found.broken.get(name):
                steps = found.smallest[name].digits[0]
                said.append(
                    f"a violation occurs after {steps} steps of an explored group ({found.name}): {watch.sentence}"
                )
    return said
