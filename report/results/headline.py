"""The verdict of a run in one sentence, and one line for each kind of evidence behind the verdict."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import unescape

from rebalance_proofs.proofs.certified.found import Certified
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.mutation.result import Bite
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.checked import enumerations
from rebalance_proofs.report.claims.mark import EXPLAINED, Mark
from rebalance_proofs.report.claims.matrix import Matrix
from rebalance_proofs.report.claims.seen import seen
from rebalance_proofs.report.claims.steps import TraceVariable
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.results.run import Run
from rebalance_proofs.report.subjects import releases_of
from rebalance_proofs.report.symptoms.asked import whose
from rebalance_proofs.report.text.english import capitalized, count, listing

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


# Explanations of the tables' column heads on the HTML page, one sentence each.

HEAD = re.compile(r'<th scope="col">([^<]*)</th>')

FIXED: Mapping[str, str] = {
    "Actions of the client": "The client's actions on the queue in the rebalance. Numbers count over all queues.",
    "Answers": "Each solver's answer and its time. unsat: no exception exists; sat: there is one.",
    "Before": "The queue's entry in the client's table when the rebalance begins.",
    "After": "The queue's entry in the client's table when the rebalance has ended.",
    "Bounds": "The largest numbers of queues (q) and consumers (c) that were tried. A bound is no proof.",
    "Assumptions satisfiable": "Whether a case meets all assumptions of the formula. It ran on the client's code.",
    "Breaks the guarantee": "Whether a case was found in which the mutant breaks the guarantee.",
    "Broken by": "The wrong encoding that breaks the obligation in its mutation test.",
    "Broken in cases": "The number of cases in which the claim does not hold, for each mode of the client.",
    "Case": "The dropped assumption, or another setting of the strategy; otherwise, all assumptions hold.",
    "Cases": "The number of cases that were run. = means that the number equals a closed form.",
    "Checks": "The number of recorded results that were compared with the model.",
    "Claims about": "The strategies or clients, and the first part of this page with claims about them.",
    "Number of claims": "The number of claims in this run.",
    "Mark": EXPLAINED,
    "Recorded": "The number of recorded results that equal the model's results, or what recorded groups did.",
    "Claim": "The claim, by its id.",
    "Comparison": "The client, and its mode, whose code was compared with the terms.",
    "Consumers before": "The number of consumers before one more joined.",
    "Differences": "Sizes at which solver and enumerator disagree.",
    "Differing cases": "Cases in which the client's code and the terms differ.",
    "Differing groups": "Groups in which the client's code and the terms differ.",
    "Digest": "A number computed from all results of the space; it does not depend on their order.",
    "Disagreements": "Recorded results that differ from the model's.",
    "Enumerator": "The smallest size at which the enumerator finds a violation.",
    "Fewest (place)": "The queues that change owners at the new consumer's best place in the list; 0 sorts first.",
    "File": "A file of results that real clients computed.",
    "Groups": "The number of groups that were built. = means that the number equals a closed form.",
    "In words": "The formula in words.",
    "Joins": "The number of joins that were counted. = means that the number equals a closed form.",
    "Malformed rows": "Rows that could not be read.",
    "Most (place)": "The queues that change owners at the new consumer's worst place in the list; 0 sorts first.",
    "Mutant": "A deliberate mistake in the encoding.",
    "Needed": "The fewest queues that must change owners to balance the shares.",
    "Not as proved": "Cases that a proved claim excludes.",
    "Not compared": "Rows outside the model, with the reason.",
    "Rejected by": "The obligations that no solver proves for the mutant.",
    "Obligation": "One formula that must be proved. All obligations of a claim together imply its sentence.",
    "Unusual values": "How many answers or states may be unusual at once in the tried cases.",
    "Positions compared": "The number of queue positions compared between the client's code and the terms.",
    "Rows missing": "Whether the file has fewer rows than were recorded.",
    "Vacuity check": "How many of the values that the assumptions must allow were found in a model of the assumptions.",
    "Guarantee": "What a rebalance guarantees.",
    "Queue": "A queue of the topic.",
    "Queues": "The number of queues in a case.",
    "Rewordings proved": "Whether the formula was also proved with other names and in another order.",
    "Rows": "The number of results in the file.",
    "Same size": "Whether solver and enumerator found smallest counterexamples of the same size.",
    "Size": "The number of consumers and queues in the query. sat: a counterexample has that size.",
    "Sizes": "The number of sizes at which solver and enumerator were compared.",
    "Smallest": "The size of the smallest case that breaks the claim.",
    "Solver": "The smallest size at which the solvers find a violation.",
    "States and answers of a queue": "The number of distinguished states and answers; all: every one.",
    "Step": "The step's number; 0 is the initial state.",
    "Strategies": "The strategies that are enumerated together.",
    "Strategy": "The allocation strategy, by its configured name; in brackets, the client that ships it.",
    "Time": "The time spent; in a trace, the time since its beginning.",
    "Time in the solver": "The solvers' time for all sizes.",
    "Used as": "The mode: kind of consumer, listener, message model.",
    "Versions": "The two versions that are compared.",
    "Violated in groups (smallest c, q)": "The number of groups that violate each guarantee, and the smallest of them.",
    "What happens": "The step's action, and the changes after it.",
    "What is compared": "The two sides that must agree.",
    "In the first rebalance": "The client's actions on the queue in this rebalance. Numbers count over all queues.",
    "In the second rebalance": "The client's actions on the queue in this rebalance. Numbers count over all queues.",
    "When": "The conditions.",
    "consumers": "The number of consumers; for moves, before one more joins. Further columns are numbers of queues.",
}
"""Explanation by column head, for column heads that are written in the page's templates."""


def heads(page: str, tables: Iterable[Matrix[ClaimResult]], things: Iterable[TraceVariable]) -> dict[str, str]:
    """Return the explanation of each column head that occurs in the text ``page``."""
    every = dict(FIXED) | {thing.name: thing.explained for thing in things} | _of_families(tables)
    here = sorted({unescape(head) for head in HEAD.findall(page)}, key=lambda head: (head.casefold(), head))
    return {head: every[head] for head in here if head in every}


def _of_families(tables: Iterable[Matrix[ClaimResult]]) -> dict[str, str]:
    """Return explanations of the heads of verdict tables, which name guarantees and clients."""
    found: dict[str, str] = {}
    for table in tables:
        for name in table.family.corner:
            found.setdefault(name, FIXED.get(name, f"The row's name in {table.family.title}."))
        for results in table.cells.values():
            for result in results:
                found.setdefault(shown(result.claim).column(result.claim), _column(result.claim))
    return found


def _column(claim: Claim) -> str:
    """Return the explanation of the claim's column head: the guarantee, or the client's releases."""
    name = shown(claim).column(claim)
    if name == claim.guarantee.name:
        return f"{capitalized(claim.guarantee.sentence)}."
    releases = listing(whose(release) for release in releases_of(claim))
    return f"Claims about {name}{f': {releases}' if releases else ''}."
