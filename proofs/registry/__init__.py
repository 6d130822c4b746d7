"""Claims about a broker's registry: the members that it lists and notifies, and when; and about the age of routes."""
