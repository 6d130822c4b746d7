"""The step of RocketMQ's gRPC clients that begins and ends the reception of queues."""
