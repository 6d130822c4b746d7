"""Check recordings of real consumer groups against the model's state machines.

For each recording: can the model behave like this?
"""
