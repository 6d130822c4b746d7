"""Processor time of proofs by kind of claims and stage: ``python -m benchmarks.stages [--no-width] [CLAIM...]``."""

import argparse
import asyncio
import resource
import sys
from collections import Counter
from collections.abc import Sequence
from time import perf_counter

from benchmarks.sampler import Sampler
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.proofs.results import ClaimResult

STAGES = {
    ("proofs/machine/kind.py", "explored"): "exploring",
    ("proofs/machine/kind.py", "searched"): "exploring",
    ("proofs/transition/search.py", ""): "exploring",
    ("proofs/limit.py", ""): "earliest times",
    ("proofs/texts.py", ""): "texts",
    ("proofs/machine/run.py", "unrolled"): "runs as terms",
    ("proofs/machine/run.py", ""): "replays",
    ("proofs/prove.py", "_met"): "replays",
    ("proofs/mutation/free.py", "asked"): "what mutants change",
    ("proofs/mutation/free.py", "untouched"): "what mutants change",
    ("proofs/obligation.py", "Obligation.same"): "what mutants change",
    ("proofs/mutation/ask.py", "_fails"): "replays",
    ("proofs/mutation/ask.py", "failing_size"): "mutants' sizes",
    ("proofs/mutation/ask.py", "_drawn"): "mutants' sizes",
    ("proofs/mutation/free.py", ""): "mutants",
    ("proofs/mutation/ask.py", ""): "mutants",
    ("proofs/vacuity/ask.py", "_meant"): "width: compiling",
    ("proofs/vacuity/ask.py", "_text"): "width: texts",
    ("proofs/vacuity/ask.py", "_at"): "width: replays",
    ("proofs/vacuity/ask.py", ""): "width",
    ("proofs/search.py", ""): "searches",
    ("concurrent/futures/", ""): "asking",
    ("asyncio/", ""): "asking",
}


def main(words: Sequence[str]) -> None:
    """Judge the claims kind by kind, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stages", description=__doc__)
    parser.add_argument("claims", nargs="*")
    parser.add_argument("--no-width", action="store_true")
    options = parser.parse_args(words)
    of_kind: dict[str, list[Claim]] = {}
    for claim in select(options.claims):
        of_kind.setdefault(claim.kind, []).append(claim)
    for kind, claims in of_kind.items():
        print("\n".join(_lines(kind, claims, width=not options.no_width)), flush=True)


def _lines(kind: str, claims: Sequence[Claim], *, width: bool) -> list[str]:
    began, children = perf_counter(), _children()
    with Sampler(STAGES) as sampler:
        results = asyncio.run(prove(claims, Options(jobs=1, width=width)))  # in this process, where it is looked at
    solvers = _solvers(results)
    rest = _children() - children - sum(solvers.values())
    rows = {f"{name}: {count:,} answers": seconds for (name, count), seconds in solvers.items()}
    rows |= {"workers besides": rest}
    total = sum(sampler.seconds.values())
    return [
        f"{kind}: {len(claims)} claims, {perf_counter() - began:.1f} s by the clock, {total:.1f} s in the main thread",
        *(f"  {seconds:8.1f} s {stage}" for stage, seconds in sampler.seconds.most_common()),
        *(f"  {seconds:8.1f} s {what}" for what, seconds in rows.items()),
    ]


def _solvers(results: Sequence[ClaimResult]) -> dict[tuple[str, int], float]:
    answers = {id(answer): answer for result in results for question in result.questions for answer in question.answers}
    seconds, count = Counter[str](), Counter[str]()
    for answer in answers.values():
        seconds[answer.solver] += answer.seconds
        count[answer.solver] += 1
    return {(name, count[name]): seconds[name] for name in seconds}


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(sys.argv[1:])
