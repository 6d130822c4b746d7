"""Models: numbers that make formulas true, found earlier or just now, and evaluated in every run."""
