"""Models of RocketMQ in plain Python, written from its sources, and their comparison with the claims."""
