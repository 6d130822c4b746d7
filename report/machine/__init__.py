"""How a run of a declared machine is told: from the words of its declaration."""
