"""Enumeration of a declared machine: its code is compared with its compiled terms in every state."""
