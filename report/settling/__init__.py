"""Reports of claims about settling."""
