"""Evidence for claims from recordings of real groups, and the page docs/reference/reality.md."""
