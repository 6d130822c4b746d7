"""A check as the run does it, but in this process: piece by piece, added up, recorded, judged."""

from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.jobs import findings, here


def said_of(check: Check) -> tuple[str, ...]:
    """What the run would list as failures."""
    (found,) = findings([check], here([check]))
    return failures(found)
