"""Recorded transitions of clients' tables of queues, one file format a module."""
