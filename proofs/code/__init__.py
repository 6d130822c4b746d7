"""Claims that a strategy's code which runs is the encoding that is proved."""
