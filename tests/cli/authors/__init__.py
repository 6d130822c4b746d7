"""Strategies in the shapes that users publish, in this project's own wording; ``test_authors.py`` has the results."""
