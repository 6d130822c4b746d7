"""User-defined allocation strategies, called in a child process.

So their side effects cannot disturb this process.
"""
