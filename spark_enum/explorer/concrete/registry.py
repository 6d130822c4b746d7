"""A broker's list of the members of a group, and its notifications of changes."""

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.possible import need
from rebalance_proofs.model.registry.consumer_group_info import Channel, ClientChannelInfo
from rebalance_proofs.model.registry.consumer_manager import ConsumerManager
from rebalance_proofs.model.registry.ids_change_listener import DefaultConsumerIdsChangeListener
from rebalance_proofs.model.registry.limits import DEFAULTS

GROUP = "G"


class Registry:
    """A broker's ``ConsumerManager``, and a connection for each member."""

    def __init__(self) -> None:
        listener = DefaultConsumerIdsChangeListener(
            notify_consumer_ids_changed_enable=True, real_time_notify_consumer_change=True
        )
        self._manager = ConsumerManager(listener, number(DEFAULTS.expired))
        self._channels: dict[str, Channel] = {}
        self.told: set[str] = set()
        """Client ids of the consumers to which a notification is in flight."""

    @property
    def ids(self) -> list[str] | None:
        """Return the client ids in the group (``getConsumerListByGroup``); None for an error answer."""
        return self._manager.get_consumer_list_by_group(GROUP)

    def comes(self, client_id: str) -> None:
        """Process the first heartbeat of the client."""
        channel = self._channels[client_id] = Channel()
        found = self._manager.group_info(GROUP)
        self._manager.register_consumer(GROUP, found, ClientChannelInfo(channel, client_id, 0), 0)
        self._notified()

    def leaves(self, client_id: str) -> None:
        """Process the unregister request of the client (``unregisterClient``)."""
        self._manager.unregister_consumer(GROUP, self._channels.pop(client_id))
        self._notified()

    def closed(self, client_id: str) -> None:
        """Process the end of the client's connection."""
        self._manager.do_channel_close_event(self._channels.pop(client_id))
        self._notified()

    def _notified(self) -> None:
        sent = self._manager.listener.sent
        heard = {channel for _, channels in sent for channel in channels}
        sent.clear()
        self.told |= {client_id for client_id, channel in self._channels.items() if channel in heard}
        self.told &= set(self._channels)

    def misses(self, client_id: str) -> None:
        """Drop a notification to the client, as if the network lost it."""
        need(client_id in self.told)
        self.told.discard(client_id)

    def answers(self, client_id: str) -> list[str] | None:
        """Return the broker's answer to the client's member query; None for an error answer.

        A notification in flight to the client is dropped, because the answer includes the change.
        """
        self.told.discard(client_id)
        return self.ids
