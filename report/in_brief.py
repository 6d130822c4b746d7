"""One claim on one screen: verdict, counterexample or proof, symptom, fix and next commands."""

from collections.abc import Iterator, Sequence

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.results import ClaimResult, Counterexample, ObligationResult
from rebalance_proofs.proofs.structural import FOLLOWS, STRUCTURAL
from rebalance_proofs.report.behind import behind
from rebalance_proofs.report.claims.runs import joined
from rebalance_proofs.report.claims.seen import seen
from rebalance_proofs.report.conformance import How, Seen
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.index.entries import entries
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.results.files import TEXTS, path_of
from rebalance_proofs.report.see import see
from rebalance_proofs.report.subjects import suited
from rebalance_proofs.report.symptoms.cause import first_choice
from rebalance_proofs.report.symptoms.causes import Part, roles
from rebalance_proofs.report.symptoms.todo import symptoms
from rebalance_proofs.report.text.english import count, listing
from rebalance_proofs.report.text.grouped import grouped
from rebalance_proofs.report.text.wrapping import whole

SOLVERS = {"z3": "Z3"}
FIRST, LAST = 2, 5
"""Numbers of lines that are printed from the beginning and from the end of a long counterexample."""
WORDS = 40
"""Largest number of words in a printed list of assumptions; longer lists are only counted."""
ASSUMES = "Assumes"
"""First word of a line that lists assumptions."""
PARTS = {
    Part.SHOWS: "Symptom",
    Part.EXCLUDES: "Excludes, within its scope",
    Part.BOUNDS: "Limits",
    Part.ENDS: "Bounds the duration of",
    Part.HELPS: "Proves a fix for",
}
"""Printed label for each way in which a claim is about a symptom, such as showing it."""


def verdict(result: ClaimResult) -> str:
    """Return the verdict in a sentence: ``PROVED: allocation.avg.disjoint holds for all ...``."""
    claim = result.claim
    if not result.green:
        return f"{result.verdict}, NOT AS EXPECTED: {claim.id} was expected to be {claim.expected}."
    if result.verdict is Verdict.PROVED:
        return f"{result.verdict}: {claim.id} holds {claim.scope}."
    enough, _, shown_ = claim.scope.partition("; ")
    return f"{result.verdict}: {claim.id} does not hold{f': {enough}' if shown_ else ''}."


def brief(result: ClaimResult) -> Iterator[str]:
    """Yield the lines of ``rebalance show`` without ``--all``."""
    claim = result.claim
    yield verdict(result)
    yield f"  {readable(claim.sentence)}"
    yield from (f"  {line}" for line in _conditions(claim))
    if not result.green:
        yield from (f"  {readable(failure)}" for failure in failures(result))
    yield ""
    example = result.search.counterexample if result.search else None
    if example:
        yield f"Smallest counterexample: {shown(claim).size(example)}"
        yield from (f"  {line}" for line in _shortened(claim, example))
    elif result.obligations:
        yield from _proof(result)
    yield ""
    yield from _symptoms(claim)
    yield f"Real clients: {recorded(seen(claim))}."
    commands = {
        "Step by step": next(iter(see(claim)), ""),
        "Explore": next(iter(see(claim)[1:]), ""),
        "All details": f"rebalance show {claim.id} --all",
    }
    for name, command in commands.items():
        if command:
            yield f"{name + ':':13} {whole(command)}"


def _conditions(claim: Claim) -> Iterator[str]:
    """Yield the claim's scenario and assumptions. Long lists of assumptions are only counted."""
    yield from (line for line in shown(claim).given(claim).splitlines() if line and not line.startswith(ASSUMES))
    if claim.world.dropped:
        yield f"Dropped assumption: {claim.world.drops}."
    words = joined(claim.assumes)
    other = "other " if claim.world.dropped else ""
    if len(words.split()) > WORDS:
        yield f"Under {count(len(claim.assumes), f'{other}assumption')}, which --all lists."
    elif words:
        yield f"{f'{other}assumptions'.capitalize()}: {words}."


def _shortened(claim: Claim, example: Counterexample) -> Sequence[str]:
    """Return the counterexample's lines, without the middle of a long one."""
    lines = shown(claim).lines(claim, example)
    left_out = len(lines) - FIRST - LAST
    if left_out <= 1:
        return lines
    return (*lines[:FIRST], f"... {left_out} more lines: {whole(f'rebalance replay {claim.id}')}", *lines[-LAST:])


def _proof(result: ClaimResult) -> Iterator[str]:
    claim = result.claim
    proved = [one for one in result.obligations if one.proved]
    names = dict.fromkeys(answer.solver for one in result.obligations for answer in one.proof.answers)
    solvers = listing(SOLVERS.get(name, name) for name in names)
    every = count(len(result.obligations), "obligation")
    if len(proved) == len(result.obligations):
        yield f"Proof: {solvers} proved {every}, each for all values."
    else:
        yield f"Proof: {solvers} proved {len(proved):,} of {every}."
    if claim.id in STRUCTURAL:
        yield f"  True by construction: {STRUCTURAL[claim.id]}."
    if claim.id in FOLLOWS:
        yield f"  Follows from {listing(FOLLOWS[claim.id].claims)}: {FOLLOWS[claim.id].why}."
    if result.mutants:
        killed = sum(one.killed for one in result.mutants)
        yield f"Mutation test: {killed:,} of {count(len(result.mutants), 'wrong encoding')} broke an obligation."


def _symptoms(claim: Claim) -> Iterator[str]:
    for part, own in grouped(roles(claim.id), lambda role: role.part).items():
        yield f"{PARTS[part]}: {symptoms((role.effect.symptom, role.cause.name) for role in own)}."
        if part is Part.SHOWS:
            every = (
                [one for one in suited(claim, role.cause.helps) if one.serves(role.effect.symptom)] for role in own
            )
            best = (first_choice(fixes).brief for fixes in every if fixes)
            yield from (f"Fix: {one}" for one in dict.fromkeys(best))
        if part is Part.HELPS:
            proved = (one.brief for role in own for one in suited(claim, role.cause.helps) if one.words in role.helps)
            yield from (f"Fix: {one}" for one in dict.fromkeys(proved))


def recorded(found: Seen) -> str:
    """Return the conformance mark with its reason: ``observed (319 recorded results of Go agree)``."""
    if found.results:
        clients = dict.fromkeys(client.partition(" (")[0] for client in found.results)
        reason = f"{count(sum(found.results.values()), 'recorded result')} of {listing(clients)} agree"
    elif found.how is How.NOTHING:
        reason = found.words.partition(": ")[2].rstrip(".")
    else:
        reason = "; ".join(found.behind)
    return f"{found.word} ({reason})"


# One claim in full, as lines of text (``rebalance show --all``).


def full(result: ClaimResult) -> Iterator[str]:
    """Yield the lines of ``rebalance show --all``: the verdict, the statement, and all evidence."""
    yield verdict(result)
    yield from heading(result.claim)
    yield from outcome(result)


def heading(claim: Claim) -> Iterator[str]:
    """Yield the claim's sentence, assumptions, expected verdict, source and recordings."""
    yield f"  {readable(claim.sentence)}"
    yield from (f"  {line}" for line in (shown(claim).about(claim), *shown(claim).given(claim).splitlines()) if line)
    yield f"  Expected: {claim.expected}, {claim.scope}."
    if claim.id in STRUCTURAL:
        yield f"  By construction: {STRUCTURAL[claim.id]}."
    if claim.id in FOLLOWS:
        follows = FOLLOWS[claim.id]
        yield f"  Follows from {listing(follows.claims)}: {follows.why}."
    if claim.id in entries():
        yield from (f"  Explored: {whole(command)}" for command in entries()[claim.id].explored)
    yield f"  Source: {claim.source}"
    yield f"  Real clients: {seen(claim).words}"


def outcome(result: ClaimResult) -> Iterator[str]:
    """Yield the claim's counterexample or proof, symptoms, fixes, mutation tests and source files."""
    claim = result.claim
    if not result.green:
        yield ""
        yield from (readable(failure) for failure in failures(result))
    if result.search and result.search.counterexample:
        example = result.search.counterexample
        yield ""
        yield f"Smallest counterexample: {shown(claim).size(example)}"
        yield from (f"  {line}" for line in shown(claim).lines(claim, example))
        yield from (f"  Step by step: {whole(command)}" for command in see(claim)[:1])
    if roles(claim.id):
        yield ""
        yield "Symptoms and fixes"
        yield from _every_symptom(claim)
    if result.obligations:
        path = path_of(result)
        yield ""
        yield f"{count(len(result.obligations), 'obligation')}, each for all values"
        for one in result.obligations:
            yield f"  {one.name}: {one.sentence}"
            yield f"    {_whole_proof(one)}; {path(one.proof)}"
    if result.mutants:
        yield ""
        yield "Wrong encodings that a mutation test must notice"
        for mutant in result.mutants:
            noticed = f"broken: {listing(mutant.noticed_by)}" if mutant.killed else "NOT noticed"
            yield f"  {mutant.name}: {mutant.sentence} {noticed}."
    yield ""
    yield "Source files"
    files = behind(claim)
    width = max(map(len, files))
    yield from (f"  {file:{width}}  {listing(what)}" for file, what in files.items())
    yield ""
    yield "Run the proof, and write its texts and a report"
    yield whole(f"  rebalance prove '{claim.id}' --output DIR    # writes DIR/{TEXTS} and DIR/report.html")


def _every_symptom(claim: Claim) -> Iterator[str]:
    """Yield the symptoms that the claim shows, excludes or limits, with all fixes."""
    for (part, helps), own in grouped(roles(claim.id), lambda role: (role.part, role.helps)).items():
        yield f"  {PARTS[part]}: {symptoms((role.effect.symptom, role.cause.name) for role in own)}."
        apply = {one.words for role in own for one in suited(claim, role.cause.helps)}
        yield from (f"    Fix: {words}" for words in helps if words in apply)


def _whole_proof(found: ObligationResult) -> str:
    answers = ", ".join(
        f"{answer.solver} {answer.outcome}{' KEPT' if answer.kept else ''}" for answer in found.proof.answers
    )
    proved = "proved" if found.proved else "not proved"
    noticed = f", notices {found.teeth.noticed}" if found.teeth and found.teeth.noticed else ""
    return f"{proved} ({answers}){noticed}"
