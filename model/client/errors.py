"""What a client's code throws."""


class MQClientException(Exception):
    """A checked exception of the client: a query that failed."""


class MQBrokerException(Exception):
    """A broker answers, and refuses."""


class RemotingTimeoutException(Exception):
    """No answer has come in time."""


class RuntimeException(Exception):
    """Anything else: what the code around it does not expect."""


NULL_POINTER = "NullPointerException"
"""The text of a ``RuntimeException`` where a client uses a null; the virtual machine's own words are not kept."""
