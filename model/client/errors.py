"""Exceptions that a client's code throws."""


class MQClientException(Exception):
    """A checked exception of the client: a query failed."""


class MQBrokerException(Exception):
    """The broker refused the request."""


class RemotingTimeoutException(Exception):
    """The broker did not respond within the time limit."""


class RuntimeException(Exception):
    """Any other exception, which the calling code does not expect."""


NULL_POINTER = "NullPointerException"
"""The text of a ``RuntimeException`` for the use of a null.

It replaces the virtual machine's own text.
"""
