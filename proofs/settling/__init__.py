"""Claims about settling: how long a client's tables can be those of views that have changed."""
