"""Enumeration of transitions: client code, compiled terms and solver models, case by case."""
