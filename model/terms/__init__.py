"""SMT terms over integers: the building blocks of SMT encodings, and their compilation to NumPy."""
