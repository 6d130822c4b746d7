"""``rebalance replay``: a counterexample step by step, run on the client's code and compared with its trace."""
