"""Comparison of client code, formulas and solver models for one rebalance, case by case.

A transition is the effect of one rebalance on a client's process queues. A case is a state of the queues with the
answers of the broker.
"""
