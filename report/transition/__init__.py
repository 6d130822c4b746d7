"""Reports of claims about transitions and of their counterexamples.

A transition is what one rebalance (or one renewal of locks) of a client does to its process queue table. A round
is one such action; a counterexample can have several. A case is an initial table with the inputs of all rounds.
An unknown is one input value of a case, such as a broker's answer. Effects are the client's actions in a round.
"""
