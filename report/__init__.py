"""Results as people and tools read them."""
