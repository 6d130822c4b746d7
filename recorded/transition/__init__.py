"""Recorded transitions: what clients did to their tables of queues, one file format a file."""
