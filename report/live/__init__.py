"""What was seen in a recorded run, with what explains it: causes of `rebalance why`, and their claims."""
