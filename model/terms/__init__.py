"""Integer terms: the building blocks of SMT encodings, and their compilation to NumPy."""
