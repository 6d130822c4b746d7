"""Caveat for every bound on the time until each queue has one owner again after a change."""

ONE_EVENT = "for one event in a calm group; two events in a row can take longer."
"""End of a sentence that begins with "This bound holds"."""
