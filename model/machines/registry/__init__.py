"""One member of a group in one broker's registry, and a topic route that its client polls.

The registry has the members' channels, which heartbeats add and periodic scans remove. Read in this order: ``state``,
``actions`` (with the releases), ``assumptions``, ``claims`` (with the ``PAGE``).
"""
