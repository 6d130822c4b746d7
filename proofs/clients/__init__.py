"""Claims about strategies with the same name that compute different results in different clients."""
