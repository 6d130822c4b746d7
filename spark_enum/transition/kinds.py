"""What is compared with what, where transitions are enumerated."""

SINGLES, CALLS, TABLES, MODELS = "singles", "calls", "tables", "models"
"""The code of one queue with the compiled terms; the code of several queues with that of each alone; the compiled terms
of several queues with the code of each alone; the solver's models with the code of one queue."""

LETTERS, PROMISES = "letters", "promises"
"""How many different things a client does to a queue; the claims on the clients' code, near to a benign round."""

ADMITTED, GONE, FARTHER = "admitted", "gone through", "farther"
"""What is counted: cases that the claim's scenario admits; by mode, those that were gone through, whether it does or
not; and those of them that were looked at farther from a benign round, because nothing near to one breaks the claim."""
