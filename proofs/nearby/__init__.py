"""Obligations and claims about MACHINE_ROOM_NEARBY, for any suitable inner strategy."""
