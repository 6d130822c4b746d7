"""Logs of clients and brokers: the wordings of their lines, the reading of files, and the facts in them."""
