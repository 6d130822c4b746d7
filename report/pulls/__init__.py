"""How claims about pull requests are shown."""
