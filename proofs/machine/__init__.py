"""Proofs, explorations and runs of state machines that model a client (``model.machine``).

A machine has a state, actions with guards and effects, and time limits. Several kinds of claims use machines:
offsets, ordered, pulls, registry, settling, subscriptions. In a group, each consumer is one copy of the machine; all
copies share some fields, such as the broker's lock.
"""
