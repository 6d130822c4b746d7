"""User-defined allocation strategies, called in a child process so that they cannot disturb this one."""
