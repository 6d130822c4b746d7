"""Evidence that a run itself works: self-tests of its comparers, and counts of its work against closed forms."""
