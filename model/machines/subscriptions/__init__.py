"""One topic's subscription at a broker, with heartbeats and pulls of one member and of the others of its group.

Read in this order: ``state``, ``actions`` (with the clients), ``assumptions``, ``claims`` (with the ``PAGE``).
"""
