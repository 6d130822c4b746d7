"""How claims about settling are shown."""
