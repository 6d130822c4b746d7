"""Assertion about every claim that both solvers have judged."""

from rebalance_proofs.proofs.results import ClaimResult


def assert_as_expected(result: ClaimResult) -> None:
    """Assert that the verdict is the expected one, and that both solvers prove every step.

    What a model shows that was evaluated, one solver was asked at most.
    """
    assert (result.verdict, result.green) == (result.claim.expected, True)
    for step in result.obligations:
        assert step.proved
        assert step.satisfiable
        assert step.replays
    for question in result.questions:
        assert {answer.solver for answer in question.answers} == ({"z3", "cvc5"} if question.model is None else {"z3"})
