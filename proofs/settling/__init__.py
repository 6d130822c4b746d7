"""Claims about settling: how long a client's tables can be based on outdated member lists."""
