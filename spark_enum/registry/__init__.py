"""Enumeration of a broker's registry: every step of a member, a connection, a broker, and a route."""
