"""RocketMQ's clients and brokers as concrete Python code, with its SMT encoding."""
