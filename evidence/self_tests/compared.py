"""Run a check as in a real run, but in this process.

Its parts are checked one by one, added up, recorded and judged.
"""

from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.jobs import findings, here


def said_of(check: Check) -> tuple[str, ...]:
    """Run the check, and return the failures that a run would list for it."""
    (found,) = findings([check], here([check]))
    return failures(found)
