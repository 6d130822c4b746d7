"""Log statements of RocketMQ's clients and broker: the inventory, and its comparison with source trees."""
