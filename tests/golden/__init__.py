"""What commands say of small cases, and what is drawn in characters, word by word.

``python -m tests.golden`` writes the texts anew; who has changed a sentence on purpose reads the difference.
"""
