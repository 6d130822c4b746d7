"""Claims about the transition: what a rebalance does to a client's table of queues, for any number of queues."""

import rebalance_proofs.proofs.transition.observed  # noqa: F401  (what the client's code does in a round)
