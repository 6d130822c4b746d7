"""Reports of claims about pull requests."""
