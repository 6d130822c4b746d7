"""User-defined allocation strategies, called in a child process that contains side effects."""
