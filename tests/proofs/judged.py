"""Claims of one room judged by both solvers, their obligations in three other wordings too."""

import asyncio
from collections.abc import Iterable

from proofs.claim import Claim
from proofs.prove import Options, prove
from proofs.results import ClaimResult


def judge(claims: Iterable[Claim]) -> dict[str, ClaimResult]:
    """By their ids."""
    return {
        result.claim.id: result
        for result in asyncio.run(prove(tuple(claims), Options(stability=3, teeth=False, width=False)))
    }


def assert_as_expected(result: ClaimResult) -> None:
    """The verdict is the expected one, and every step is proved by both solvers, however it is worded."""
    assert (result.verdict, result.green) == (result.claim.expected, True)
    for step in result.obligations:
        assert step.proved
        assert step.satisfiable
        assert step.replays
        assert not step.unstable
    for question in result.questions:
        assert {answer.solver for answer in question.answers} == {"z3", "cvc5"}
