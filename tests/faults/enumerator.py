"""Faults in the enumeration: it leaves cases out, or loses what it finds."""

from tests.faults.fault import fault

IDLE = "enumerate allocation.avg.idle --consumers 4 --queues 4"

FAULTS = (
    fault(
        "last-number-of-queues-left-out",
        "Space.sizes",
        "every = [(n, q) for n in range(1, self.max_consumers + 1) for q in range(1, self.max_queues + 1)]",
        "every = [(n, q) for n in range(1, self.max_consumers + 1) for q in range(1, self.max_queues)]",
        IDLE,
        "avg: groups: 16 required, 12 found",
    ),
    fault(
        "mismatches-swallowed",
        "Sweep._totals",
        "if found.mismatch:",
        "if found.mismatch is False:",
        IDLE,
        "self-test 'positions: ",
    ),
    fault(
        "decoded-one-off",
        "Space.decode",
        "values = self.world.values(n, q, number - (self._ends[block - 1] if block else 0))",
        "values = self.world.values(n, q, max(number - (self._ends[block - 1] if block else 0) - 1, 0))",
        "enumerate allocation.avg.disjoint.without-distinct-ids --consumers 4 --queues 4",
        "avg without-distinct-ids: groups with the right number: 60 required, 40 found",
    ),
    fault(
        "skipped-digits-one-off",
        "skipping",
        "if number >= missing:",
        "if number > missing:",
        "enumerate allocation.avg.disjoint.without-same-cid-all --consumers 2 --queues 2",
        "avg without-same-cid-all: groups with the right number: 300 required, 250 found",
    ),
    fault(
        "a-letter-left-out",
        "Alphabet.at_most",
        "found += [rest[place * len(rest) // taken] for place in range(taken)]",
        "found += [rest[place * len(rest) // taken] for place in range(taken - 1)]",
        "enumerate transition.node.changed --quick",
        "node push, 3 queues, tables: cases: 110,592 required, 103,823 found",
    ),
)
