"""Replay of a counterexample, step by step: run it on the modelled client code and compare it with its trace."""
