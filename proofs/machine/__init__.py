"""What is proved, explored and run of a machine that is declared (``model.machine``): the same for every kind."""
