"""Claims about strategies of the same name that compute different results in different clients."""
