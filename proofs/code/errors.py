"""The error for client code that symbolic execution does not cover."""


class Unsupported(TypeError):
    """The code does something that is not defined here for symbolic values, so that nothing is claimed about it."""
