"""Settling: when a client rebalances, and what it has seen of the group's last change then."""
