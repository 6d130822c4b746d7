"""SMT terms over integers: building blocks of SMT encodings, and compilation to NumPy."""
