"""What has to be proved about MACHINE_ROOM_NEARBY, over any inner strategy that has the property in question."""
