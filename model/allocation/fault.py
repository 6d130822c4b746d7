"""Run-time errors inside ``allocate``, after its argument checks."""

from rebalance_proofs.model.allocation.check import AllocationError


class Fault(AllocationError):
    """A run-time error at a null or a number that no argument check rejected.

    Examples: NullPointerException, a Go panic. For the Go client, the text is Go's own. Java's text depends on the
    virtual machine, so here it only names the null.
    """
