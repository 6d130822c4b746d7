"""A report in one line: whether the run is green, how much was examined, and the results of comparisons."""

from collections import Counter
from collections.abc import Sequence

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.mutation.result import Bite
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.checked import enumerations
from rebalance_proofs.report.english import count
from rebalance_proofs.report.mark import Mark
from rebalance_proofs.report.run import Run
from rebalance_proofs.report.seen import seen

GREEN = "All as expected"
MOST = 50
"""Most failures listed on a page or in a summary; results.json has all of them."""


def headline(run: Run) -> str:
    """One line; begins with ``GREEN`` only if the run is green."""
    if not run.complete:
        others = len(run.failures) - 1
        return "INCOMPLETE: the run ended early" + (f", with {count(others, 'failure')}" if others else "")
    if run.changes and run.changes.worse:
        return f"WORSE THAN THE BASELINE in {count(len(run.changes.worse), 'thing')}; {_failures(run)}"
    if run.green:
        return GREEN
    if run.changes:
        return f"NOT AS EXPECTED, AND NO WORSE THAN THE BASELINE: {count(len(run.changes.known), 'known failure')}"
    return f"NOT AS EXPECTED: {_failures(run)}"


def _failures(run: Run) -> str:
    return count(len(run.failures), "failure")


def facts(run: Run) -> tuple[str, ...]:
    """Phrases that say how much was examined, by each witness."""
    found = []
    if run.claims:
        found += [judged(run.claims), real(run)]
        questions = {
            question.text
            for result in run.claims
            for question in result.questions
            if not all(answer.kept for answer in question.answers)
        }
        found.append(f"{count(len(questions), 'question')} put to the solvers")
        found += obligations(run)
    if run.enumerated:
        found += [fact for one in enumerations() for fact in one.facts(run.enumerated)]
    if run.conformance:
        found.append(f"{count(run.conformance.checks, 'recorded result')} of real clients compared")
        if run.conformance.absent:
            absent = ", ".join(run.conformance.absent)
            found.append(f"{count(len(run.conformance.absent), 'file')} of recorded results not there: {absent}")
    found += run.left_out
    if run.self_tests or run.required:
        found.append(evidence(run))
    return tuple(found)


def judged(results: Sequence[ClaimResult]) -> str:
    """Number of claims with each verdict: ``10 claims: 6 PROVED, 4 REFUTED``."""
    verdicts = Counter(result.verdict for result in results)
    said = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in Verdict if verdicts[verdict])
    return f"{count(len(results), 'claim')}: {said}"


def real(run: Run) -> str:
    """Conformance with recordings of real clients: ``Real clients: 274 claims observed, 378 not recorded (...)``."""
    return f"Real clients: {marked(run)} (what recordings of real clients show)"


def marked(run: Run) -> str:
    """Number of claims with each conformance mark: ``274 claims observed, 378 not recorded``."""
    marks = Counter(seen(result.claim, run.compared).mark for result in run.claims)
    first, *others = (mark for mark in Mark if marks[mark])
    return ", ".join([f"{count(marks[first], 'claim')} {first}", *(f"{marks[mark]:,} {mark}" for mark in others)])


def obligations(run: Run) -> list[str]:
    """Evidence about the proofs: results of mutation tests and vacuity checks, and lemma instances tried with real
    numbers."""
    steps = {step.proof.text: step for result in run.claims for step in result.obligations if step.teeth}.values()
    if not steps:
        return []
    kinds = Counter(step.teeth.bite for step in steps if step.teeth)
    others = ", ".join(f"{kinds[kind]:,} {kind}" for kind in Bite if kinds[kind] and kind is not Bite.TEETH)
    told = f"{count(len(steps), 'obligation')}: {kinds[Bite.TEETH]:,} broken by a wrong encoding"
    wide = [step.width for step in steps if step.width]
    told += f", {others}" if others else ""
    known = sum(len(step.modelled) for step in steps)
    told += (
        f"; {count(known, 'question')} about them answered by recorded models, which were evaluated" if known else ""
    )
    if wide:
        seed = f" (seed {run.options['seed']})" if "seed" in run.options else ""
        told += (
            f"; the premises of {sum(width.wide for width in wide):,} of {len(wide):,} are as wide as they say{seed}"
        )
    else:
        told += "; how wide their premises are was not asked"
    instances = sum(step.instances.tried for step in steps)
    return [told, f"{count(instances, 'lemma instance')} tried with real numbers"]


def evidence(run: Run) -> str:
    """Results of self-tests and of the count of work: ``80 of 80 self-tests noticed; all required work done``."""
    noticed = sum(test.noticed for test in run.self_tests)
    tests = f"{noticed:,} of {count(len(run.self_tests), 'self-test')} noticed"
    missing = sum(not work.ok for work in run.required)
    counts = count(len(run.required), "count")
    done = f"{missing:,} of {counts} of required work differ" if missing else f"all required work done ({counts})"
    return "; ".join([*([tests] if run.self_tests else []), *([done] if run.required else [])])
