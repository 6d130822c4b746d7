"""How claims about offsets are shown."""
