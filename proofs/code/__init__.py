"""That the code which runs is the code that is proved."""
