"""Compare code and compiled terms in every state of a worker and a counter up to 2."""

from rebalance_proofs.model.machine.record import Record
from rebalance_proofs.proofs.counting.kind import CLIENTS, CONFIGURATION
from rebalance_proofs.spark_enum.machine.steps import Space, Steps, by_name, machine_kind

COUNTS = "counts"
VALUES, FLAGS = range(3), range(2)
PARTS = (
    [{"value": value, "added": added} for value in VALUES for added in VALUES],
    [{"reading": reading, "seen": seen} for reading in FLAGS for seen in VALUES],
)


class CountingSteps(Steps):
    """The comparison of all three actions."""

    kind, title, space = COUNTS, "counting", Space(CONFIGURATION, Record(), PARTS)
    known = by_name(CLIENTS)


COUNTING = machine_kind(CountingSteps, "an addition is lost", "no addition is lost")
