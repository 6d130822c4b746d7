"""Pull requests: one queue of one push consumer, and everything that becomes of its entries' requests."""
