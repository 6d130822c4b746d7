"""A broker's registry of group members, and a topic route that a client polls.

The registry has the members' channels, which heartbeats add and periodic scans remove.
"""
