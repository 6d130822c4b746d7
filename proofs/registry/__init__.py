"""Claims about a broker's registry: whom it lists, whom it notifies, and when; and how old a route can be."""
