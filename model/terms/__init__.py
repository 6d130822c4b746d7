"""Integer terms: building blocks for encodings, and their compilation to NumPy."""
