"""One ordered queue, its consumers and the broker's lock.

Read in this order: ``state``, ``actions`` (with the clients), ``assumptions``, ``claims`` (with the ``PAGE``).
"""
