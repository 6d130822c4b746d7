"""How claims about ordered consumption are shown."""
