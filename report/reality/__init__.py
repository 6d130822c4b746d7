"""Evidence from recorded groups, and the page docs/reference/reality.md."""
