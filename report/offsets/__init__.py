"""Reports of claims about offsets."""
