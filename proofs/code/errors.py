"""Error for client code that symbolic execution does not support."""


class Unsupported(TypeError):
    """The code uses an operation that is undefined for symbolic values.

    No claim is made about such code.
    """
