"""Lines about proofs of a user-defined strategy: which code, and which guarantees are proved."""

from collections.abc import Iterator

from rebalance_proofs.report.english import count, listing
from rebalance_proofs.report.own.answer import Answer

MEANINGS = {
    "returns": "every consumer gets a list, and no index is out of range",
    "inside": "a result has only queues of mqAll, and no queue twice",
    "disjoint": "no queue is given to two consumers",
    "balanced": "sizes differ by at most one",
    "covers": "every queue is given to some consumer",
}


def _with(answer: Answer) -> str:
    """Return a list of module constants that the proof relies on, with their values.

    The strategy's module computed them when it was loaded, so they can differ the next time.
    """
    constants = next((proof.constants for proof in answer.proofs if proof.constants), {})
    return f", with {listing(f'{name} = {value}' for name, value in constants.items())}" if constants else ""


def proved(answer: Answer) -> Iterator[str]:
    """Yield a line for each guarantee: proved, or why not. One line if all have the same reason."""
    if not answer.proofs:
        return
    code = next((proof.code for proof in answer.proofs if proof.code), answer.strategy.name)
    yield (
        f"Proofs by Z3 and cvc5 for all numbers of queues and consumers, if all consumers see the same lists with "
        f"their own id once. They are about the present code of {code} and of its callees{_with(answer)}:"
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
        yield f"  DISAGREE    {name} is proved, but broken in a group: a bug in this program, please report it"
