"""The findings page of the docs: what was found, for users, with the smallest example of each drawn."""
