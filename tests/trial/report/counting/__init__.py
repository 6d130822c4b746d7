"""How the two workers are shown."""
