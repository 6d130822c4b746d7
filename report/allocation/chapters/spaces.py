"""Chapter with a table of the sets of groups that the enumerator tries, and the number of groups in each.

The number comes from a formula, so that it is independent of the enumerator.
"""

from collections.abc import Sequence

from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.markdown_tables import table
from rebalance_proofs.report.names import subject
from rebalance_proofs.spark_enum.allocation.group_check import checks
from rebalance_proofs.spark_enum.bounds import Bounds

HEAD = """## What is enumerated

A run enumerates every group within these bounds, once for all claims about it. It asserts that the number of groups
equals a closed form. If all assumptions hold and only the two lists matter, there is one group of each size. In other
cases, groups of one size differ in the view of each consumer, in broker names, rooms, topics or configured lists, or in
hash values. For hash values a run tries every order of virtual nodes and queues around the ring, including collisions.
"""


def spaces(claims: Sequence[Claim]) -> str:
    """Return the chapter's text: a table with one row for each enumeration."""
    bounds = Bounds()
    rows = []
    for check in checks([claim for claim in claims if claim.kind == Groups.kind]):
        space, dropped = bounds.space(check.world), check.world.dropped
        together = "" if space.together is None else f", q + c <= {space.together}"
        rows.append(
            (
                subject(check.subjects),
                f"without {check.world.name}" if dropped else check.world.name,
                f"1 to {space.max_queues}",
                f"1 to {space.max_consumers}{together}",
                f"{space.groups:,}",
                ", ".join(dict.fromkeys(guarantee.name for guarantee in check.guarantees)),
            )
        )
    header = ("strategy", "case", "queues q", "consumers c", "number of groups", "guarantees")
    return "\n".join([HEAD, table(header, rows)])
