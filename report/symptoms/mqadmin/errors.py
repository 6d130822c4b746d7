"""What is wrong with a file."""

__all__ = ["NotReadable"]


class NotReadable(ValueError):
    """It is not what mqadmin prints, or broken; the sentence says where."""
