"""Check recorded groups against the declared machines: is each trace a behaviour of the model?"""
