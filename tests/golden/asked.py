"""Digests of what else is asked while claims are judged: by a stand-in that denies whatever it is asked, so that every
obligation is asked in other words, every premise at every size, every step without its encoding and with wrong ones,
and every width that is left open at every number that is drawn.

Most of it decides only whether a proof counts, or after how many questions: verdicts come out alike without it.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Coroutine, Hashable, Iterator, Sequence
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.proofs.models.known import Models
from rebalance_proofs.proofs.mutation.recorded_runs import recorded_run
from rebalance_proofs.proofs.prove import Options, prove_claim
from rebalance_proofs.proofs.solvers import SOLVERS, Answer, Outcome
from rebalance_proofs.proofs.solvers.answer import Covered
from rebalance_proofs.proofs.vacuity.goals import goals
from tests.golden.digested import all_digested, each_digested
from tests.golden.examples import STEPS

JUDGED = (
    "allocation.avg.disjoint",
    "allocation.hash.monotone",
    "allocation.hash.successor",
    "allocation.hash.disjoint.without-same-id-order-or-collisions",
    "allocation.room-go.disjoint",
    "code.room-go",
    "growth.avg.steady",
    "joins.hash.several",
    "movement.circle.reshuffle",
    "topics.avg-per-topic.level",
    "transition.node.changed",
    "transition.node.exact",
    "transition.node.pulls",
    "transition.node.returns",
    "transition.node.heals",
    "transition.node.idempotent",
    "transition.java_v5_2.renewed.push-orderly.when-its-topic-is-not-static",
    "transition.java_v5_2.late-unlock.push-orderly-as-shipped",
    "transition.java_v4_9.partition",
    "transition.java_v4_9_1+java_v4_9_5.same-entries",
    "ordered.java_v4_9.kept-so-long",
    "offsets.java_v4_9+java_v5.mixed",
    "pulls.java_v5_3_3.healed.without-error",
    "settling.java_v5_2_to_v5_3.apart",
    "subscriptions.java_v5_1_3_heartbeat_v2.answered-later",
    "registry.java_v4_9_to_v5_3.listed",
    "registry.java_v4_9_to_v5_3.agree",
)
"""Claims of every kind that hold, and take a moment."""
SEARCHED = (
    "allocation.nearby.idle",
    "allocation.room-go.sublist.with-a-room-twice",
    "transition.java_v5_2.kept.push",
    "transition.java_v5_2.heals.pull-and-lite-pull",
    "transition.java_v5_2.others.with-foreign-queues",
    "transition.java_v5_2.renewed.push-orderly",
    "transition.java_v5_2.returns.push-orderly-as-shipped",
    "transition.java_v5_2.unsubscribed-offset",
    "transition.node.marked.clustering",
    "transition.java_v5_0+java_v5_2.same.push-orderly-as-shipped",
    "pulls.java_v5_2_0.has-request.without-store",
    "settling.java_v4_9_to_v5_1.settles.without-timer",
)
"""Claims that fail: all questions until the smallest counterexample are kept."""
BOUNDED = ("allocation.avg.covers.without-same-mq-all", "allocation.circle.disjoint.without-distinct-ids")
"""Claims about groups of any number of queues, which is then bounded."""
EXPLORED = ("settling", "subscriptions")
"""Kinds of which every run that breaks a claim is found in a moment; of others those that are kept in words, too."""
BOUND = 10**9


class Denies:
    """Stand-in for ``Pool``: nothing can be true."""

    solvers = ("z3",)

    def __init__(self) -> None:
        self.asked: dict[str, list[str]] = defaultdict(list)
        """By method, the texts."""
        self._made: dict[Hashable, Any] = {}

    async def ask(self, solver: str, text: str, seed: int = 0) -> Answer:
        """As ``Pool.ask``."""
        return self._told("one", text)

    async def ask_all(self, text: str, seed: int = 0) -> tuple[Answer, ...]:
        """As ``Pool.ask_all``."""
        return (self._told("all", text),)

    async def cover(self, text: str, flags: Sequence[Sequence[str]]) -> Covered:
        """As ``Pool.cover``."""
        return Covered((), tuple(flag for group in flags for flag in group), self._told("cover", f"{text}{flags}"))

    async def shared(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """As ``Pool.shared``."""
        if key not in self._made:
            self._made[key] = await make()
        return self._made[key]

    def _told(self, how: str, text: str) -> Answer:
        self.asked[how].append(text)
        return Answer("z3", Outcome.UNSAT, 0.0)


class Solves(Denies):
    """Stand-in for ``Pool``: one solver, in this process."""

    async def ask_all(self, text: str, seed: int = 0) -> tuple[Answer, ...]:
        """As ``Pool.ask_all``."""
        outcome, model, reason = SOLVERS["z3"].solve(text)
        return (Answer("z3", outcome, 0.0, model, reason),)


def asked() -> Iterator[str]:
    """What is asked of ``JUDGED``; what counterexamples are asked for; which runs, and which goals."""
    for claim in select([*JUDGED]):
        pool = Denies()
        asyncio.run(prove_claim(claim, pool, Options(models=Models(), stability=1)))
        yield f"{claim.id}: {', '.join(f'{how} {all_digested(texts)}' for how, texts in pool.asked.items())}"
    for claim in select([*SEARCHED]):
        found = asyncio.run(prove_claim(claim, Solves(), Options(models=Models()))).search
        assert found
        yield f"{claim.id}: minimal {found.minimal}, replays {found.replays}, up to {found.limit}"
        yield from (f"  {one.name} {one.outcome} {all_digested([one.text])}" for one in found.questions)
    for claim in select([*BOUNDED]):
        looking = KINDS[claim.kind].looking(claim, Denies())
        yield from (
            f"{claim.id}: {looking.named((2,), most)} {all_digested([looking.text((2,), most)])}" for most in (1, 2)
        )
    yield from filter(None, map(_runs, LEDGER))
    yield from _goals()
    yield from _wrong()


def _runs(claim: Claim) -> str:
    """The texts of the claim's shortest run, and of the first recorded run of one of its mutants."""
    if not claim.holds and (claim.kind in EXPLORED or (claim.id in STEPS and claim.kind != "transition")):
        looking = KINDS[claim.kind].looking(claim, Denies())
        return f"{claim.id}: {' '.join(f'{size} {all_digested([looking.text(size)])}' for size in looking.sizes())}"
    for mutant in (one for one in claim.mutants if recorded_run(claim, one)):
        looking = KINDS[claim.kind].looking(claim, Denies(), mutant)
        size = next(iter(looking.sizes()))
        return f"{claim.id}: {mutant.name} {size} {all_digested([looking.text(size)])}"
    return ""


def _goals() -> Iterator[str]:
    """Goals that premises have to leave open, once for all obligations that have the same."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for claim in LEDGER:
        for step in claim.obligations:
            told = all_digested(f"{name} {formula}" for name, formula in goals(step, BOUND).items())
            found[told][f"{claim.kind} {step.name}"] = None
    for told, names in found.items():
        yield f"goals {told}: {next(iter(names))}, {all_digested(names)}"


def _wrong() -> Iterator[str]:
    """Of each client and strategy, the wrong encodings that obligations are tried with, in their order."""
    for kind, subject in dict.fromkeys((claim.kind, subject) for claim in LEDGER for subject in claim.subjects):
        wrong = ((one.name, f"{one.name} {one.sentence} {one.breaks}") for one in KINDS[kind].wrong(subject))
        yield f"wrong {kind} {subject.name}: {each_digested(wrong)}"
