"""Where the behaviour of ordered consumers and of the broker's locks can be read."""

__all__ = ["ORDERLY"]

_CLIENT = (
    "https://github.com/apache/rocketmq/blob/develop/client/src/main/java/org/apache/rocketmq/client/impl/consumer"
)

ORDERLY = f"{_CLIENT}/ConsumeMessageOrderlyService.java"
