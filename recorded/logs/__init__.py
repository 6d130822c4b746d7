"""Parse logs of clients and brokers: the wordings of their lines, and the facts in them.

A fact is what one log line, or a series of similar lines, shows.
"""
