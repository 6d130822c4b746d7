"""Reports of claims about a broker's registry and about routes."""
