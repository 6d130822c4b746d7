"""RocketMQ's clients and brokers as Python code, and as SMT encodings for proofs."""
