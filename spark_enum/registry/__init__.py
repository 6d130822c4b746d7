"""A broker's registry: every step of a member, a connection and a broker, and of a route."""
