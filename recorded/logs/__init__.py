"""Logs of clients and brokers: wordings of lines, parsing of files, and the facts in them."""
