"""What reading a client's code symbolically does not cover."""


class Unsupported(TypeError):
    """The code does something for which symbolic values have no meaning here, so that nothing is said about it."""
