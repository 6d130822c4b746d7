"""The one name that an installation brings; the folders beside this one are its packages (pyproject.toml)."""
