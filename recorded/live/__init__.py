"""A group of one's own RocketMQ on loopback: scenarios, the processes that perform them, and what they record."""
