"""Check recorded changes of clients' process queue tables against the model.

One module per file format.
"""
