"""Parse the subscriptions with which a consumer was started."""


def subscriptions(sub: str) -> dict[str, frozenset[str]]:
    """Parse ``T1:A||B,T2`` into topic -> tags, with ``*`` for all tags.

    If a topic occurs twice, the last one counts, as in RocketMQ's clients.
    """
    found = {}
    for each in sub.split(","):
        topic, _, tags = each.partition(":")
        found[topic] = tags_of(tags)
    return found


def tags_of(expression: str) -> frozenset[str]:
    """Parse an expression such as ``A||B`` into tags.

    ``*`` means all tags, as does an empty expression.
    """
    return frozenset(expression.split("||") if expression else "*")
