"""How the workers are shown."""
