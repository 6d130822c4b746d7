"""What a consumer subscribes to at its start, as its options say."""

__all__ = ["subscriptions", "tags_of"]


def subscriptions(sub: str) -> dict[str, frozenset[str]]:
    """``T1:A||B,T2`` as topic -> tags, ``*`` for all; of a topic that stands twice the last counts, as for clients."""
    found = {}
    for each in sub.split(","):
        topic, _, tags = each.partition(":")
        found[topic] = tags_of(tags)
    return found


def tags_of(expression: str) -> frozenset[str]:
    """The tags of RocketMQ's expression ``A||B``; ``*`` for all, as for an empty one."""
    return frozenset(expression.split("||") if expression else "*")
