"""What has to be so of every claim as both solvers judge it."""

from rebalance_proofs.proofs.results import ClaimResult


def assert_as_expected(result: ClaimResult) -> None:
    """The verdict is the expected one, and every step is proved by both solvers."""
    assert (result.verdict, result.green) == (result.claim.expected, True)
    for step in result.obligations:
        assert step.proved
        assert step.satisfiable
        assert step.replays
    for question in result.questions:
        assert {answer.solver for answer in question.answers} == {"z3", "cvc5"}
