"""Reports of claims about workers that count."""
