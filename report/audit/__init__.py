"""Reports of ``rebalance audit``, which reconstructs queue ownership from logs of clients and brokers.

An entry is a process queue of a consumer, from the log line about its creation to that about its removal. A finding is
a problem, such as two owners of a queue.
"""
