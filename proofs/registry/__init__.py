"""Claims about a broker's registry of consumers, its notifications, and the age of routes."""
