"""A declared machine, enumerated: the client's code with the compiled terms, in every state of a space."""
