"""Exceptions that a client's code throws."""


class MQClientException(Exception):
    """A checked exception of the client: a query that failed."""


class MQBrokerException(Exception):
    """A broker's answer that it refuses."""


class RemotingTimeoutException(Exception):
    """No answer within the time limit."""


class RuntimeException(Exception):
    """Any other exception, which the calling code does not expect."""


NULL_POINTER = "NullPointerException"
"""The text of a ``RuntimeException`` where a client uses a null; the virtual machine's own words are not kept."""
