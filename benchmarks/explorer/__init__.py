"""The cost of ``rebalance explore``: beside SPIN, by size, on disk, on Spark; ``python -m benchmarks.explorer``."""
