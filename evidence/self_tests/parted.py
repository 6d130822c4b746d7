"""A part of the enumeration of transitions as the run compares it, but in this process."""

from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.transition.totals import Totals
from rebalance_proofs.spark_enum.transition.transitions import Named, Part, Work, comparison


def said_of(kind: str, client: str, part: Part) -> tuple[str, ...]:
    """What the run would list as failures when it compares the part."""
    named = Named(kind, client, "", 0, 0, part)
    work = Work((part,))
    totals = Totals()
    for piece in range(work.ends[-1]):
        totals.merge(work(piece)[1])
    return failures(comparison(named, totals, 0.0))
