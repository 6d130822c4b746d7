"""Python code of a client's polled route of one topic.

Mirror of ``updateTopicRouteInfoFromNameServer``.
"""

from rebalance_proofs.model.possible import need


class Route:
    """A topic's route that changes once at the name servers, and that the client polls.

    A new route is put into ``topicSubscribeInfoTable``, which does not wake the rebalance thread.
    """

    def __init__(self) -> None:
        self.moved = False
        """Whether the route has changed at the name servers."""
        self.moved_at = self.polled = 0
        self.seen = False
        """Whether the client has received the changed route."""

    def moves(self, now: int) -> None:
        """The route changes at the name servers."""
        need(not self.moved)
        self.moved, self.moved_at = True, now

    def polls(self, now: int) -> None:
        """The client receives an answer with the route."""
        self.polled, self.seen = now, self.moved
