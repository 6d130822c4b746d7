"""The rebalance thread of one client, its timer and its wake-ups, and one membership change of its group.

Read in this order: ``actions`` (state, time limits, actions, clients), ``claims`` (assumptions, guarantees, the
``PAGE``), ``recorded``. The parameters of actions and conditions: ``s``, the state before; ``c``, the action's
nondeterministic choices; ``lim``, the time limits; ``client``, the client's differences from other clients.
"""
