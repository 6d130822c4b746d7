"""Evidence that the run itself works: its comparers are tried, and its work is counted against closed forms."""
