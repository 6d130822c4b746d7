"""One claim in full, as lines of text: statement, outcome, reasons, and where to read on."""

from collections.abc import Iterator

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import ClaimResult, ObligationResult
from rebalance_proofs.proofs.structural import FOLLOWS, STRUCTURAL
from rebalance_proofs.report.behind import behind
from rebalance_proofs.report.english import count, listing
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.files import TEXTS, path_of
from rebalance_proofs.report.index.entries import entries
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.see import see
from rebalance_proofs.report.seen import seen
from rebalance_proofs.report.symptoms.of_claims import roles


def heading(claim: Claim) -> Iterator[str]:
    """The claim's statement as in the ledger, with its assumptions, source and evidence."""
    yield claim.id
    yield f"  {readable(claim.sentence)}"
    yield from (f"  {said}" for said in (shown(claim).about(claim), *shown(claim).given(claim).splitlines()) if said)
    yield f"  Expected: {claim.expected}, {claim.scope}."
    if claim.id in STRUCTURAL:
        yield f"  By construction: {STRUCTURAL[claim.id]}."
    if claim.id in FOLLOWS:
        follows = FOLLOWS[claim.id]
        yield f"  Follows from {listing(follows.claims)}: {follows.why}."
    if claim.id in entries():
        yield from (f"  Explored: {command}" for command in entries()[claim.id].explored)
    yield f"  Source: {claim.source}"
    yield f"  {seen(claim).words}"


def outcome(result: ClaimResult) -> Iterator[str]:
    """The claim's verdict, what it rests on, and the files to read."""
    claim = result.claim
    yield ""
    yield f"{result.verdict}{'' if result.green else ', NOT AS EXPECTED'}"
    if not result.green:
        yield from (f"  {readable(failure)}" for failure in failures(result))
    if result.search and result.search.counterexample:
        example = result.search.counterexample
        yield f"  The smallest counterexample: {shown(claim).size(example)}."
        yield from (f"    {line}" for line in shown(claim).lines(claim, example))
        yield from (f"  Step by step: {command}" for command in see(claim)[:1])
    if told := roles(claim.id):
        yield ""
        yield "What you see of it, and what helps"
        for role in told:
            yield f"  {role.effect.symptom.question} {role.cause.name}: this claim {role.part.value}."
            yield from (f"    Helps: {words}" for words in role.helps)
    if result.obligations:
        path = path_of(result)
        yield ""
        yield f"{count(len(result.obligations), 'obligation')}, each about all values"
        for found in result.obligations:
            yield f"  {found.name}: {found.sentence}"
            yield f"    {_proof(found)}; {path(found.proof)}"
    if result.mutants:
        yield ""
        yield "Mistakes that it has to notice"
        for mutant in result.mutants:
            noticed = f"broken: {listing(mutant.noticed_by)}" if mutant.killed else "NOT noticed"
            yield f"  {mutant.name}: {mutant.sentence} {noticed}."
    yield ""
    yield "Where to read on"
    files = behind(claim)
    width = max(map(len, files))
    yield from (f"  {file:{width}}  {listing(what)}" for file, what in files.items())
    yield ""
    yield "Once more, with its texts and a report"
    yield f"  rebalance prove '{claim.id}' --output DIR    # texts: DIR/{TEXTS}, see report.html there"


def _proof(found: ObligationResult) -> str:
    said = ", ".join(
        f"{answer.solver} {answer.outcome}{' KEPT' if answer.kept else ''}" for answer in found.proof.answers
    )
    proved = "proved" if found.proved else "not proved"
    noticed = f", notices {found.teeth.noticed}" if found.teeth and found.teeth.noticed else ""
    return f"{proved} ({said}){noticed}"
