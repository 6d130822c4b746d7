"""Claims that a strategy's code computes the same result as its SMT encoding.

All other claims are proved about the encoding. The code is run symbolically, path by path.
"""
