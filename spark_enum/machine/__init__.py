"""Enumeration of a declared machine: its code and its compiled terms, compared in every state of a space."""
