"""The results of a run: results.json, reports, and differences from a baseline."""
