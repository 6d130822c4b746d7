"""Differences between releases of client and broker, as data and as a page of the docs."""
