"""Pull requests: every action of one consumer, from every state with up to one of each kind."""
