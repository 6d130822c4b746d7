"""Recordings with a lie: events left out, or others in their place."""

from dataclasses import replace


def dropped(whole, who, which):
    """The trace without those events of a process."""
    return replace(whole, of={**whole.of, who: [one for one in whole.of[who] if not which(one)]})


def edited(whole, who, which, edit):
    """The trace with the first of those events of a process edited."""
    lines = whole.of[who]
    place = next(place for place, one in enumerate(lines) if which(one))
    return replace(whole, of={**whole.of, who: [*lines[:place], edit(lines[place]), *lines[place + 1 :]]})


def every(whole, who, which, edit):
    return replace(whole, of={**whole.of, who: [edit(one) if which(one) else one for one in whole.of[who]]})


def said(**changes):
    return lambda event: replace(event, said=replace(event.said, **changes))


def is_(kind, **values):
    return lambda event: isinstance(event, kind) and all(getattr(event, name) == one for name, one in values.items())
