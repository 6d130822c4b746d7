"""Links to the code and the report that describe the behaviour of pull requests."""

__all__ = ["CONSUMER", "EXPIRY", "REMOTING", "SERVICE"]

_SOURCE = "https://github.com/apache/rocketmq/blob/develop"
_CLIENT = f"{_SOURCE}/client/src/main/java/org/apache/rocketmq/client/impl/consumer"

CONSUMER = f"{_CLIENT}/DefaultMQPushConsumerImpl.java"
SERVICE = f"{_CLIENT}/PullMessageService.java"
REMOTING = f"{_SOURCE}/remoting/src/main/java/org/apache/rocketmq/remoting/netty/NettyRemotingClient.java"
EXPIRY = "https://github.com/apache/rocketmq/issues/1918"
