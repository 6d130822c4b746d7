"""A user's own Python code for all numbers of queues and consumers: the terms are made by running the code itself."""
