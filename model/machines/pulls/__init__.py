"""One queue's pull requests at one push consumer.

Read in this order: ``actions`` (state, limit, clients), ``claims`` (assumptions, guarantees, the ``PAGE``),
``recorded``.

``pullMessage`` checks its process queue once, before anything else, so the rest of it is one action. The exception is
the first pull of an ordered queue, which queries its offset in between. The pull thread takes no other request during
that query. Exits by which a request can get lost are modelled only for process queues in the table; elsewhere they do
not matter.

Each action function returns the action's guard and the state's changed fields. Its parameters: ``s``, the state before;
``c``, the action's nondeterministic choices; ``lim``, the time limit; ``client``, the client's differences from others.
"""
