"""Reports of claims about settling: when and how soon clients rebalance after a change of the group."""
