"""What a client's code throws."""


class MQClientException(Exception):
    """A checked exception of the client: a query that failed."""


class RuntimeException(Exception):
    """Anything else: what the code around it does not expect."""
