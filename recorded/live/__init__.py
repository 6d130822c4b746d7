"""Run scenarios with real RocketMQ processes on this machine (loopback), and record them."""
