"""Recorded results of real RocketMQ clients, and their comparison with the model."""
