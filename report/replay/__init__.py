"""Replay a counterexample's trace step by step on the modelled client code, and compare both."""
