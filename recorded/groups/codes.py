"""RocketMQ's names in recordings: requests (``RequestCode``), threads, and results of pulls."""

__all__ = [
    *("BEAT", "BYE", "ENDS", "ILLEGAL", "LIST", "LOCK", "PULL", "PULLING", "QUERY", "REBALANCING", "SEARCHES"),
    *("UNLOCK", "UPDATE"),
]

BEAT, BYE = "HEART_BEAT", "UNREGISTER_CLIENT"
LIST = "GET_CONSUMER_LIST_BY_GROUP"
LOCK, UNLOCK = "LOCK_BATCH_MQ", "UNLOCK_BATCH_MQ"
PULL = "PULL_MESSAGE"
QUERY, UPDATE = "QUERY_CONSUMER_OFFSET", "UPDATE_CONSUMER_OFFSET"
ENDS, SEARCHES = "GET_MAX_OFFSET", "SEARCH_OFFSET_BY_TIMESTAMP"
PULLING, REBALANCING = "PullMessageService", "RebalanceService"
"""Names of a client's threads that send pulls, and that rebalance."""
ILLEGAL = "OFFSET_ILLEGAL"
"""``PullStatus`` of a pull from an offset that the queue does not have."""
