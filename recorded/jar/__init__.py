"""A client's own jar, called on the groups of the spaces and compared with the model of that client."""
