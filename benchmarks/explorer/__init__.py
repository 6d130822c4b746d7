"""What ``rebalance explore`` costs: beside SPIN, as it grows, on disk, on Spark; ``python -m benchmarks.explorer``."""
