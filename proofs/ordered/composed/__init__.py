"""Pauses of one queue around several events in a row: members, their group, and the longest paths."""
