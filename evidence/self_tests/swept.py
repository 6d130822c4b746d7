"""A small space as the run sweeps it, but in this process: decoded, checked, added up, recorded, judged."""

from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.results import Enumeration
from rebalance_proofs.spark_enum.space import Space
from rebalance_proofs.spark_enum.sweep import Work, checked_parts, enumeration, merged


def sweep_of(check: Check, consumers: int, queues: int) -> Enumeration:
    """The record of the space of up to so many consumers and queues."""
    space = Space(check.world, consumers, queues)
    work = Work(((space, check),))
    ((totals,), (seconds,)) = merged(work, checked_parts(work, range(space.codes)))
    return enumeration(space, check, totals, seconds)


def said_of(check: Check, consumers: int, queues: int) -> tuple[str, ...]:
    """What the run would list as failures."""
    return failures(sweep_of(check, consumers, queues))
