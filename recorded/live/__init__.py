"""Run scenarios with a real RocketMQ group on loopback, and record its processes."""
