"""Weakenings and strengthenings of the formulas that pages declare, and the states that tell each of them apart."""
