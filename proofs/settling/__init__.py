"""Claims about settling: how long a queue table can be based on outdated member lists."""
