"""The verdict of a run in one sentence, and one line for each kind of evidence behind the verdict."""

from collections import Counter
from collections.abc import Sequence

from rebalance_proofs.proofs.certified.found import Certified
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.mutation.result import Bite
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.claims.mark import Mark
from rebalance_proofs.report.claims.seen import seen
from rebalance_proofs.report.failures import enumerations
from rebalance_proofs.report.results.run import Run
from rebalance_proofs.report.text.english import count, listing

GREEN = "All as expected"
OTHERWISE = {
    "undecided": (Verdict.UNKNOWN, Verdict.TIMEOUT),
    "vacuous": (Verdict.VACUOUS,),
    "contradictory": (Verdict.DISAGREE,),
}
"""Words for claims that are neither proved nor refuted, with their verdicts."""
MOST = 50
"""Largest number of failures that a page or a summary lists; results.json has all failures."""


def headline(run: Run) -> str:
    """Return the verdict of the run in one sentence: what was checked, and what does not hold.

    The sentence begins with ``GREEN`` only if the run is green. The terminal, summary.md and the page print it.
    """
    return "".join(verdict(run))


def verdict(run: Run) -> tuple[str, str]:
    """Return (verdict of the run, rest of the headline).

    The rest is empty if nothing was checked.
    """
    said, wrong = _verdict(run)
    parts = [part for part in (wrong, checked(run)) if part]
    return said, f": {'; '.join(parts)}" if parts else ""


def _verdict(run: Run) -> tuple[str, str]:
    """Return the verdict of the run, such as ``GREEN``, and the number of failures in words."""
    every = count(len(run.failures), "failure")
    if not run.complete:
        others = len(run.failures) - 1
        return "INCOMPLETE", "the run ended early" + (f", with {count(others, 'failure')}" if others else "")
    if run.changes and run.changes.worse:
        return "WORSE THAN THE BASELINE", f"{count(len(run.changes.worse), 'regression')}, {every}"
    if run.green:
        return GREEN, ""
    if run.changes:
        return "NOT AS EXPECTED, BUT NO WORSE THAN THE BASELINE", count(len(run.changes.known), "known failure")
    return "NOT AS EXPECTED", every


def checked(run: Run) -> str:
    """Return what was checked: ``20 claims checked, 13 hold and 7 do not hold, 5 of them without ...``.

    Without claims, return the first of the other facts; without any, an empty text.
    """
    if not run.claims:
        return next(iter(facts(run)), "") if run.enumerated or run.conformance else ""
    verdicts = Counter(result.verdict for result in run.claims)
    held, refuted = verdicts[Verdict.PROVED], verdicts[Verdict.REFUTED]
    parts = [f"{held:,} {'holds' if held == 1 else 'hold'}"] * bool(held)
    for words, which in OTHERWISE.items():
        number = sum(verdicts[verdict] for verdict in which)
        parts += [f"{number:,} {'is' if number == 1 else 'are'} {words}"] * bool(number)
    parts += [f"{refuted:,} {'does' if refuted == 1 else 'do'} not hold"] * bool(refuted)
    said = f"{count(len(run.claims), 'claim')} checked, {listing(parts)}"
    despite = sum(fails(result) and not result.claim.world.dropped for result in run.claims)
    return f"{said}, {despite:,} of them without dropping an assumption" if despite else said


def fails(result: ClaimResult) -> bool:
    """Return whether the claim does not hold."""
    return result.verdict is Verdict.REFUTED


def facts(run: Run) -> tuple[str, ...]:
    """Return phrases on how much was checked: solver queries, enumerated cases, recorded results."""
    found = []
    if run.claims:
        found += [judged(run.claims), real(run)]
        questions = {
            question.text
            for result in run.claims
            for question in result.questions
            if not all(answer.kept for answer in question.answers)
        }
        found.append(queries(len(questions)))
        found += obligations(run)
    if run.enumerated:
        found += [fact for one in enumerations() for fact in one.facts(run.enumerated)]
    if run.conformance:
        found.append(f"{count(run.conformance.checks, 'recorded result')} of real clients compared")
        if run.conformance.absent:
            absent = ", ".join(run.conformance.absent)
            found.append(f"{count(len(run.conformance.absent), 'file')} of recorded results missing: {absent}")
    if run.certified:
        found.append(certified(run.certified))
    found += run.left_out
    if run.self_tests or run.required:
        found.append(evidence(run))
    return tuple(found)


def queries(number: int) -> str:
    """Return a number of solver queries in words: ``1 solver query``, ``1,200 solver queries``."""
    return f"{number:,} solver {'query' if number == 1 else 'queries'}"


def certified(found: Certified) -> str:
    """Return the number of formulas with certificates: ``Certificates: 100 of 100 formulas, drawn from 2,108``."""
    drawn = len(found.drawn)
    said = f"Certificates: {found.certified:,} of {count(drawn, 'formula')}"
    return f"{said}, drawn from {found.formulas:,}" if drawn < found.formulas else said


def judged(results: Sequence[ClaimResult]) -> str:
    """Return the number of claims with each verdict: ``10 claims: 6 PROVED, 4 REFUTED``."""
    verdicts = Counter(result.verdict for result in results)
    said = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in Verdict if verdicts[verdict])
    return f"{count(len(results), 'claim')}: {said}"


def kept(results: Sequence[ClaimResult]) -> str:
    """Return the number of reused answers: ``12 of 14 answers KEPT``; empty if there are none."""
    answers = [answer for result in results for question in result.questions for answer in question.answers]
    found = sum(answer.kept for answer in answers)
    return f"{found:,} of {count(len(answers), 'answer')} KEPT" if found else ""


def real(run: Run) -> str:
    """Return how recordings support the claims: ``Recordings of real clients: 274 claims observed, 378 ...``."""
    return f"Recordings of real clients: {marked(run)}"


def marked(run: Run) -> str:
    """Return the number of claims with each conformance mark: ``274 claims observed, 378 ...``."""
    marks = Counter(seen(result.claim, run.compared).mark for result in run.claims)
    first, *others = (mark for mark in Mark if marks[mark])
    return ", ".join([f"{count(marks[first], 'claim')} {first}", *(f"{marks[mark]:,} {mark}" for mark in others)])


def obligations(run: Run) -> list[str]:
    """Return the results of proofs' mutation tests and vacuity checks, and of lemma tests.

    Empty if no proof had a mutation test.
    """
    steps = {step.proof.text: step for result in run.claims for step in result.obligations if step.teeth}.values()
    if not steps:
        return []
    kinds = Counter(step.teeth.bite for step in steps if step.teeth)
    others = ", ".join(f"{kinds[kind]:,} {kind}" for kind in Bite if kinds[kind] and kind is not Bite.TEETH)
    told = [f"Mutation tests: {kinds[Bite.TEETH]:,} of {count(len(steps), 'obligation')} broken by a wrong encoding"]
    told[0] += f", {others}" if others else ""
    known = sum(len(step.modelled) for step in steps)
    if known:
        told.append(f"{queries(known)} answered by evaluating recorded models")
    wide = [step.width for step in steps if step.width]
    if wide:
        seed = f" (seed {run.options['seed']})" if "seed" in run.options else ""
        told.append(f"Vacuity checks passed: {sum(width.wide for width in wide):,} of {len(wide):,}{seed}")
    else:
        told.append("Vacuity checks: not run")
    instances = sum(step.instances.tried for step in steps)
    return [*told, f"{count(instances, 'lemma instance')} tried with real numbers"]


def evidence(run: Run) -> str:
    """Return the results of the run's self-tests: ``Self-tests passed: 80 of 80; required work: ...``."""
    tests = f"Self-tests passed: {sum(test.noticed for test in run.self_tests):,} of {len(run.self_tests):,}"
    done = f"required work done: {sum(work.ok for work in run.required):,} of {count(len(run.required), 'count')}"
    return "; ".join([*([tests] if run.self_tests else []), *([done] if run.required else [])])
