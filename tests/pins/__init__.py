"""Everything that tests compare with an earlier result: the files in this folder, and the command that writes them.

``make pins`` computes all of them, writes them, and prints which claims, sentences and numbers changed. ``table.py``
lists them.
"""
