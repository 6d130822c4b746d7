"""A client's own jar, run on the spaces and compared with the model of that client."""
