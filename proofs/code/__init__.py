"""Claims that a strategy's executed code computes the same as the encoding that is proved."""
