"""Claims about the broker's assignment: who reads which queue in pop mode."""
