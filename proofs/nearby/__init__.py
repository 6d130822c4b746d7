"""Obligations and claims about MACHINE_ROOM_NEARBY, over any inner strategy that has the property in question."""
