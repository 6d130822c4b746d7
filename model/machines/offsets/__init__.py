"""One page in four modules: one queue's offset at consumers and broker, and one message of the queue."""
