"""Run-time errors inside ``allocate``, behind its argument checks."""

from rebalance_proofs.model.allocation.check import AllocationError


class Fault(AllocationError):
    """A run-time error at a null or a number that no argument check refused: NullPointerException, Go's panic.

    The text is Go's own for the Go client; Java's depends on the virtual machine, so that here it only names the null.
    """
