"""Python code of a broker's record of one group: the channels of its members.

Mirror of ``ConsumerGroupInfo`` and ``ClientChannelInfo``.
"""

from dataclasses import dataclass


class Channel:
    """A connection, equal only to itself, whichever client is at its end."""


@dataclass(eq=False)
class ClientChannelInfo:
    """The client at the end of a channel, and the time of its last heartbeat.

    A heartbeat has one such object for all its groups and producers (``heartBeat``), and from 5.5.1 on one for each of
    them (rocketmq#10435). With heartbeat V2, it still has one for all (``heartBeatV2``).
    """

    channel: Channel
    client_id: str
    last_update_timestamp: int
    """Time of the last heartbeat, in ms."""


class ConsumerGroupInfo:
    """The channels of a group's members (``channelInfoTable``). Times are in ms."""

    def __init__(self) -> None:
        self.channel_info_table: dict[Channel, ClientChannelInfo] = {}

    def get_all_channel(self) -> list[Channel]:
        """Return the channels to notify."""
        return list(self.channel_info_table)

    def get_all_client_id(self) -> list[str]:
        """Return the ids of all channels; an id with two channels is listed twice."""
        return [info.client_id for info in self.channel_info_table.values()]

    def update_channel(self, info_new: ClientChannelInfo, now: int) -> bool:
        """Add or refresh a channel; return whether it is new."""
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
        """Remove a channel on its client's request; return whether it was there."""
        return self.channel_info_table.pop(channel, None) is not None

    def do_channel_close_event(self, channel: Channel) -> bool:
        """Remove a closed channel; return whether it was there."""
        return self.channel_info_table.pop(channel, None) is not None
