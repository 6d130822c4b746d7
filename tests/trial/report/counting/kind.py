"""The kind's record for reports."""

from rebalance_proofs.proofs.counting.kind import CONFIGURATION
from rebalance_proofs.report.claims.enumeration import Actions
from rebalance_proofs.report.claims.runs import Places
from rebalance_proofs.report.family import BY_CLIENT, Family
from rebalance_proofs.report.machine.shown import Telling, machine_shown
from rebalance_proofs.spark_enum.counting.kind import COUNTS

FAMILY = Family(
    "counting", "Workers that count", "Each reads the counter, and then writes it.", ("Claim", "When"), table=BY_CLIENT
)
COUNTING = machine_shown(
    Telling(CONFIGURATION, lambda run: f"{run.client.rocketmq_name}, and a counter at 0.", parties=("worker",)),
    Places(FAMILY, lambda claim: "whatever others do"),
    lambda claim: "A worker, all others, and their counter.",
    none="no addition is lost",
    around="1 worker",
    actions=Actions(COUNTS, "counting", "of workers", "a worker and its counter"),
)
