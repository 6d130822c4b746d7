"""Claims about strategies with the same name whose results differ between clients."""
