"""Monitors: functions that look in a recording for events that claims deny, and for chances for such events.

A chance is a situation in which the denied event could have happened. Monitors use recorded events alone. They do not
depend on the checks that compare recordings with the model's state machines. An entry is a process queue in a
consumer's table, from its creation to its removal. Each monitor yields a ``Told`` for each guarantee: the claims,
the number of chances, and the violations (``Bad``).
"""
