"""Table of the enumerated spaces of groups, with the number of groups in each by its closed form."""

from collections.abc import Sequence

from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.markdown_tables import table
from rebalance_proofs.report.names import subject
from rebalance_proofs.spark_enum.allocation.group_check import checks
from rebalance_proofs.spark_enum.bounds import Bounds

HEAD = """## What is enumerated

Every group within these bounds, once for all claims about it: the number of groups is a closed form, and a run asserts
that it met as many. Where all premises hold and nothing but the two lists counts, there is one group of each size; in
other cases many of one size differ, in who sees what, in how hash values compare (every order of virtual nodes and
queues around the ring, collisions included), in broker names, rooms, topics or lists.
"""


def spaces(claims: Sequence[Claim]) -> str:
    """The section with its table, one row for each sweep."""
    bounds = Bounds()
    rows = []
    for check in checks([claim for claim in claims if claim.kind == Groups.kind]):
        space, dropped = bounds.space(check.world), check.world.dropped
        together = "" if space.together is None else f", together up to {space.together}"
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
