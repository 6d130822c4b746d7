"""What real groups did: the page docs/reference/reality.md."""
