"""What real groups did: the page docs/reality.md."""
