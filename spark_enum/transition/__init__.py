"""Enumeration of transitions: the clients' code, the compiled terms and the solver's models, case by case."""
