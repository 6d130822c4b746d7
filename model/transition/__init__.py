"""A client's transition: the effect of one rebalance (a round) on one queue.

It is given as SMT terms, for any state of the queue and any answers of the environment, and runs as Python code.
"""
