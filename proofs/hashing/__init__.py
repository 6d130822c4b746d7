"""What has to be proved about CONSISTENT_HASH, by induction over the virtual nodes on the ring."""
