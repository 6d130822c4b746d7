"""One claim in full, as lines of text (``rebalance show --all``)."""

from collections.abc import Iterator

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import ClaimResult, ObligationResult
from rebalance_proofs.proofs.structural import FOLLOWS, STRUCTURAL
from rebalance_proofs.report.behind import behind
from rebalance_proofs.report.claims.seen import seen
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.in_brief import PARTS, verdict
from rebalance_proofs.report.index.entries import entries
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.results.files import TEXTS, path_of
from rebalance_proofs.report.see import see
from rebalance_proofs.report.subjects import suited
from rebalance_proofs.report.symptoms.causes import roles
from rebalance_proofs.report.symptoms.todo import symptoms
from rebalance_proofs.report.text.english import count, listing
from rebalance_proofs.report.text.grouped import grouped
from rebalance_proofs.report.text.wrapping import whole


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
        yield from _symptoms(claim)
    if result.obligations:
        path = path_of(result)
        yield ""
        yield f"{count(len(result.obligations), 'obligation')}, each for all values"
        for one in result.obligations:
            yield f"  {one.name}: {one.sentence}"
            yield f"    {_proof(one)}; {path(one.proof)}"
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


def _symptoms(claim: Claim) -> Iterator[str]:
    """Yield the symptoms that the claim shows, excludes or limits, with all fixes."""
    for (part, helps), own in grouped(roles(claim.id), lambda role: (role.part, role.helps)).items():
        yield f"  {PARTS[part]}: {symptoms((role.effect.symptom, role.cause.name) for role in own)}."
        apply = {one.words for role in own for one in suited(claim, role.cause.helps)}
        yield from (f"    Fix: {words}" for words in helps if words in apply)


def _proof(found: ObligationResult) -> str:
    answers = ", ".join(
        f"{answer.solver} {answer.outcome}{' KEPT' if answer.kept else ''}" for answer in found.proof.answers
    )
    proved = "proved" if found.proved else "not proved"
    noticed = f", notices {found.teeth.noticed}" if found.teeth and found.teeth.noticed else ""
    return f"{proved} ({answers}){noticed}"
