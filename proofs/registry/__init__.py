"""Claims about a broker's registry of members, its notifications, and route ages."""
