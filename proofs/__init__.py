"""The claims, what has to be proved for each, and who proves it."""
