"""A broker's record of one group (``ConsumerGroupInfo``, ``ClientChannelInfo``), as far as it says who is in it."""

from dataclasses import dataclass

__all__ = ["Channel", "ClientChannelInfo", "ConsumerGroupInfo"]


class Channel:
    """A connection; each is another one, whoever is at its end."""


@dataclass(eq=False)
class ClientChannelInfo:
    """Who is at the other end, and when a heartbeat came last. ``heartBeat`` makes one for all groups."""

    channel: Channel
    client_id: str
    last_update_timestamp: int
    """ms."""


class ConsumerGroupInfo:
    """``channelInfoTable``. Times are in ms."""

    def __init__(self) -> None:
        self.channel_info_table: dict[Channel, ClientChannelInfo] = {}

    def get_all_channel(self) -> list[Channel]:
        """Whom to notify."""
        return list(self.channel_info_table)

    def get_all_client_id(self) -> list[str]:
        """One id a channel: nothing looks whether it stands there already."""
        return [info.client_id for info in self.channel_info_table.values()]

    def update_channel(self, info_new: ClientChannelInfo, now: int) -> bool:
        """Whether the channel is new."""
        updated = False
        info_old = self.channel_info_table.get(info_new.channel)
        if info_old is None:
            self.channel_info_table[info_new.channel] = info_new
            updated = True
            info_old = info_new
        elif info_old.client_id != info_new.client_id:
            self.channel_info_table[info_new.channel] = info_new
        info_old.last_update_timestamp = now
        return updated

    def unregister_channel(self, channel: Channel) -> bool:
        """Whether it was there."""
        return self.channel_info_table.pop(channel, None) is not None

    def do_channel_close_event(self, channel: Channel) -> bool:
        """Whether it was there."""
        return self.channel_info_table.pop(channel, None) is not None
