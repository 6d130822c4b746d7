"""Expected costs of the steps of a run, in CPU seconds, as measured once on one core.

They are used to estimate the time left. Only the proportions matter, because ``Remaining`` corrects the speed. Measure
again when a kind of claims has become much cheaper or more expensive than the others.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rebalance_proofs.proofs.claim import Claim

if TYPE_CHECKING:
    from rebalance_proofs.spark_enum.bounds import Bounds

FILE = Path(__file__).with_name("costs.json")
UNKNOWN = 0.3
"""Cost of a claim without a measured cost, in CPU seconds."""


@cache
def _measured() -> Any:
    return json.loads(FILE.read_text(encoding="utf-8"))


def of_claim(claim: Claim) -> float:
    """Return the cost of proving or refuting a claim, in CPU seconds.

    An expensive claim has its own cost; other claims have the mean cost of their group. A group has the claims of one
    sort with the same expected verdict, such as ``offsets.proved``.
    """
    return cost(claim.id) or cost(f"{claim.id.partition('.')[0]}.{claim.expected.lower()}") or UNKNOWN


def cost(name: str) -> float:
    """Return the measured cost of a claim or group in CPU seconds; 0 if it was not measured."""
    found: float = _measured()["claims"].get(name) or _measured()["groups"].get(name, 0.0)
    return found


def of_jobs(claims: Sequence[Claim], bounds: "Bounds") -> Iterator[float]:
    """Yield the cost of each Spark job of the enumeration in CPU seconds, in order.

    The costs were measured for all claims of a kind. With other bounds or fewer claims, a kind can have another number
    of jobs. Then each job gets the mean of the kind.
    """
    from rebalance_proofs.spark_enum.kinds import KINDS  # loads PySpark

    for name, kind in KINDS.items():
        some = [claim for claim in claims if claim.kind == name]
        if some:
            costs = _measured()["jobs"].get(name, [UNKNOWN])
            mean = sum(costs) / len(costs)
            jobs = kind.jobs(some, bounds)
            yield from (costs[number] if jobs == len(costs) else mean for number in range(jobs))
