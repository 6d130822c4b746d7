"""RocketMQ's clients and brokers as concrete Python code, and the SMT encoding of the same code."""
