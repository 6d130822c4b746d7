"""How claims about a broker's registry, and about routes, are shown."""
