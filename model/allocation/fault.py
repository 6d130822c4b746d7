"""What goes wrong inside ``allocate`` behind its argument checks."""

from rebalance_proofs.model.allocation.check import AllocationError


class Fault(AllocationError):
    """The client's run time throws at a null or a number that no check refused: NullPointerException, Go's panic.

    The text is Go's for the Go client; Java's depends on the virtual machine, so that here it only names the null.
    """
