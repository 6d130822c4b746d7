"""User-defined allocation strategies, called in a child process that contains their side effects."""
