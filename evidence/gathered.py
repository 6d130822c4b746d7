"""What a command says about itself at its end: its self-tests, and how much of the required work is there."""

from collections.abc import Sequence
from dataclasses import dataclass

from evidence.asked import Asked
from evidence.mutants import violation_tests
from evidence.required import required
from evidence.self_tests import self_tests
from model.conformance import Conformance
from proofs.results import ClaimResult
from report.evidence import Required, SelfTest
from spark_enum.results import Enumerated


@dataclass(frozen=True)
class Evidence:
    """For the record of the run."""

    self_tests: tuple[SelfTest, ...]
    required: tuple[Required, ...]


def gathered(
    asked: Asked,
    claims: Sequence[ClaimResult] = (),
    enumerated: Enumerated | None = None,
    conformance: Conformance | None = None,
) -> Evidence:
    """Of what was asked: tries the comparers that it used, and reckons how much there has to be of it."""
    tests = (*violation_tests(claims), *self_tests(asked, conformance))
    return Evidence(tests, required(asked, claims, enumerated, conformance))
