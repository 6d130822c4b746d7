"""Proofs about a user's code in words: which code, and what is not proved."""

from collections.abc import Iterator

from rebalance_proofs.report.english import count, listing
from rebalance_proofs.report.own.answer import Answer

MEANINGS = {
    "returns": "every consumer gets a list, and no index is out of its list",
    "inside": "a result has queues of mqAll alone, and none twice",
    "disjoint": "no queue is given to two consumers",
    "balanced": "sizes differ by at most one",
    "covers": "every queue is given to some consumer",
}


def _with(answer: Answer) -> str:
    """Constants that the module computed when it was loaded, and which may differ the next time."""
    constants = next((proof.constants for proof in answer.proofs if proof.constants), {})
    return f", with {listing(f'{name} = {value}' for name, value in constants.items())}" if constants else ""


def proved(answer: Answer) -> Iterator[str]:
    """One line for each guarantee, or one for all if none is proved for a common reason."""
    if not answer.proofs:
        return
    code = next((proof.code for proof in answer.proofs if proof.code), answer.strategy.name)
    yield (
        f"For all numbers of queues and consumers, where all consumers see the same and find their own id once, by Z3 "
        f"and cvc5, of {code} and what it calls, as they are now{_with(answer)}:"
    )
    reasons = {proof.reason for proof in answer.proofs}
    if len(answer.proofs) > 1 and len(reasons) == 1 and not any(proof.proved for proof in answer.proofs):
        yield f"  not proved  {', '.join(proof.name for proof in answer.proofs)}: {reasons.pop()}"
        return
    for proof in answer.proofs:
        meaning = MEANINGS[proof.name]
        if proof.proved:
            how = f"; {proof.reason}" if proof.reason else ""
            yield f"  PROVED      {proof.name}: {meaning} ({count(len(proof.questions), 'step')}{how})"
        else:
            yield f"  not proved  {proof.name}: {meaning}: {proof.reason}"
    for name in answer.contradicted:
        yield f"  DISAGREE    {name} is proved, and broken in a group: a fault of this program, please report it"
