"""Results of RocketMQ's releases: what their own jars did, compared with the model."""
