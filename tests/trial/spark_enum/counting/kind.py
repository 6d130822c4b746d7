"""Every schedule of up to so many steps: the code beside its compiled terms, and the guarantees on what it did."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b

import numpy as np
import z3

from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.counting.machine import DONE, CountingEncoding, Machine, after, run
from rebalance_proofs.proofs.counting.machine import Run as Went
from rebalance_proofs.proofs.counting.schedules import Situation
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.check import Check, Run
from rebalance_proofs.spark_enum.kind import Kind
from rebalance_proofs.spark_enum.results import Enumerated, Finding, Wrong
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.totals import Totals

SCHEDULES = "schedules"


@cache
def kernel(machine: Machine, steps: int) -> Kernel:
    """Over who goes, step by step: the counter in the end, and whether both are done."""
    found = Situation(machine.encoding, steps)
    done = z3.And([place == DONE for place in found.end.place])
    return compile_kernel([str(worker) for worker in found.schedule], found.end.counter, done)


@dataclass(frozen=True)
class Schedules:
    """One piece for each number of steps."""

    claim: Claim

    def check(self) -> Check:
        """Of n steps there are two to the power of n."""
        steps = self.claim.world.most_steps
        return Check(SCHEDULES, self.claim.id, steps, 2 ** (steps + 1) - 2, self, self.claim.subjects[0].name)

    def __call__(self, piece: int, keep: Keep | None = None) -> Totals:
        (machine,), steps, totals = self.claim.subjects, piece + 1, Totals()
        schedules = list(self.claim.world.of(steps))
        told = kernel(machine, steps)(*np.array(schedules).T)
        counters, finished = (np.broadcast_to(column, len(schedules)) for column in told)
        totals.broken[self.claim.guarantee.name] = 0
        for place, schedule in enumerate(schedules):
            done = run(machine, schedule)
            totals.counted += 1
            text = f"{schedule} {done.counters} {done.finished}"
            totals.adds(int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big"))
            if (done.counters[-1], done.finished) != (counters[place], bool(finished[place])):
                totals.differs(Wrong((2, steps), schedule, f"code {text}, terms {counters[place]}"))
            said = self.claim.guarantee.violation(done)
            if said:
                totals.breaks(self.claim.guarantee.name, Wrong((2, steps), schedule, said))
        if keep:
            told = [str(run(machine, one).counters) for one in schedules]
            keep(digits=np.array(schedules, dtype=np.int64), found=told)
        return totals


def found(run: Run, claims: Sequence[Claim], bounds: Bounds, solver: str) -> Iterator[tuple[Finding, ...]]:
    """One job."""
    checks = [Schedules(claim).check() for claim in claims]
    yield tuple(check.finding(totals) for check, totals in zip(checks, run(checks), strict=True))


def against(claim: Claim, enumerated: Enumerated, result: ClaimResult | None) -> list[str]:
    """Whether it is broken where it should not be, or elsewhere than the solvers say."""
    swept = enumerated.named(SCHEDULES, claim.id)
    least = swept.least if swept else None
    example = result.search.counterexample if result and result.search else None
    if claim.expected is Verdict.PROVED and least:
        return [f"broken in {least.size[1]} steps. {least.sentence}"]
    if example and least and example.departures != least.size[1]:
        return [f"smallest counterexample: solver {example.departures} steps, enumerator {least.size[1]}"]
    return []


def mistaken(claim: Claim, encoding: CountingEncoding, model: Mapping[str, int], size: Sequence[int]) -> str | None:
    """What the guarantee says of what wrong terms do with the schedule of a model."""
    schedule = tuple(model.get(f"goes{step}", 0) for step in range(size[0]))
    ends = [after(encoding, [z3.IntVal(worker) for worker in schedule[:steps]]) for steps in range(1, size[0] + 1)]
    counters = tuple(z3.simplify(end.counter).as_long() for end in ends)
    finished = all(z3.simplify(place).as_long() == DONE for place in ends[-1].place)
    return claim.guarantee.violation(Went(claim.subjects[0], schedule, counters, finished))


COUNTING = Kind(jobs=lambda claims, bounds: 1, found=found, against=against, mistaken=mistaken)
