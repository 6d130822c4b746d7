"""Reports of ``rebalance check``, which checks a user-defined allocation strategy.

The command runs the strategy on all groups up to a size, and tests each guarantee in each group. A row (``Row``) is the
result for one guarantee, with the smallest group that breaks it. A space is a set of groups that are tried, such as all
groups with up to 64 queues and consumers.
"""
